/** Validates snapshots from requests and files. Loaded on first use, because its schema is built from all tables. */
import { Type, type TObject } from '@sinclair/typebox'
import { Currency, Int } from '../../http/schemas/schemas.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { CONTENTS, contentsShape } from '../../state/shared/fileContents.ts'
import { LIMITED_AS_A_WHOLE } from '../../state/storage/shapes.ts'
import type { Records, RecordSet } from '../../state/storage/records/records.ts'
import { Refusal, type FieldProblem } from '../../state/model/refusal.ts'
import type { Row } from '../../state/storage/records/replaceRecords.ts'
import { Slices } from '../../state/model/slices.ts'
import {
  SNAPSHOT_FORMAT,
  type AnySnapshot,
  type Snapshot,
  type SnapshotUser,
  type SpooledSnapshot,
} from './snapshot.ts'
import { LargeSnapshot } from './snapshotReading.ts'

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

/** Compiled schemas by the list of record sets. All apps share that list, so the schema is compiled once. */
const schemas = new WeakMap<object, TObject>()

/** Schemas of large snapshots without their records. */
const schemasOfRest = new WeakMap<object, TObject>()

const withoutRecords = ({ properties }: TObject): TObject =>
  Type.Partial(
    Type.Object(
      Object.fromEntries(
        Object.keys(properties).map((name) => [name, Type.Array(Type.Object({}), LIMITED_AS_A_WHOLE)]),
      ),
      strict,
    ),
    strict,
  )

/** Returns the schemas of the sections: the records of the workspace, and the contents of its files. */
function sectionsOf(records: Records): Readonly<Record<string, TObject>> {
  const { [CONTENTS.section]: files, ...others } = records.sections()
  const contents = Type.Optional(Type.Array(contentsShape(), LIMITED_AS_A_WHOLE))
  return {
    ...others,
    [CONTENTS.section]: Type.Object({ ...files?.properties, [CONTENTS.name]: contents }, strict),
  }
}

function schemaOf(records: Records, isLarge = false): TObject {
  const cache = isLarge ? schemasOfRest : schemas
  let schema = cache.get(records.sets)
  if (!schema) {
    const sections = Object.entries(sectionsOf(records)).map(([name, section]) => [
      name,
      Type.Optional(isLarge ? withoutRecords(section) : section),
    ])
    schema = Type.Object(
      {
        format: Type.Literal(SNAPSHOT_FORMAT),
        workspace: Type.Optional(settings),
        key: Type.Optional(Type.String({ pattern: '^[\\w.~-]{1,100}$' })),
        users: Type.Optional(Type.Array(user, LIMITED_AS_A_WHOLE)),
        counters: Type.Optional(Type.Record(Type.String(), Int({ minimum: 0 }))),
        ...(Object.fromEntries(sections) as Record<string, TObject>),
      },
      strict,
    )
    cache.set(records.sets, schema)
  }
  return schema
}

/** Returns the validation errors of a snapshot. */
export function snapshotProblems(records: Records, value: unknown): FieldProblem[] {
  const problems = problemsOf(schemaOf(records), value)
  return problems.length > 0 ? problems : duplicateUsers((value as Snapshot).users ?? [])
}

function duplicateUsers(users: readonly SnapshotUser[]): FieldProblem[] {
  const seen = new Set<string>()
  return users.flatMap(({ id }, index) => {
    const isDuplicate = seen.has(id)
    seen.add(id)
    const field = `users.${String(index)}.id`
    return isDuplicate ? [{ field, code: 'duplicate', message: `${field} is the id of another user` }] : []
  })
}

/** The maximum number of errors that are reported for one snapshot. */
const MAX_PROBLEMS = 20

/** Returns the validation errors of a large snapshot, at most MAX_PROBLEMS. */
export async function largeProblems(records: Records, large: LargeSnapshot): Promise<FieldProblem[]> {
  const schema = schemaOf(records, true)
  const problems = problemsOf(schema, large.rest)
  if (problems.length > 0) return problems
  problems.push(...duplicateUsers((large.rest as Partial<Snapshot>).users ?? []))
  const slices = new Slices()
  for (const set of [...records.sets, CONTENTS]) {
    let index = 0
    for await (const row of large.rowsOf(set)) {
      problems.push(...problemsOfRecord(records, set, row, index++))
      if (problems.length >= MAX_PROBLEMS) return problems.slice(0, MAX_PROBLEMS)
      if (slices.isOver) await slices.turn()
    }
  }
  return problems
}

/** The identity of a list of records. */
type Listed = Pick<RecordSet, 'section' | 'name'>

const schemasOfSets = new WeakMap<Listed, TObject>()

/** Returns the schema of one set. Compiling one schema for all sets would take too long. */
function schemaOfSet(records: Records, set: Listed): TObject {
  let schema = schemasOfSets.get(set)
  if (!schema) {
    const { section, name } = set
    const list = sectionsOf(records)[section]?.properties[name]
    if (!list) throw new Error(`no list ${section}.${name} exists`)
    schema = Type.Object({ [section]: Type.Object({ [name]: list }) })
    schemasOfSets.set(set, schema)
  }
  return schema
}

function problemsOfRecord(records: Records, set: Listed, row: Row, index: number): FieldProblem[] {
  const { section, name } = set
  const validated = `${section}.${name}.0`
  const actual = `${section}.${name}.${String(index)}`
  return problemsOf(schemaOfSet(records, set), { [section]: { [name]: [row] } }).map((problem) => ({
    ...problem,
    field: problem.field.replace(validated, actual),
    message: problem.message.replaceAll(validated, actual),
  }))
}

/** Converts a validated large snapshot to a spooled one. */
export function toSpooledSnapshot(large: LargeSnapshot): SpooledSnapshot {
  const { workspace, key, users, counters } = large.rest as unknown as Snapshot
  const head: Snapshot = {
    format: SNAPSHOT_FORMAT,
    ...(workspace && { workspace }),
    ...(key !== undefined && { key }),
    ...(users && { users }),
    ...(counters && { counters }),
  }
  return { head, rowsOf: (set) => large.rowsOf(set), close: () => large.close() }
}

/** Returns a validated snapshot, or refuses it. `field` is its path in the body. */
export async function checkSnapshot(records: Records, value: unknown, field = ''): Promise<AnySnapshot> {
  const isLarge = value instanceof LargeSnapshot
  const problems = isLarge ? await largeProblems(records, value) : snapshotProblems(records, value)
  if (problems.length === 0) return isLarge ? toSpooledSnapshot(value) : (value as Snapshot)
  const details = problems.map((problem) => ({
    ...problem,
    field: [field, problem.field].filter((part) => part !== '').join('.'),
  }))
  throw new Refusal('invalid', `The snapshot does not fit: ${firstOf(problems)}.`, { details })
}

/** Returns the message of the first error and the number of others. */
export function firstOf(problems: readonly FieldProblem[]): string {
  const [first] = problems
  const others = problems.length - 1
  return `${first?.message ?? ''}${others > 0 ? ` (and ${String(others)} more)` : ''}`
}
