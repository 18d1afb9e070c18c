/**
 * The file of a recording: the state that it began with, the steps, and the changes that they led to. The database keeps
 * its parts as JSON texts.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CredentialHider } from '@suite-sim/kit/calls/credentials'
import { RECORDING_FORMAT } from '@suite-sim/kit/calls/recordingFormat'
import { iso, isoOrNull } from '@suite-sim/kit/time/instants'
import { listFaults } from '../../state/faults/faults.ts'
import { stepTexts, type RecordingRow } from '../../state/timeline/recordings.ts'
import type { IdSource } from '../../state/storage/tables.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { changesSince } from '../journal/diff.ts'
import type { ControlContext } from '../shared/context.ts'
import { Spool } from '../snapshots/spool.ts'
import { writeWhole } from '../snapshots/snapshotWriting.ts'

/** The most bytes of the snapshot that a recording begins with. */
export const MAX_START_BYTES = 16 * 1024 * 1024

/** The most changed records in the diff of a recording. */
const MAX_CHANGES = 10_000

interface RecordedSnapshot {
  /** null if it is larger than allowed. */
  readonly text: string | null
  readonly bytes: number
  readonly sha256: string
}

/** Returns what hides the credentials of a workspace in the file of a recording. */
export const hiderOf = (
  { workspaces }: Pick<ControlContext, 'workspaces'>,
  workspace: Workspace,
  recording: string,
): CredentialHider => new CredentialHider(recording, workspaces.keys.secretTexts(workspace))

/** Returns the snapshot of a workspace without credentials. */
export async function recordedSnapshot(
  context: Pick<ControlContext, 'records' | 'workspaces'>,
  workspace: Workspace,
  recording: string,
  maxBytes: number,
): Promise<RecordedSnapshot> {
  const spool = new Spool()
  try {
    const hider = hiderOf(context, workspace, recording)
    const hide = (piece: string): string => hider.json(piece)
    await workspace.longWork.holdRequestsUntil(writeWhole(context.records, workspace, spool, hide))
    const bytes = spool.size
    const blocks: Buffer[] = []
    const hash = createHash('sha256')
    for await (const block of spool.read()) {
      hash.update(block)
      if (bytes <= maxBytes) blocks.push(Buffer.from(block))
    }
    const text = bytes <= maxBytes ? Buffer.concat(blocks).toString('utf8') : null
    return { text, bytes, sha256: hash.digest('hex') }
  } finally {
    await spool.close()
  }
}

/** The settings of a workspace that its snapshot does not contain. */
export const settingsView = ({ testCards, cases, progression }: Workspace) => ({
  testCards,
  cases,
  progression,
})

/** Returns the start of the file as JSON text. */
export function startText(
  workspace: Workspace,
  at: number,
  version: string,
  ids: IdSource,
  snapshot: string,
  hider: CredentialHider,
): string {
  const { id, tenantId, publicUrl } = workspace
  const start = {
    at: iso(at),
    isFrozen: workspace.clock.isFrozen,
    settings: settingsView(workspace),
    faults: faultsOf(workspace),
  }
  return [
    `"version":${JSON.stringify(version)}`,
    `"workspace":${JSON.stringify({ id, accountId: tenantId, publicUrl, ids })}`,
    `"start":${hider.json(JSON.stringify(start)).slice(0, -1)},"snapshot":${snapshot}}`,
  ].join(',')
}

/** Returns requests for the faults of a workspace that are not used up. */
const faultsOf = (workspace: Workspace) =>
  listFaults(workspace).flatMap(({ id: _id, createdAt: _createdAt, met, times, ...request }) =>
    times !== undefined && times <= met
      ? []
      : [{ ...request, ...(times !== undefined && { times: times - met }) }],
  )

/** Returns the end of the file as JSON text. */
export async function endText(
  context: ControlContext,
  workspace: Workspace,
  { id, scope }: RecordingRow,
  at: number,
): Promise<string> {
  const diff = await changesSince(context, workspace, { scope, until: null }, MAX_CHANGES)
  const { bytes, sha256 } = await recordedSnapshot(context, workspace, id, 0)
  const hider = hiderOf(context, workspace, id)
  const data = diff.data.map((change) => ({
    ...change,
    fields: change.fields.map(({ path, before, after, ...rest }) => {
      const field = path.slice(path.lastIndexOf('.') + 1)
      return { path, before: hider.field(field, before), after: hider.field(field, after), ...rest }
    }),
  }))
  return hider.json(JSON.stringify({ at: iso(at), snapshot: { bytes, sha256 }, diff: { ...diff, data } }))
}

/** Returns the file of a stopped recording as a stream, because it can be large. */
export const fileOf = (workspace: Workspace, row: RecordingRow, hider: CredentialHider): Readable =>
  Readable.from(piecesOf(workspace, row, hider), { objectMode: false })

function* piecesOf(
  { database }: Workspace,
  row: RecordingRow,
  hider: CredentialHider,
): Generator<string, void> {
  const head = {
    format: RECORDING_FORMAT,
    id: row.id,
    name: hider.text(row.name),
    stoppedAt: isoOrNull(row.stoppedAt),
    endedBy: row.endedBy,
  }
  yield `${JSON.stringify(head).slice(0, -1)},${row.start},"steps":[`
  let separator = '\n'
  for (const texts of stepTexts(database, row.id)) {
    yield separator + texts.join(',\n')
    separator = ',\n'
  }
  yield `\n],"end":${row.end ?? 'null'}}\n`
}
