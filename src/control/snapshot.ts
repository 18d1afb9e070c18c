/**
 * Snapshots: what a workspace is and holds, as JSON. A fixture file is one too, so whatever a server holds can be
 * saved, looked at, edited and started from.
 *
 * `format`, the workspace's settings, its users, the last numbers given out, then a section for each interface with
 * its records, named and typed like their columns (timestamps as ISO 8601).
 */
import { iso, writtenInstant } from '../state/clock.ts'
import { withContents } from '../state/fileContents.ts'
import type { History } from '../state/history.ts'
import type { Records } from '../state/records.ts'
import { Refusal } from '../state/refusal.ts'
import { loadLarge, withBaseOf, withRecords, type Row, type RowsOf } from '../state/replacing.ts'
import type { Modules, Plan } from '../state/tables.ts'
import type { User } from '../state/users.ts'
import type { NewWorkspace, Workspace } from '../state/workspace.ts'
import type { FilledScopes, Workspaces } from '../state/workspaces.ts'

export const SNAPSHOT_FORMAT = 'suite-simulator/1'

/** The largest snapshot that is taken, in bytes. */
export const SNAPSHOT_LIMIT = 1024 * 1024 * 1024

interface SnapshotSettings {
  readonly name?: string
  readonly currency?: string
  readonly timezone?: string
  readonly modules?: Partial<Modules>
  readonly plan?: Partial<Plan>
}

export interface SnapshotUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt?: string
}

/** A snapshot that has been checked; its sections are told by the records. */
export interface Snapshot {
  readonly format: typeof SNAPSHOT_FORMAT
  /** The id is for the workspace that a server starts with; elsewhere it means nothing. */
  readonly workspace?: SnapshotSettings & { readonly id?: string }
  /** The key of the workspace that a server starts with; elsewhere it means nothing. */
  readonly key?: string
  readonly users?: readonly SnapshotUser[]
  readonly counters?: Readonly<Record<string, number>>
  /** What had happened before, of the program's own fixtures alone; what is given from outside has none. */
  readonly history?: History
  readonly [section: string]: unknown
}

/** All of a workspace, in memory. */
export const takeSnapshot = (records: Records, workspace: Workspace): Snapshot => ({
  ...headOfSnapshot(records, workspace),
  ...records.dump(workspace),
})

/** All but its records. */
export function headOfSnapshot(records: Records, workspace: Workspace): Snapshot {
  const { name, currency, timezone, modules, plan } = workspace
  return {
    format: SNAPSHOT_FORMAT,
    workspace: { name, currency, timezone, modules, plan },
    users: workspace
      .users()
      .map(({ id, name, email, createdAt }) => ({ id, name, email, createdAt: iso(createdAt) })),
    counters: records.counters(workspace),
  }
}

/** Puts a snapshot in the place of what the workspace is and holds, all or nothing. Its users stay, its keys too. */
export async function restoreSnapshot(
  state: State,
  workspace: Workspace,
  snapshot: AnySnapshot,
): Promise<void> {
  const { records } = state
  const head = headOf(snapshot)
  const restoreOthers = (): void => {
    restoreHead(state, workspace, head)
  }
  await withContents(workspace.database, rowsOf(snapshot), async () => {
    if (isLarge(snapshot) || records.isLarge(workspace)) {
      await fitting(() => loadLarge(state, workspace, rowsOf(snapshot), restoreOthers))
      return
    }
    undoneTogether(workspace, () => {
      records.load(workspace, head)
      restoreOthers()
    })
  })
}

/** Puts back all of a snapshot but its records. Only inside a `write`. */
export function restoreHead({ records }: Pick<State, 'records'>, workspace: Workspace, head: Snapshot): void {
  const { id: _id, ...wanted } = head.workspace ?? {}
  addUsers(workspace, head)
  if (head.counters) records.setCounters(workspace, head.counters)
  // Last, because what is remembered of the settings would outlive a failure.
  workspace.registry.change(workspace, wanted)
}

/** As much of the state as snapshots are put into. */
export interface State {
  readonly workspaces: Workspaces
  readonly records: Records
}

export type WorkspaceRequest = NewWorkspace & { readonly key?: string }

export interface OpenedWorkspace {
  readonly workspace: Workspace
  /** The first of its users. */
  readonly user: User
  readonly key: string
}

/**
 * Makes a workspace with what the snapshot holds, at least one user and a full key, and remembers this as what a
 * reset goes back to.
 */
export async function openWorkspace(
  state: State,
  wanted: WorkspaceRequest,
  snapshot: AnySnapshot | null,
): Promise<OpenedWorkspace> {
  return openedIn(state, snapshot, (records) => openWith(state, wanted, snapshot, records))
}

/** The first workspace that was made of each fixture: to copy what it was made with takes a fifth of the time. */
const firstOf = new WeakMap<AnySnapshot, Workspace>()

/** Remembers a workspace that has been made of a fixture with the settings that the fixture says. */
export function rememberFirst(fixture: AnySnapshot, { workspace }: OpenedWorkspace): void {
  firstOf.set(fixture, workspace)
}

/** The same as `openWorkspace`, of a fixture that comes with the program. */
export async function openOwn(
  state: State,
  wanted: WorkspaceRequest,
  fixture: AnySnapshot,
): Promise<OpenedWorkspace> {
  const { currency, timezone } = headOf(fixture).workspace ?? {}
  // What follows from the settings is copied with the records.
  const isAsWritten = wanted.currency === currency && wanted.timezone === timezone
  if (!isAsWritten) return openWorkspace(state, wanted, fixture)
  const first = firstOf.get(fixture)
  const copied =
    first &&
    (await withBaseOf(state, first, (filled, keep) =>
      openWith(state, wanted, fixture, { filled, keep, hasHistory: true }),
    ))
  if (copied) return copied
  const opened = await openWorkspace(state, wanted, fixture)
  rememberFirst(fixture, opened)
  return opened
}

/** What the records of a workspace that is to be made are: in the snapshot, or where they have been put already. */
export type Prepared = {
  readonly filled: FilledScopes
  readonly keep: () => void
  /** Whether what had happened before has been put there, too. */
  readonly hasHistory?: boolean
} | null

/** Puts very many records of a snapshot where `open` finds them, before it is called. */
export async function openedIn<T>(
  state: State,
  snapshot: AnySnapshot | null,
  open: (prepared: Prepared) => T,
): Promise<T> {
  if (snapshot === null) return open(null)
  return withContents(state.workspaces.database, rowsOf(snapshot), () =>
    isLarge(snapshot)
      ? fitting(() => withRecords(state, rowsOf(snapshot), (filled, keep) => open({ filled, keep })))
      : open(null),
  )
}

/** Makes a workspace whose records have been prepared (`openedIn`). */
export function openWith(
  { workspaces, records }: State,
  { key: wantedKey, ...fields }: WorkspaceRequest,
  snapshot: AnySnapshot | null,
  prepared: Prepared,
): OpenedWorkspace {
  const head = snapshot && headOf(snapshot)
  const opened = workspaces.create(
    fields,
    (workspace) =>
      undoneTogether(workspace, () => {
        if (head) addUsers(workspace, head)
        if (head && !prepared) records.load(workspace, head)
        if (head?.counters) records.setCounters(workspace, head.counters)
        const user =
          workspace.users()[0] ?? workspace.addUser({ name: 'Sim User', email: 'sim.user@example.com' })
        const { key } = workspaces.addKey(workspace, {
          userId: user.id,
          ...(wantedKey !== undefined && { key: wantedKey }),
        })
        if (prepared) {
          records.keepOthers(workspace)
          prepared.keep()
        } else records.keepBaseline(workspace)
        if (prepared?.hasHistory)
          records.copyHistory(workspace.database, workspace.baselineScope, workspace.rowScope)
        else if (head?.history) records.putHistory(workspace, head.history)
        return { workspace, user, key }
      }),
    prepared?.filled,
  )
  if (prepared) opened.workspace.forget()
  return opened
}

function addUsers(workspace: Workspace, { users = [] }: Snapshot): void {
  for (const { createdAt, ...fields } of users) {
    workspace.addUser({ ...fields, ...(createdAt !== undefined && { createdAt: writtenInstant(createdAt) }) })
  }
}

/** Very many records, which are not in memory. */
export interface SpooledSnapshot {
  /** All but its records. */
  readonly head: Snapshot
  readonly rowsOf: RowsOf
  /** Closes the spool that holds the records. */
  readonly close: () => Promise<void>
}

export type AnySnapshot = Snapshot | SpooledSnapshot

const isSpooled = (snapshot: AnySnapshot): snapshot is SpooledSnapshot => 'rowsOf' in snapshot

/** Closes the spool of a snapshot that has one. Call it after the last use of the snapshot. */
export async function letGo(snapshot: AnySnapshot | null): Promise<void> {
  if (snapshot !== null && isSpooled(snapshot)) await snapshot.close()
}

export const headOf = (snapshot: AnySnapshot): Snapshot => (isSpooled(snapshot) ? snapshot.head : snapshot)

const rowsOf = (snapshot: AnySnapshot): RowsOf =>
  isSpooled(snapshot)
    ? snapshot.rowsOf
    : ({ section, name }) => (snapshot[section] as Readonly<Record<string, Row[]>> | undefined)?.[name] ?? []

/** Records that are written in one go. */
const MAX_IN_ONE_SLICE = 500

/** Whether its records are too many to be written in one slice. */
function isLarge(snapshot: AnySnapshot): boolean {
  if (isSpooled(snapshot)) return true
  let count = 0
  for (const section of Object.values(snapshot)) {
    if (typeof section !== 'object' || section === null) continue
    for (const list of Object.values(section)) count += Array.isArray(list) ? list.length : 0
  }
  return count > MAX_IN_ONE_SLICE
}

/** One write; when it fails, nothing that was remembered in between stays. */
function undoneTogether<T>(workspace: Workspace, change: () => T): T {
  try {
    return workspace.write(change)
  } catch (error) {
    workspace.forget()
    throw misfit(error) ?? error
  }
}

/** The same for what is written in slices. */
async function fitting<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw misfit(error) ?? error
  }
}

/** A broken rule of the database as a refusal: records of one snapshot that do not fit together. */
function misfit(error: unknown): Refusal | null {
  const { code, message } = (
    error instanceof Error && error.cause instanceof Error ? error.cause : error
  ) as {
    code?: unknown
    message: string
  }
  if (typeof code !== 'string' || !code.startsWith('SQLITE_CONSTRAINT')) return null
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new Refusal('invalid', 'The snapshot does not fit: a record refers to one that is not in it.')
  }
  const [, columns = message] = /^[A-Z ]+ constraint failed: (.*)$/.exec(message) ?? []
  const names = columns.split(', ').filter((name) => !name.endsWith('.workspace'))
  return new Refusal(
    'invalid',
    `The snapshot does not fit: two records have the same ${names.join(' and ')}.`,
  )
}
