/**
 * What a snapshot has to look like, for those that come from outside. Loaded when the first of them comes: its schema is
 * made of all tables there are.
 */
import { Type, type TObject } from '@sinclair/typebox'
import { Currency, Int } from '../http/schemas.ts'
import { problemsOf } from '../http/validation.ts'
import { CONTENTS, contentsShape } from '../state/fileContents.ts'
import { LIMITED_ELSEWHERE } from '../state/shapes.ts'
import type { Records, RecordSet } from '../state/records.ts'
import { Refusal, type FieldProblem } from '../state/refusal.ts'
import type { Row } from '../state/replacing.ts'
import { Slices } from '../state/slices.ts'
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

/** By the list of record sets, which is the same for every app, so that the schema is compiled once. */
const schemas = new WeakMap<object, TObject>()

/** The same for what is left of those whose records lie elsewhere. */
const schemasOfRest = new WeakMap<object, TObject>()

const withoutRecords = ({ properties }: TObject): TObject =>
  Type.Partial(
    Type.Object(
      Object.fromEntries(
        Object.keys(properties).map((name) => [name, Type.Array(Type.Object({}), LIMITED_ELSEWHERE)]),
      ),
      strict,
    ),
    strict,
  )

/** Of a snapshot: the records of the workspace, and the contents of its files. */
function sectionsOf(records: Records): Readonly<Record<string, TObject>> {
  const { [CONTENTS.section]: files, ...others } = records.sections()
  const contents = Type.Optional(Type.Array(contentsShape(), LIMITED_ELSEWHERE))
  return {
    ...others,
    [CONTENTS.section]: Type.Object({ ...files?.properties, [CONTENTS.name]: contents }, strict),
  }
}

function schemaOf(records: Records, isLarge = false): TObject {
  const known = isLarge ? schemasOfRest : schemas
  let schema = known.get(records.sets)
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
        users: Type.Optional(Type.Array(user, LIMITED_ELSEWHERE)),
        counters: Type.Optional(Type.Record(Type.String(), Int({ minimum: 0 }))),
        ...(Object.fromEntries(sections) as Record<string, TObject>),
      },
      strict,
    )
    known.set(records.sets, schema)
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

/** Problems that are told of one snapshot. */
const MAX_PROBLEMS = 20

/** The same for a snapshot whose records lie in a file: as far as there are problems to tell of. */
export async function largeProblems(records: Records, large: LargeSnapshot): Promise<FieldProblem[]> {
  const schema = schemaOf(records, true)
  const problems = problemsOf(schema, large.rest)
  if (problems.length > 0) return problems
  problems.push(...doubledUsers((large.rest as Partial<Snapshot>).users ?? []))
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

/** What the records of a list are called by. */
type Listed = Pick<RecordSet, 'section' | 'name'>

const schemasOfSets = new WeakMap<Listed, TObject>()

/** One for each set, for to compile that of all sets takes long. */
function schemaOfSet(records: Records, set: Listed): TObject {
  let schema = schemasOfSets.get(set)
  if (!schema) {
    const { section, name } = set
    const list = sectionsOf(records)[section]?.properties[name]
    if (!list) throw new Error(`there is no list ${section}.${name}`)
    schema = Type.Object({ [section]: Type.Object({ [name]: list }) })
    schemasOfSets.set(set, schema)
  }
  return schema
}

function problemsOfRecord(records: Records, set: Listed, row: Row, index: number): FieldProblem[] {
  const { section, name } = set
  const first = `${section}.${name}.0`
  const its = `${section}.${name}.${String(index)}`
  return problemsOf(schemaOfSet(records, set), { [section]: { [name]: [row] } }).map((problem) => ({
    ...problem,
    field: problem.field.replace(first, its),
    message: problem.message.replaceAll(first, its),
  }))
}

/** All but the records of one that has been checked, and the way to those. */
export function spooled(large: LargeSnapshot): SpooledSnapshot {
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

/** The value as a snapshot, or a refusal; `field` is where in the body it stands. */
export async function checkedSnapshot(records: Records, value: unknown, field = ''): Promise<AnySnapshot> {
  const isLarge = value instanceof LargeSnapshot
  const problems = isLarge ? await largeProblems(records, value) : snapshotProblems(records, value)
  if (problems.length === 0) return isLarge ? spooled(value) : (value as Snapshot)
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
