/**
 * Sends snapshots. A snapshot is written to a spool in slices while other requests to the workspace wait, then sent from
 * there. It shows one instant, and a slow client blocks no other.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from '../../http/server/json.ts'
import { contentsOf, CONTENTS } from '../../state/shared/fileContents.ts'
import type { Records } from '../../state/storage/records/records.ts'
import { refuse } from '../../state/model/refusal.ts'
import { Pace } from '../../state/storage/database/pace.ts'
import { Slices } from '../../state/model/slices.ts'
import { storedFiles, type StoredFile } from '../../state/shared/storedFiles.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { headOfSnapshot, type State } from './snapshot.ts'
import { Spool } from './spool.ts'

/** The number of attempts. Earlier calls that still write to the workspace make an attempt start again. */
const MAX_TRIES = 10

/** Sends a snapshot of the workspace. */
export async function sendSnapshot(
  { records }: State,
  workspace: Workspace,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const spool = new Spool()
  try {
    const writing = writeWhole(records, workspace, spool)
    await workspace.longWork.holdRequestsUntil(writing)
  } catch (error) {
    await spool.close()
    throw error
  }
  const stream = Readable.from(spool.read(), { objectMode: false })
  stream.once('close', () => void spool.close())
  return reply.type(JSON_TYPE).header('content-length', spool.size).send(stream)
}

/** Writes a snapshot of one instant to the spool. `change` gets each piece of its text: the head, then each record. */
export async function writeWhole(
  records: Records,
  workspace: Workspace,
  spool: Spool,
  change: (piece: string) => string = unchanged,
  tries = MAX_TRIES,
): Promise<void> {
  if (tries === 0) {
    refuse('conflict', 'The workspace keeps changing. Take the snapshot when no calls write to it.')
  }
  await spool.clear()
  const { writes, generation } = workspace
  const isSame = (): boolean => workspace.writes === writes && workspace.generation === generation
  await records.scopes(workspace.database).whileReading(workspace.rowScope, async () => {
    if (await write(records, workspace, spool, isSame, change)) return
    // The next attempt still needs these rows if the workspace was removed. Their deletion starts after the last reader.
    await writeWhole(records, workspace, spool, change, tries - 1)
  })
}

const unchanged = (piece: string): string => piece

/** Writes the snapshot to the spool. Returns false if the workspace has changed. */
async function write(
  records: Records,
  workspace: Workspace,
  spool: Spool,
  isSame: () => boolean,
  change: (piece: string) => string,
): Promise<boolean> {
  const slices = new Slices()
  const head = change(JSON.stringify(headOfSnapshot(records, workspace)))
  await spool.add(Buffer.from(head.slice(0, -1)))
  let section: string | null = null
  const sizes = new Map<string, number>()
  for (const set of records.sets) {
    const opening: string =
      section === set.section ? ',' : `${section === null ? '' : '}'},"${set.section}":{`
    section = set.section
    await spool.add(Buffer.from(`${opening}"${set.name}":[`))
    let isFirst = true
    const pace = new Pace()
    for (const places of records.rowidRangesOf(workspace, set, pace)) {
      const texts = pace.measure(() => {
        const rows = records.dumpAt(workspace, set, places)
        if (set === storedFiles) for (const { hash, size } of rows as StoredFile[]) sizes.set(hash, size)
        return rows.map((row) => change(JSON.stringify(row)))
      })
      if (texts.length > 0) {
        await spool.add(Buffer.from((isFirst ? '' : ',') + texts.join(',')))
        isFirst = false
      }
      if (slices.isOver) await slices.turn()
      if (!isSame()) return false
    }
    await spool.add(Buffer.from(']'))
    if (set === storedFiles) await writeContents(workspace, spool, sizes)
  }
  await spool.add(Buffer.from(section === null ? '}' : '}}'))
  return isSame()
}

/** Adds the contents of the files that are small enough. */
async function writeContents(
  { database }: Workspace,
  spool: Spool,
  sizes: ReadonlyMap<string, number>,
): Promise<void> {
  let opening = `,"${CONTENTS.name}":[`
  for await (const contents of contentsOf(database, sizes)) {
    await spool.add(Buffer.from(opening + JSON.stringify(contents)))
    opening = ','
  }
  await spool.add(Buffer.from(opening === ',' ? ']' : `${opening}]`))
}
