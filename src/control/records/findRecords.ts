/** The operation that finds records by id, key or title in all sections. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { named, Nullable, SearchText } from '../../http/schemas/schemas.ts'
import { SeparatedTexts } from '../../http/schemas/wireShapes.ts'
import { refuseField } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import { keysOf, RecordSearch, TITLES } from '../../state/storage/records/recordSearch.ts'
import { machinesOfTable } from '../../state/storage/records/record.ts'
import type { RecordSet } from '../../state/storage/records/records.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { sectionOf, setOf } from './records.ts'

/** The maximum number of ids in one call. */
const MAX_IDS = 200

const FindQuery = Type.Object({
  id: Type.Optional(
    SeparatedTexts(20_000, `At most ${String(MAX_IDS)} ids or other keys.`, {
      minLength: 1,
      examples: ['pl_demo0000000000000001'],
    }),
  ),
  text: Type.Optional(
    SearchText({
      minLength: 1,
      maxLength: 200,
      description:
        'The beginning of an id or key, or a part of an id or title of one of the newest 2,000 records of a section. Not together with id.',
    }),
  ),
  section: Type.Optional(
    Type.String({ description: 'Only records of this section.', examples: ['payments.links'] }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 25 })),
})

const FoundRecord = named(
  'FoundRecord',
  Type.Object({
    section: Type.String({ examples: ['payments.links'] }),
    id: Type.String(),
    title: Nullable(
      Type.String({ description: 'Its name, title, subject or the like; null if it has none.' }),
    ),
    state: Nullable(Type.String({ description: 'Its state; null if it has no state machine.' })),
    keys: Type.Record(Type.String(), Type.String(), {
      description: 'Other values that identify it, such as hashUrl or slug.',
      examples: [{ slug: 'customer-survey' }],
    }),
  }),
)

export const findRecords: ControlResource = async (app, context) => {
  const searches = new Map<RecordSet, RecordSearch>(
    context.records.sets.flatMap((set) => (hasId(set) ? [[set, new RecordSearch(set)]] : [])),
  )
  controlRoutesOf(app, 'Records')('/workspaces/:id/records/find', { params: WorkspaceId }).get({
    id: 'findRecords',
    summary: 'Find records by id, key or title',
    description:
      'Without section, all sections are searched. With section alone, returns its newest records. The newest records of each section are first.',
    query: FindQuery,
    answers: { 200: ListOf(FoundRecord) },
    async run({ target: workspace, query: { id, text, section, limit = 25 } }) {
      const ids = id?.split(',').filter((each) => each !== '')
      if (ids && ids.length > MAX_IDS) invalid('id', `id must have at most ${String(MAX_IDS)} ids`)
      if (ids && text !== undefined) invalid('text', 'text must not be used together with id')
      if (!ids && text === undefined && section === undefined) {
        invalid('id', 'id, text or section is required')
      }
      const sets = section === undefined ? [...searches.keys()] : [setOf(context, section)]
      const data: Static<typeof FoundRecord>[] = []
      const slices = new Slices()
      for (const set of sets) {
        const search = searches.get(set)
        if (!search || data.length >= limit) continue
        const rest = limit - data.length
        const places = ids ? search.byKeys(workspace, ids, rest) : search.byText(workspace, text, rest)
        data.push(...viewsOf(context, workspace, set, places))
        if (slices.isOver) await slices.turn()
      }
      return { data }
    },
  })
}

function invalid(field: string, message: string): never {
  return refuseField(field, 'invalid', message, 'invalid_query')
}

const hasId = ({ table }: RecordSet): boolean => 'id' in getTableColumns(table as SQLiteTable)

function viewsOf(
  { records }: ControlContext,
  { database }: Workspace,
  set: RecordSet,
  places: readonly number[],
): Static<typeof FoundRecord>[] {
  const rows = records.at(database, set, places)
  const [state] = machinesOfTable(set.table)
  return places.flatMap((place) => {
    const row = rows.get(place)
    if (!row) return []
    const keys = keysOf(set).flatMap(({ name }) =>
      name !== 'id' && typeof row[name] === 'string' ? [[name, row[name]]] : [],
    )
    return [
      {
        section: sectionOf(set),
        id: String(row['id']),
        title: titleOf(row),
        state: state ? String(row[state[0]]) : null,
        keys: Object.fromEntries(keys) as Record<string, string>,
      },
    ]
  })
}

/** The maximum number of characters of a title. */
const MAX_TITLE = 120

function titleOf(row: Readonly<Record<string, unknown>>): string | null {
  const found = TITLES.map((name) => row[name]).find(
    (value) => typeof value === 'string' && value.trim() !== '',
  )
  if (typeof found !== 'string') return null
  return found.length <= MAX_TITLE ? found : `${found.slice(0, MAX_TITLE)}…`
}
