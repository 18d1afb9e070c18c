/**
 * The bytes of stored files in snapshots, as base64 beside the rows that name them by their hash, so that a snapshot can
 * be put on another server. Those of larger files stay where they are: such a snapshot fits a server that has them.
 */
import { Type } from '@sinclair/typebox'
import type { Database } from './database.ts'
import { discardUnnamed, storeOf } from './fileDiscarding.ts'
import { refuse } from './refusal.ts'
import type { RowsOf } from './replacing.ts'
import { Slices } from './slices.ts'
import { storedFiles, type StoredFile } from './storedFiles.ts'

/** Bytes up to which a file's contents go along with a snapshot: 4 MiB. */
export const LARGEST_CONTENTS = 4 * 1024 * 1024

interface Contents {
  readonly hash: string
  readonly base64: string
}

/** Where in a snapshot they stand. */
export const CONTENTS = { section: storedFiles.section, name: 'contents' } as const

export const contentsShape = () =>
  Type.Object(
    {
      hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      base64: Type.String({ maxLength: Math.ceil(LARGEST_CONTENTS / 3) * 4 }),
    },
    { additionalProperties: false },
  )

/** The contents of the files with these hashes and sizes, as far as they go along. */
export async function* contentsOf(
  database: Database,
  files: ReadonlyMap<string, number>,
): AsyncGenerator<Contents, void> {
  const store = storeOf(database)
  for (const [hash, size] of files) {
    if (size > LARGEST_CONTENTS || !store.has(hash)) continue
    yield { hash, base64: (await store.bytes(hash)).toString('base64') }
  }
}

/**
 * Puts the contents of a snapshot on the disk and calls `load`, which writes the rows that name them; where it fails,
 * nothing is left of them. A file whose bytes are nowhere is a refusal.
 */
export async function withContents<T>(
  database: Database,
  rowsOf: RowsOf,
  load: () => T | Promise<T>,
): Promise<T> {
  const store = storeOf(database)
  const sizes = new Map<string, number>()
  const slices = new Slices()
  try {
    for await (const { hash, base64 } of rowsOf(CONTENTS) as AsyncIterable<Contents>) {
      const stored = await store.write(Buffer.from(base64, 'base64'))
      if (sizes.has(stored.hash)) store.unpin(stored.hash)
      sizes.set(stored.hash, stored.size)
      if (stored.hash !== hash) misfit(`the contents called ${hash} have the hash ${stored.hash}`)
    }
    for await (const { id, hash, size } of rowsOf(storedFiles) as AsyncIterable<StoredFile>) {
      const found = sizes.get(hash)
      if (found === undefined && !store.has(hash)) misfit(`the contents of file ${id} are missing`)
      if (found !== undefined && found !== size) misfit(`file ${id} has ${String(found)} bytes`)
      if (slices.isOver) await slices.turn()
    }
    const result = await load()
    await database.committed()
    return result
  } finally {
    for (const hash of sizes.keys()) {
      store.unpin(hash)
      discardUnnamed(database, hash)
    }
  }
}

const misfit = (why: string): never => refuse('invalid', `The snapshot does not fit: ${why}.`)
