/**
 * What a snapshot has to look like, for those that come from outside. Loaded when the first of them comes: its schema is
 * made of all tables there are.
 */
import { Type, type TObject } from '@sinclair/typebox'
import { Currency, Int } from '../http/schemas.ts'
import { problemsOf } from '../http/validation.ts'
import type { Records } from '../state/records.ts'
import { Refusal, type FieldProblem } from '../state/refusal.ts'
import { SNAPSHOT_FORMAT, type Snapshot, type SnapshotUser } from './snapshot.ts'

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
    createdAt: Type.Optional(Type.String({ format: 'date-time' })),
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
