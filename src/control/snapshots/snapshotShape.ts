/** Validates snapshots from requests and files. Loaded on first use, because its schema is built from all tables. */
import { Type, type TObject } from '@sinclair/typebox'
import { Currency, Int } from '../../http/schemas/schemas.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { CONTENTS, contentsShape } from '../../state/shared/fileContents.ts'
import { LIMITED_AS_A_WHOLE } from '../../state/storage/shapes.ts'
import type { Records, RecordSet } from '../../state/storage/records/records.ts'
import { Refusal, type FieldProblem } from '../../state/model/refusal.ts'
import type { Row } from '../../state/storage/records/replaceRecords.ts'
import { MAX_USERS } from '../../state/workspace/users.ts'
import { Slices } from '../../state/model/slices.ts'
import { ReadingChoice } from '../shared/readings.ts'
import { SNAPSHOT_FORMAT, type Snapshot, type SnapshotHead, type SnapshotUser } from './snapshot.ts'
import { ReceivedSnapshot } from './snapshotReading.ts'

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
      readings: ReadingChoice,
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

/** Schemas of snapshots without records. All apps share the list of record sets, so the schema is compiled once. */
const schemas = new WeakMap<object, TObject>()

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

function schemaOf(records: Records): TObject {
  let schema = schemas.get(records.sets)
  if (!schema) {
    const sections = Object.entries(sectionsOf(records)).map(([name, section]) => [
      name,
      Type.Optional(withoutRecords(section)),
    ])
    schema = Type.Object(
      {
        format: Type.Literal(SNAPSHOT_FORMAT),
        workspace: Type.Optional(settings),
        key: Type.Optional(Type.String({ pattern: '^[\\w.~-]{1,100}$' })),
        users: Type.Optional(Type.Array(user, { maxItems: MAX_USERS })),
        counters: Type.Optional(Type.Record(Type.String(), Int({ minimum: 0 }))),
        ...(Object.fromEntries(sections) as Record<string, TObject>),
      },
      strict,
    )
    schemas.set(records.sets, schema)
  }
  return schema
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

/** Returns the validation errors of a snapshot, at most MAX_PROBLEMS. */
async function snapshotProblems(records: Records, snapshot: ReceivedSnapshot): Promise<FieldProblem[]> {
  const { rest } = snapshot
  const problems = problemsOf(schemaOf(records), rest)
  if (problems.length === 0) problems.push(...duplicateUsers((rest as Partial<SnapshotHead>).users ?? []))
  const slices = new Slices()
  for (const set of [...records.sets, CONTENTS]) {
    let index = 0
    for await (const row of snapshot.rowsOf(set)) {
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

/** Returns a validated snapshot, or refuses it. `field` is its path in the body. */
export async function checkSnapshot(records: Records, value: unknown, field = ''): Promise<Snapshot> {
  const received = value instanceof ReceivedSnapshot ? value : null
  const problems = received ? await snapshotProblems(records, received) : problemsOf(schemaOf(records), value)
  if (received && problems.length === 0) {
    const head = received.rest as unknown as SnapshotHead
    return { head, rowsOf: (set) => received.rowsOf(set), close: () => received.close() }
  }
  const details = problems.map((problem) => ({
    ...problem,
    field: [field, problem.field].filter((part) => part !== '').join('.'),
  }))
  throw new Refusal('invalid', `The snapshot does not fit: ${firstOf(problems)}.`, { details })
}

/** Returns the message of the first error and the number of others. */
function firstOf(problems: readonly FieldProblem[]): string {
  const [first] = problems
  const others = problems.length - 1
  return `${first?.message ?? ''}${others > 0 ? ` (and ${String(others)} more)` : ''}`
}
