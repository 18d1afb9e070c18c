/**
 * Snapshots: what a workspace is and holds, as JSON. A fixture file is one too, so whatever a server holds can be
 * saved, looked at, edited and started from.
 *
 * `format`, the workspace's settings, its users, the last numbers given out, then a section for each interface with
 * its records, named and typed like their columns (timestamps as ISO 8601).
 */
import { iso, writtenInstant } from '../state/clock.ts'
import type { Records } from '../state/records.ts'
import { Refusal } from '../state/refusal.ts'
import type { Modules, Plan } from '../state/tables.ts'
import type { User } from '../state/users.ts'
import type { NewWorkspace, Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'

export const SNAPSHOT_FORMAT = 'suite-simulator/1'

/** The largest snapshot that is taken, in bytes. */
export const SNAPSHOT_LIMIT = 64 * 1024 * 1024

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
  readonly [section: string]: unknown
}

export function takeSnapshot(records: Records, workspace: Workspace): Snapshot {
  const { name, currency, timezone, modules, plan } = workspace
  return {
    format: SNAPSHOT_FORMAT,
    workspace: { name, currency, timezone, modules, plan },
    users: workspace
      .users()
      .map(({ id, name, email, createdAt }) => ({ id, name, email, createdAt: iso(createdAt) })),
    counters: records.counters(workspace),
    ...records.dump(workspace),
  }
}

/** Puts a snapshot in the place of what the workspace is and holds, all or nothing. Its users stay, its keys too. */
export function restoreSnapshot(records: Records, workspace: Workspace, snapshot: Snapshot): void {
  const { id: _id, ...wanted } = snapshot.workspace ?? {}
  undoneTogether(workspace, () => {
    fill(records, workspace, snapshot)
    // Last, because what is remembered of the settings would outlive a failure.
    workspace.registry.change(workspace, wanted)
  })
}

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
export function openWorkspace(
  workspaces: Workspaces,
  records: Records,
  wanted: NewWorkspace & { readonly key?: string },
  snapshot: Snapshot | null,
): OpenedWorkspace {
  const { key: wantedKey, ...fields } = wanted
  return workspaces.create(fields, (workspace) =>
    undoneTogether(workspace, () => {
      if (snapshot) fill(records, workspace, snapshot)
      const user =
        workspace.users()[0] ?? workspace.addUser({ name: 'Sim User', email: 'sim.user@example.com' })
      const { key } = workspaces.addKey(workspace, {
        userId: user.id,
        ...(wantedKey !== undefined && { key: wantedKey }),
      })
      records.keepBaseline(workspace)
      return { workspace, user, key }
    }),
  )
}

function fill(records: Records, workspace: Workspace, snapshot: Snapshot): void {
  for (const { createdAt, ...fields } of snapshot.users ?? []) {
    workspace.addUser({ ...fields, ...(createdAt !== undefined && { createdAt: writtenInstant(createdAt) }) })
  }
  records.load(workspace, snapshot, snapshot.counters)
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
