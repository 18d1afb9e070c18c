/**
 * Snapshots: the settings, users, counters and records of a workspace as JSON, with a section for each interface.
 * Records have the names and types of their columns; timestamps are ISO 8601. Fixture files have the same format.
 */
import { iso, offsetInstantOf } from '../../state/model/clock.ts'
import { withContents } from '../../state/shared/fileContents.ts'
import type { History } from '../../state/storage/records/history.ts'
import type { Records } from '../../state/storage/records/records.ts'
import { Refusal } from '../../state/model/refusal.ts'
import {
  loadLarge,
  withBaseOf,
  withRecords,
  type Row,
  type RowsOf,
} from '../../state/storage/records/replaceRecords.ts'
import type { Modules, Plan } from '../../state/storage/tables.ts'
import type { User } from '../../state/workspace/users.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { NewWorkspace } from '../../state/workspace/registry.ts'
import type { FilledScopes, Registry } from '../../state/workspace/registry.ts'

export const SNAPSHOT_FORMAT = 'suite-simulator/1'

/** The maximum size of a snapshot in a request or a file, in bytes. */
export const MAX_SNAPSHOT_BYTES = 1024 * 1024 * 1024

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

/** A validated snapshot. `Records` defines its sections. */
export interface Snapshot {
  readonly format: typeof SNAPSHOT_FORMAT
  /** The id applies only to the workspace that a server starts with. */
  readonly workspace?: SnapshotSettings & { readonly id?: string }
  /** The key applies only to the workspace that a server starts with. */
  readonly key?: string
  readonly users?: readonly SnapshotUser[]
  readonly counters?: Readonly<Record<string, number>>
  /** The past timeline. Only built-in fixtures have one. */
  readonly history?: History
  readonly [section: string]: unknown
}

/** Returns a snapshot of a workspace with all its records, in memory. */
export const takeSnapshot = (records: Records, workspace: Workspace): Snapshot => ({
  ...headOfSnapshot(records, workspace),
  ...records.dump(workspace),
})

/** Returns the snapshot of a workspace without its records. */
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

/** Replaces the settings and records of a workspace with a snapshot, all or nothing. Its users and keys stay. */
export async function restoreSnapshot(
  state: State,
  workspace: Workspace,
  snapshot: AnySnapshot,
): Promise<void> {
  const { records } = state
  const head = headOf(snapshot)
  const restoreRest = (): void => {
    restoreHead(state, workspace, head)
  }
  await withContents(workspace.database, rowsOf(snapshot), async () => {
    if (isLarge(snapshot) || records.isLarge(workspace)) {
      await withMisfits(() => loadLarge(state, workspace, rowsOf(snapshot), restoreRest))
      return
    }
    writeOrForget(workspace, () => {
      records.load(workspace, head)
      restoreRest()
    })
  })
}

/** Restores everything of a snapshot except its records. Call it inside a `write`. */
export function restoreHead({ records }: Pick<State, 'records'>, workspace: Workspace, head: Snapshot): void {
  const { id: _id, ...wanted } = head.workspace ?? {}
  addUsers(workspace, head)
  if (head.counters) records.setCounters(workspace, head.counters)
  // Last, because the cached settings would survive a rollback.
  workspace.change(wanted)
}

/** The part of the state that snapshots use. */
export interface State {
  readonly workspaces: Registry
  readonly records: Records
}

export type WorkspaceRequest = NewWorkspace & { readonly key?: string }

export interface OpenedWorkspace {
  readonly workspace: Workspace
  /** The first user of the workspace. */
  readonly user: User
  readonly key: string
}

/** Creates a workspace from a snapshot with at least one user and a key for everything. A reset restores this state. */
export async function openWorkspace(
  state: State,
  wanted: WorkspaceRequest,
  snapshot: AnySnapshot | null,
): Promise<OpenedWorkspace> {
  return withPreparedRecords(state, snapshot, (records) => openWith(state, wanted, snapshot, records))
}

/** The first workspace of each fixture. Copying its baseline takes a fifth of the time of loading the fixture. */
const firstOf = new WeakMap<AnySnapshot, Workspace>()

/** Registers a workspace as the copy source of a fixture. It must have the settings of the fixture. */
export function registerCopySource(fixture: AnySnapshot, { workspace }: OpenedWorkspace): void {
  firstOf.set(fixture, workspace)
}

/** Creates a workspace from a built-in fixture. Copies the first workspace of that fixture if possible. */
export async function openBuiltIn(
  state: State,
  wanted: WorkspaceRequest,
  fixture: AnySnapshot,
): Promise<OpenedWorkspace> {
  const { currency, timezone } = headOf(fixture).workspace ?? {}
  // Copied records include values that depend on these settings.
  const hasFixtureSettings = wanted.currency === currency && wanted.timezone === timezone
  if (!hasFixtureSettings) return openWorkspace(state, wanted, fixture)
  const first = firstOf.get(fixture)
  const copied =
    first &&
    (await withBaseOf(state, first, (filled, keep) =>
      openWith(state, wanted, fixture, { filled, keep, hasHistory: true }),
    ))
  if (copied) return copied
  const opened = await openWorkspace(state, wanted, fixture)
  registerCopySource(fixture, opened)
  return opened
}

/** Records that are already in the database for a workspace to create; null if they are in the snapshot. */
export type Prepared = {
  readonly filled: FilledScopes
  readonly keep: () => void
  /** Whether the past timeline is there too. */
  readonly hasHistory?: boolean
} | null

/** Writes the records of a large snapshot in slices, then calls `open` with them. */
export async function withPreparedRecords<T>(
  state: State,
  snapshot: AnySnapshot | null,
  open: (prepared: Prepared) => T,
): Promise<T> {
  if (snapshot === null) return open(null)
  return withContents(state.workspaces.database, rowsOf(snapshot), () =>
    isLarge(snapshot)
      ? withMisfits(() => withRecords(state, rowsOf(snapshot), (filled, keep) => open({ filled, keep })))
      : open(null),
  )
}

/** Creates a workspace whose records `withPreparedRecords` has prepared. */
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
      writeOrForget(workspace, () => {
        if (head) addUsers(workspace, head)
        if (head && !prepared) records.load(workspace, head)
        if (head?.counters) records.setCounters(workspace, head.counters)
        const user =
          workspace.users()[0] ?? workspace.addUser({ name: 'Sim User', email: 'sim.user@example.com' })
        const { key } = workspaces.keys.add(workspace, {
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
    workspace.addUser({
      ...fields,
      ...(createdAt !== undefined && { createdAt: offsetInstantOf(createdAt) }),
    })
  }
}

/** A large snapshot, whose records are in a file. */
export interface SpooledSnapshot {
  /** The snapshot without its records. */
  readonly head: Snapshot
  readonly rowsOf: RowsOf
  /** Closes the spool that holds the records. */
  readonly close: () => Promise<void>
}

export type AnySnapshot = Snapshot | SpooledSnapshot

const isSpooled = (snapshot: AnySnapshot): snapshot is SpooledSnapshot => 'rowsOf' in snapshot

/** Closes the spool of a snapshot that has one. Call it after the last use of the snapshot. */
export async function closeSnapshot(snapshot: AnySnapshot | null): Promise<void> {
  if (snapshot !== null && isSpooled(snapshot)) await snapshot.close()
}

export const headOf = (snapshot: AnySnapshot): Snapshot => (isSpooled(snapshot) ? snapshot.head : snapshot)

const rowsOf = (snapshot: AnySnapshot): RowsOf =>
  isSpooled(snapshot)
    ? snapshot.rowsOf
    : ({ section, name }) => (snapshot[section] as Readonly<Record<string, Row[]>> | undefined)?.[name] ?? []

/** The maximum number of records that are written in one slice. */
const MAX_IN_ONE_SLICE = 500

/** True if the snapshot has too many records to write in one slice. */
function isLarge(snapshot: AnySnapshot): boolean {
  if (isSpooled(snapshot)) return true
  let count = 0
  for (const section of Object.values(snapshot)) {
    if (typeof section !== 'object' || section === null) continue
    for (const list of Object.values(section)) count += Array.isArray(list) ? list.length : 0
  }
  return count > MAX_IN_ONE_SLICE
}

/** Runs a change in one transaction. If it fails, drops the caches that the change filled. */
function writeOrForget<T>(workspace: Workspace, change: () => T): T {
  try {
    return workspace.write(change)
  } catch (error) {
    workspace.forget()
    throw misfitRefusal(error) ?? error
  }
}

/** Runs a change that writes in slices, and converts constraint errors to refusals. */
async function withMisfits<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw misfitRefusal(error) ?? error
  }
}

/** Converts a constraint error of the database to a refusal: records of the snapshot contradict each other. */
function misfitRefusal(error: unknown): Refusal | null {
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
