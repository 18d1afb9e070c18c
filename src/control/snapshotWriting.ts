/**
 * The answer that holds a snapshot. A small one is made in one go. A large one is written to a file in slices, while all
 * others who come to the workspace wait, and sent from there: it shows one instant, and nobody waits for its receiver.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from '../http/json.ts'
import { contentsOf, CONTENTS } from '../state/fileContents.ts'
import { hashesUnder } from '../state/fileDiscarding.ts'
import type { Records } from '../state/records.ts'
import { refuse } from '../state/refusal.ts'
import { Pace } from '../state/scopes.ts'
import { Slices } from '../state/slices.ts'
import { storedFiles, type StoredFile } from '../state/storedFiles.ts'
import type { Workspace } from '../state/workspace.ts'
import { headOfSnapshot, takeSnapshot, type State } from './snapshot.ts'
import { Spool } from './spool.ts'

/** Records that are written in one go. */
const SMALL = 500

/** Calls that had come in before may still write to the workspace; then it is begun anew, so many times. */
const TRIES = 10

/** A snapshot of the workspace as it is now, as an object or as a stream. */
export async function snapshotOf({ records }: State, workspace: Workspace, reply: FastifyReply) {
  const { database, rowScope } = workspace
  if (
    !records.scopes(database).holdsMoreThan(SMALL, rowScope) &&
    hashesUnder(database, rowScope).length === 0
  ) {
    const { [CONTENTS.section]: files, ...others } = takeSnapshot(records, workspace)
    return { ...others, [CONTENTS.section]: { ...(files as object), [CONTENTS.name]: [] } }
  }
  const spool = await Spool.open()
  try {
    const writing = writeWhole(records, workspace, spool)
    await workspace.keepWaiting(writing)
  } catch (error) {
    await spool.close()
    throw error
  }
  const stream = Readable.from(spool.read(), { objectMode: false })
  stream.once('close', () => void spool.close())
  return reply.type(JSON_TYPE).header('content-length', spool.size).send(stream)
}

async function writeWhole(records: Records, workspace: Workspace, spool: Spool): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await spool.clear()
    const { writes, generation } = workspace
    const isSame = (): boolean => workspace.writes === writes && workspace.generation === generation
    if (await write(records, workspace, spool, isSame)) return
  }
  refuse('conflict', 'The workspace is being written to all the time; take the snapshot when it is at rest.')
}

/** False when the workspace is not the same any more. */
async function write(
  records: Records,
  workspace: Workspace,
  spool: Spool,
  isSame: () => boolean,
): Promise<boolean> {
  const slices = new Slices()
  const head = JSON.stringify(headOfSnapshot(records, workspace))
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
    for (const places of records.placesOf(workspace, set, pace)) {
      const texts = pace.measure(() => {
        const rows = records.dumpAt(workspace, set, places)
        if (set === storedFiles) for (const { hash, size } of rows as StoredFile[]) sizes.set(hash, size)
        return rows.map((row) => JSON.stringify(row))
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
  await spool.flush()
  return isSame()
}

/** Beside the files, the bytes of those that are small enough. */
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
