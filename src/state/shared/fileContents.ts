/**
 * The contents of stored files in snapshots, as base64, so that a snapshot works on another server. Contents of
 * larger files are left out: such a snapshot works only on a server that has them.
 */
import { Type } from '@sinclair/typebox'
import type { Database } from '../storage/database/database.ts'
import { discardUnnamed, storeOf } from '../files/fileCleanup.ts'
import { refuse } from '../model/refusal.ts'
import type { RowsOf } from '../storage/records/replaceRecords.ts'
import { Slices } from '../model/slices.ts'
import { storedFiles, type StoredFile } from './storedFiles.ts'

/** The size up to which a snapshot contains a file: 4 MiB. */
export const MAX_CONTENT_BYTES = 4 * 1024 * 1024

interface Contents {
  readonly hash: string
  readonly base64: string
}

/** The section and list of the contents in a snapshot. */
export const CONTENTS = { section: storedFiles.section, name: 'contents' } as const

export const contentsShape = () =>
  Type.Object(
    {
      hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      base64: Type.String({ maxLength: Math.ceil(MAX_CONTENT_BYTES / 3) * 4 }),
    },
    { additionalProperties: false },
  )

/** Yields the contents of the files with these hashes and sizes, except large and missing ones. */
export async function* contentsOf(
  database: Database,
  files: ReadonlyMap<string, number>,
): AsyncGenerator<Contents, void> {
  const store = storeOf(database)
  for (const [hash, size] of files) {
    if (size > MAX_CONTENT_BYTES || !store.has(hash)) continue
    yield { hash, base64: (await store.bytes(hash)).toString('base64') }
  }
}

/**
 * Stores the contents of a snapshot and calls `load`, which writes their rows. Deletes them again if `load` fails.
 * Refuses a snapshot with a file whose contents are missing.
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
      if (stored.hash !== hash)
        refuseSnapshot(`the contents with the hash ${hash} have the hash ${stored.hash}`)
    }
    for await (const { id, hash, size } of rowsOf(storedFiles) as AsyncIterable<StoredFile>) {
      const found = sizes.get(hash)
      if (found === undefined && !store.has(hash)) refuseSnapshot(`the contents of file ${id} are missing`)
      if (found !== undefined && found !== size) refuseSnapshot(`file ${id} has ${String(found)} bytes`)
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

const refuseSnapshot = (reason: string): never => refuse('invalid', `The snapshot does not fit: ${reason}.`)
