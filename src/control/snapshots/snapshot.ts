/**
 * Snapshots: the settings, users, counters and records of a workspace as JSON, with a section for each interface.
 * Records have the names and types of their columns; timestamps are ISO 8601. Fixture files have the same format.
 */
import { iso, offsetInstantOf } from '@suite-sim/kit/time/instants'
import { withContents } from '../../state/shared/fileContents.ts'
import type { History } from '../../state/storage/records/history.ts'
import type { Records } from '../../state/storage/records/records.ts'
import type { ChosenReadings } from '../../state/model/reading.ts'
import { Refusal } from '../../state/model/refusal.ts'
import {
  createWithRecords,
  fillWithRows,
  replaceRecords,
  type Fill,
  type QuotaReason,
  type RowsOf,
} from '../../state/storage/records/replaceRecords.ts'
import type { Modules, Plan } from '../../state/storage/tables.ts'
import type { User } from '../../state/workspace/users.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { NewWorkspace, FilledScopes, Registry } from '../../state/workspace/registry.ts'

export const SNAPSHOT_FORMAT = 'suite-simulator/1'

/** The maximum size of a snapshot in a request or a file, in bytes. */
export const MAX_SNAPSHOT_BYTES = 1024 * 1024 * 1024

interface SnapshotSettings {
  readonly name?: string
  readonly currency?: string
  readonly timezone?: string
  readonly modules?: Partial<Modules>
  readonly plan?: Partial<Plan>
  readonly readings?: ChosenReadings
}

export interface SnapshotUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt?: string
}

/** A snapshot without its records. */
export interface SnapshotHead {
  readonly format: typeof SNAPSHOT_FORMAT
  /** The id applies only to the workspace that a server starts with. */
  readonly workspace?: SnapshotSettings & { readonly id?: string }
  /** The key applies only to the workspace that a server starts with. */
  readonly key?: string
  readonly users?: readonly SnapshotUser[]
  readonly counters?: Readonly<Record<string, number>>
  /** The past timeline. Only built-in fixtures have one. */
  readonly history?: History
}

/** A built-in fixture, and the weeks by which its dates moved. */
export interface BuiltInName {
  readonly name: string
  readonly weeks: number
  /** The file of an image, which may be of this fixture; null without one. */
  readonly image: string | null
}

/** A validated snapshot. */
export interface Snapshot {
  readonly head: SnapshotHead
  readonly rowsOf: RowsOf
  /** Only for built-in fixtures. */
  readonly builtIn?: BuiltInName
  /** Releases the records. Call it after the last use of the snapshot. */
  readonly close: () => Promise<void>
}

/** Returns the snapshot of a workspace without its records. */
export function headOfSnapshot(records: Records, workspace: Workspace): SnapshotHead {
  const { name, currency, timezone, modules, plan, chosenReadings: readings } = workspace
  return {
    format: SNAPSHOT_FORMAT,
    workspace: { name, currency, timezone, modules, plan, readings },
    users: workspace
      .users()
      .map(({ id, name, email, createdAt }) => ({ id, name, email, createdAt: iso(createdAt) })),
    counters: records.counters(workspace),
  }
}

/** Replaces the settings and records of a workspace with a snapshot, all or nothing. Its users and keys stay. */
export const restoreSnapshot = (state: State, workspace: Workspace, snapshot: Snapshot): Promise<void> =>
  withContents(workspace.database, snapshot.rowsOf, () =>
    replaceRecords(
      state,
      workspace,
      fillWithSnapshot(state, snapshot),
      () => {
        restoreHead(state, workspace, snapshot.head)
      },
      'too_large',
    ),
  )

/** Restores everything of a snapshot except its records. Call it inside a `write`. */
export function restoreHead(
  { records }: Pick<State, 'records'>,
  workspace: Workspace,
  head: SnapshotHead,
): void {
  const { id: _id, ...wanted } = head.workspace ?? {}
  addUsers(workspace, head.users ?? [])
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

/**
 * Creates a workspace from a snapshot with at least one user and a key for everything. A reset restores this state.
 * `before` runs in the same transaction when the workspace is created.
 */
export async function openWorkspace(
  state: State,
  wanted: WorkspaceRequest,
  snapshot: Snapshot | null,
  before: () => void = () => undefined,
): Promise<OpenedWorkspace> {
  const { database } = state.workspaces
  const open = (head: Partial<SnapshotHead>, prepared: Prepared | null): OpenedWorkspace =>
    database.write(() => {
      before()
      return openWith(state, wanted, head, prepared)
    })
  if (snapshot === null) return open({}, null)
  return withContents(database, snapshot.rowsOf, () =>
    createWithRecords(state, fillWithSnapshot(state, snapshot), 'too_large', (filled, keep) =>
      open(snapshot.head, { filled, keep }),
    ),
  )
}

/** Creates a workspace from a snapshot whose records are already in the database. */
export const openFilled = (
  state: State,
  wanted: WorkspaceRequest,
  { head, rowsOf }: Snapshot,
  filled: FilledScopes,
): Promise<OpenedWorkspace> => {
  const { database } = state.workspaces
  const scopes = state.records.scopes(database)
  const keep = (): void => {
    for (const scope of [filled.scope, filled.base]) scopes.keep(scope)
  }
  return withContents(database, rowsOf, () =>
    database.write(() => openWith(state, wanted, head, { filled, keep })),
  )
}

/** Creates a workspace with the records that `fill` copies. A reset restores this state. */
export const openCopy = (
  state: State,
  wanted: WorkspaceRequest,
  head: SnapshotHead,
  reason: QuotaReason,
  fill: Fill,
): Promise<OpenedWorkspace> =>
  createWithRecords(state, fill, reason, (filled, keep) => openWith(state, wanted, head, { filled, keep }))

/** The records of a workspace to create, which are already in the database. `keep` assigns them to it. */
interface Prepared {
  readonly filled: FilledScopes
  readonly keep: () => void
}

/** Creates a workspace with prepared records, or with none. */
export function openWith(
  { workspaces, records }: State,
  { key: wantedKey, ...fields }: WorkspaceRequest,
  { users = [], counters }: Partial<SnapshotHead>,
  prepared: Prepared | null,
): OpenedWorkspace {
  const opened = workspaces.create(
    fields,
    (workspace) => {
      addUsers(workspace, users)
      if (counters) records.setCounters(workspace, counters)
      const user =
        workspace.users()[0] ?? workspace.addUser({ name: 'Sim User', email: 'sim.user@example.com' })
      const { key } = workspaces.keys.add(workspace, {
        userId: user.id,
        ...(wantedKey !== undefined && { key: wantedKey }),
      })
      records.keepOthers(workspace)
      prepared?.keep()
      return { workspace, user, key }
    },
    prepared?.filled,
  )
  if (prepared) opened.workspace.forget()
  return opened
}

function addUsers(workspace: Workspace, users: readonly SnapshotUser[]): void {
  workspace.addUsers(
    users.map(({ id, name, email, createdAt }) => ({
      id,
      name,
      email,
      ...(createdAt !== undefined && { createdAt: offsetInstantOf(createdAt) }),
    })),
  )
}

/** Fills a scope with a snapshot, or throws a refusal because its records contradict each other. */
export const fillWithSnapshot =
  (state: State, { head: { history }, rowsOf }: Snapshot): Fill =>
  async (scope) => {
    const { database } = state.workspaces
    try {
      await fillWithRows(state, rowsOf)(scope)
    } catch (error) {
      throw misfitRefusal(error) ?? error
    }
    if (history) {
      database.write(() => {
        state.records.putHistory(database, scope, history)
      })
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
