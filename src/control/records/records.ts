/** Operations on the records of a workspace, with their states and possible moves. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import { getTableColumns, type Column } from 'drizzle-orm'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { FreeObject, Instant, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { capitalized } from '../../http/schemas/wording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { meaningOf } from '../../state/storage/columns.ts'
import { machinesOfTable } from '../../state/storage/records/record.ts'
import type { RecordSet } from '../../state/storage/records/records.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { statesBefore } from '../../state/model/machine.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'

const section = Type.String({
  description: 'The interface and the list of the records.',
  examples: ['payments.links'],
})

const Section = named(
  'RecordSection',
  Type.Object({
    section,
    title: Type.String({ examples: ['Payments: links'] }),
    count: Type.Integer(),
    interface: Nullable(Type.String({ description: 'null if several interfaces share the records.' })),
    internal: Type.Boolean({
      description:
        'Whether its records are parts of others or bookkeeping, which no call returns on their own.',
    }),
  }),
)

const SectionParameters = Type.Object({ ...WorkspaceId.properties, section })

const RecordParameters = Type.Object({
  ...SectionParameters.properties,
  recordId: Type.String({
    description: 'The id of the record, from GET /workspaces/{id}/records/{section}.',
    examples: ['pl_demo0000000000000001'],
  }),
})

/** What the values of a column are. */
const KINDS = ['id', 'state', 'instant', 'cents', 'money', 'number', 'flag', 'json', 'text'] as const

const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 25 })),
  cursor: Type.Optional(Type.String({ description: 'The nextCursor of the previous page.' })),
  order: Type.Optional(
    OneOf(['oldest', 'newest'], { default: 'oldest', description: 'Which records are first.' }),
  ),
})

const RecordPage = named(
  'RecordPage',
  Type.Object({
    data: Type.Array(FreeObject()),
    columns: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['amount'] }),
        kind: OneOf(KINDS, { description: 'money has decimals; cents has none.' }),
      }),
      { description: 'The fields of the records.' },
    ),
    nextCursor: Nullable(Type.String({ description: 'null on the last page.' })),
  }),
)

const RecordQuery = Type.Object({
  until: Type.Optional(
    Type.String({
      pattern: '^[^:]+:.*$',
      'x-wording': 'must be FIELD:VALUE, such as status:active',
      description: 'A field of the record and the value to wait for.',
      examples: ['status:active'],
    }),
  ),
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 300,
      description: 'The maximum number of seconds to wait for until.',
    }),
  ),
})

const state = Nullable(Type.String())

const WholeRecord = named(
  'RecordWithState',
  Type.Object({
    record: FreeObject({ description: 'The record, as in snapshots.' }),
    machine: Nullable(Type.String({ description: 'The name of its state machine; null if it has none.' })),
    state,
    moves: Type.Array(
      Type.Object({
        move: Type.String(),
        to: Type.String(),
        by: Type.String({ description: 'The call, trigger or job that makes the move.' }),
      }),
      { description: 'The moves that are possible now.' },
    ),
    history: Type.Array(Type.Object({ at: Instant(), move: Type.String(), from: state, to: Type.String() }), {
      description: 'The past moves in the timeline of the workspace, oldest first.',
    }),
  }),
)

export const records: ControlResource = async (app, context, { waiting }) => {
  const at = controlRoutesOf(app, 'Records')

  at('/workspaces/:id/records', { params: WorkspaceId }).get({
    id: 'listRecordSections',
    summary: 'List record sections with their counts',
    answers: { 200: ListOf(Section) },
    run({ target: workspace }) {
      const data = context.records.sets.map((set) => ({
        section: sectionOf(set),
        title: titleOf(context, set),
        count: context.records.count(workspace, set),
        interface: context.interfaces.find(({ name }) => name === set.section)?.name ?? null,
        internal: set.isInternal,
      }))
      return { data }
    },
  })

  at('/workspaces/:id/records/:section', { params: SectionParameters }).get({
    id: 'listRecords',
    summary: 'List the records of a section',
    description: 'In the order of creation, in the format of snapshots.',
    query: PageQuery,
    answers: { 200: RecordPage },
    refuses: ['invalid_cursor'],
    run({ target: workspace, params, query: { limit = 25, cursor, order = 'oldest' } }) {
      const set = setOf(context, params.section)
      const rows = context.records.page(workspace, set, positionOf(cursor), limit + 1, order)
      const page = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? String(page.at(-1)?.place) : null
      return { data: page.map(({ record }) => record), columns: kindsOf(set), nextCursor }
    },
  })

  at('/workspaces/:id/records/:section/:recordId', { params: RecordParameters }).get({
    id: 'getRecord',
    summary: 'Get a record with its state, moves and history',
    description:
      'With until and wait, the response is sent as soon as the field has the value, or after wait seconds.',
    query: RecordQuery,
    answers: { 200: WholeRecord },
    async run({ target: workspace, params, query: { until, wait } }, reply) {
      const set = setOf(context, params.section)
      const find = () => context.records.one(workspace, set, params.recordId)
      const matches = until === undefined ? () => true : condition(set, until)
      await waiting.until(reply, workspace, 'records', { ...(wait !== undefined && { wait }) }, () => {
        const record = find()
        return record && matches(record) ? [record] : []
      })
      const record =
        find() ?? refuse('not_found', `There is no record ${params.recordId} in ${params.section}.`)
      return wholeRecord(workspace, set, record)
    },
  })
}

export const sectionOf = ({ section: of, name }: Pick<RecordSet, 'section' | 'name'>): string =>
  `${of}.${name}`

/** Turns "payments.settlementItems" into "Payments: settlement items". A section without an interface keeps its own name. */
function titleOf({ interfaces }: ControlContext, { section, name }: RecordSet): string {
  const owner = interfaces.find((one) => one.name === section)?.title ?? capitalized(section)
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
  return `${owner}: ${words}`
}

export function setOf({ records: { sets } }: ControlContext, wanted: string): RecordSet {
  const found = sets.find((set) => sectionOf(set) === wanted)
  if (found) return found
  const nearest = nearestName(wanted, sets.map(sectionOf))
  const hint = nearest === null ? 'GET /_sim/workspaces/{id}/records lists them' : `did you mean ${nearest}?`
  return refuse('not_found', `There is no section ${wanted}; ${hint}`)
}

function positionOf(cursor: string | undefined): number | null {
  if (cursor === undefined || cursor === '') return null
  return /^\d{1,15}$/.test(cursor)
    ? Number(cursor)
    : refuse('invalid_cursor', 'cursor must be the nextCursor of a page of this list.')
}

const columnsOf = (set: RecordSet) => getTableColumns(set.table as Parameters<typeof getTableColumns>[0])

/** Returns the kind of each visible column. */
function kindsOf(set: RecordSet): { name: string; kind: (typeof KINDS)[number] }[] {
  const states = new Set(machinesOfTable(set.table).map(([name]) => name))
  return Object.entries<Column>(columnsOf(set)).flatMap(([name, column]) => {
    if (name === 'workspace' || set.derived.includes(name)) return []
    return [{ name, kind: states.has(name) ? ('state' as const) : kindOf(name, column) }]
  })
}

function kindOf(name: string, column: Column): (typeof KINDS)[number] {
  const meaning = meaningOf(column)
  if (name === 'id' || /[a-z]Id$/.test(name)) return 'id'
  if (meaning?.isInstant) return 'instant'
  if (meaning?.money) return meaning.money
  if (column.dataType === 'boolean') return 'flag'
  if (column.dataType === 'number') return 'number'
  return column.dataType === 'json' ? 'json' : 'text'
}

function condition(set: RecordSet, until: string): (record: Readonly<Record<string, unknown>>) => boolean {
  const split = until.indexOf(':')
  const field = until.slice(0, split)
  const value = until.slice(split + 1)
  const known = Object.keys(columnsOf(set)).filter(
    (name) => name !== 'workspace' && !set.derived.includes(name),
  )
  if (!known.includes(field)) {
    const message = `until must name a field of ${sectionOf(set)}; did you mean ${nearestName(field, known) ?? known.join(', ')}?`
    refuseField('until', 'not_allowed', message, 'invalid_query')
  }
  return (record) => {
    const current = record[field]
    return (typeof current === 'string' ? current : JSON.stringify(current)) === value
  }
}

function wholeRecord(
  workspace: Workspace,
  set: RecordSet,
  record: Readonly<Record<string, unknown>>,
): Static<typeof WholeRecord> {
  const [found] = machinesOfTable(set.table)
  if (!found) return { record, machine: null, state: null, moves: [], history: [] }
  const [column, machine] = found
  const now = String(record[column])
  const id = String(record['id'])
  const history = timelineOf(workspace)
    .steps()
    .flatMap(({ at, moved }) =>
      moved?.section === sectionOf(set) && moved.record === id && moved.machine === machine.name
        ? [{ at: iso(at), move: moved.move, from: moved.from, to: moved.to }]
        : [],
    )
  const moves = Object.entries(machine.moves)
    .filter(([, move]) => statesBefore(move, workspace).includes(now))
    .map(([move, { to, by }]) => ({ move, to, by }))
  return { record, machine: machine.name, state: now, moves, history }
}
