/**
 * Snapshots: what a workspace is and holds, as JSON. A fixture file is one too, so whatever a server holds can be
 * saved, looked at, edited and started from.
 *
 * `format`, the workspace's settings, its users, the last numbers given out, then a section for each interface with
 * its records, named and typed like their columns (timestamps as ISO 8601).
 */
import { Type, type TObject } from '@sinclair/typebox'
import { problemsOf } from '../http/validation.ts'
import { Currency, Int } from '../http/schemas.ts'
import { iso, writtenInstant } from '../state/clock.ts'
import type { Records } from '../state/records.ts'
import { Refusal, type FieldProblem } from '../state/refusal.ts'
import type { Modules, Plan } from '../state/tables.ts'
import type { NewWorkspace, User, Workspace, Workspaces } from '../state/workspaces.ts'

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

interface SnapshotUser {
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

const strict = { additionalProperties: false }
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

const settings = Type.Partial(
  Type.Object(
    {
      id: Type.String({ pattern: '^[\\w-]{1,64}$' }),
      name: text(200),
      currency: Currency(),
      timezone: Type.String({ format: 'timezone' }),
      modules: Type.Partial(Type.Object({ products: Type.Boolean() }, strict)),
      plan: Type.Partial(Type.Object({ apiAccess: Type.Boolean() }, strict)),
    },
    strict,
  ),
)

const user = Type.Object(
  {
    id: text(100),
    name: text(200),
    email: Type.String({ format: 'email' }),
    createdAt: Type.Optional(Type.String({ format: 'written-instant' })),
  },
  strict,
)

/** By the list of record sets, which is the same for every app, so that the schema is compiled once. */
const schemas = new WeakMap<object, TObject>()

function schemaOf(records: Records): TObject {
  let schema = schemas.get(records.sets)
  if (!schema) {
    const sections = Object.entries(records.sections()).map(([name, section]) => [
      name,
      Type.Optional(section),
    ])
    schema = Type.Object(
      {
        format: Type.Literal(SNAPSHOT_FORMAT),
        workspace: Type.Optional(settings),
        key: Type.Optional(Type.String({ pattern: '^[\\w.~-]{1,100}$' })),
        users: Type.Optional(Type.Array(user)),
        counters: Type.Optional(Type.Record(Type.String(), Int({ minimum: 0 }))),
        ...(Object.fromEntries(sections) as Record<string, TObject>),
      },
      strict,
    )
    schemas.set(records.sets, schema)
  }
  return schema
}

/** What keeps a value from being a snapshot, field by field. */
export function snapshotProblems(records: Records, value: unknown): FieldProblem[] {
  const problems = problemsOf(schemaOf(records), value)
  return problems.length > 0 ? problems : doubledUsers((value as Snapshot).users ?? [])
}

function doubledUsers(users: readonly SnapshotUser[]): FieldProblem[] {
  const seen = new Set<string>()
  return users.flatMap(({ id }, index) => {
    const isDoubled = seen.has(id)
    seen.add(id)
    const field = `users.${String(index)}.id`
    return isDoubled ? [{ field, code: 'duplicate', message: `${field} is the id of another user` }] : []
  })
}

/** The value as a snapshot, or a refusal; `field` is where in the body it stands. */
export function checkedSnapshot(records: Records, value: unknown, field = ''): Snapshot {
  const problems = snapshotProblems(records, value)
  if (problems.length === 0) return value as Snapshot
  const details = problems.map((problem) => ({
    ...problem,
    field: [field, problem.field].filter((part) => part !== '').join('.'),
  }))
  throw new Refusal('invalid', `The snapshot does not fit: ${firstOf(problems)}.`, { details })
}

/** The first problem in words, and how many more there are. */
export function firstOf(problems: readonly FieldProblem[]): string {
  const [first] = problems
  const others = problems.length - 1
  return `${first?.message ?? ''}${others > 0 ? ` (and ${String(others)} more)` : ''}`
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
      records.keepOrigin(workspace)
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
