/** Searches the texts of a workspace: calls, e-mails, deliveries and records. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { pathOf } from '../../http/definition/pathPatterns.ts'
import { Instant, named, OneOf, SearchText } from '../../http/schemas/schemas.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { refuseField } from '../../state/model/refusal.ts'
import { scanTexts, TextScan, type TextMatch, type TextTable } from '../../state/shared/textScan.ts'
import type { RecordSet } from '../../state/storage/records/records.ts'
import { emails } from '../../state/storage/tables.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { CallRecord } from '../../state/timeline/timelineShapes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { fold } from '@suite-sim/kit/text/collation'
import { deliveries } from '../../webhooks/deliveries/tables.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { TITLES } from '../../state/storage/records/recordSearch.ts'
import { sectionOf } from '../records/records.ts'
import { requestId } from '../../state/timeline/timelineShapes.ts'

const KINDS = ['request', 'email', 'delivery', 'record'] as const

const SearchQuery = Type.Object({
  q: SearchText({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    description: 'The text to find, without regard to case and accents.',
    examples: ['Quintero'],
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'The maximum number of results of each kind.',
    }),
  ),
})

const SearchResult = named(
  'SearchResult',
  Type.Object({
    kind: OneOf(KINDS),
    id: Type.String(),
    section: Type.Optional(Type.String({ description: 'The section of a record.' })),
    title: Type.String(),
    excerpt: Type.String({ description: 'The text around the first match, in one line.' }),
    at: Type.Optional(Instant()),
  }),
)

const SearchResults = named(
  'SearchResults',
  Type.Object({
    data: Type.Array(SearchResult),
    complete: Type.Boolean({
      description: 'False if there may be more matches: more than limit, or the search ended early.',
    }),
  }),
)

type Result = Static<typeof SearchResult>

export const search: ControlResource = async (app, context) => {
  controlRoutesOf(app, 'Journal')('/workspaces/:id/search', { params: WorkspaceId }).get({
    id: 'searchWorkspace',
    summary: 'Search the calls, e-mails, deliveries and records of a workspace',
    description:
      'Finds a text in paths and bodies of calls, in e-mails, in payloads of deliveries, and in ids and texts of records. What has the text as its id comes first, then the newest of each kind. A search of very many records ends early.',
    query: SearchQuery,
    answers: { 200: SearchResults },
    async run({ target: workspace, query: { q, limit = 20 } }, reply) {
      mustBeSearchable('q', q)
      const scan = new TextScan(q.trim(), () => reply.raw.destroyed)
      return searchAll(context, workspace, scan, limit)
    },
  })
}

/** Refuses a text that has only accents, which would match everything, because searches ignore them. */
export function mustBeSearchable(field: string, text: string): void {
  if (fold(text) !== '') return
  refuseField(field, 'invalid', `${field} must contain a character that is no accent`, 'invalid_query')
}

async function searchAll(context: ControlContext, workspace: Workspace, scan: TextScan, limit: number) {
  const { database, rowScope } = workspace
  const scopes = context.records.scopes(database)
  const data: Result[] = []
  const isNamed = ({ id }: Result): boolean => id === scan.text
  const add = ({ results, isComplete }: { results: readonly Result[]; isComplete: boolean }): boolean => {
    data.push(...results)
    return isComplete
  }
  // The calls are in memory, and these rows are few compared with records.
  let complete = add(await searchCalls(workspace, scan, limit))
  await scopes.whileReading(rowScope, async () => {
    const scanTable = async (source: TextTable) => scanTexts(database, scopes, rowScope, source, scan, limit)
    for (const [kind, source] of [
      ['email', EMAILS],
      ['delivery', DELIVERIES],
    ] as const) {
      const { matches, isComplete } = await scanTable(source)
      if (!add({ results: matches.map((match) => resultOf(kind, match)), isComplete })) complete = false
    }
    const found: { readonly result: Result; readonly at: number }[] = []
    for (const set of context.records.sets) {
      if (scan.isOver) complete = false
      const source = scan.isOver ? null : textTableOf(set)
      if (source === null) continue
      const { matches, isComplete } = await scanTable(source)
      if (!isComplete) complete = false
      for (const match of matches)
        found.push({
          result: { ...resultOf('record', match), section: sectionOf(set) },
          at: match.at ?? -Infinity,
        })
    }
    if (found.length > limit) complete = false
    found.sort(
      (one, other) =>
        Number(isNamed(other.result)) - Number(isNamed(one.result)) ||
        (one.at === other.at ? 0 : other.at - one.at),
    )
    data.push(...found.slice(0, limit).map(({ result }) => result))
  })
  return { data: [...data.filter(isNamed), ...data.filter((result) => !isNamed(result))], complete }
}

const resultOf = (kind: Result['kind'], { id, title, excerpt, at }: TextMatch): Result => ({
  kind,
  id,
  title,
  excerpt,
  ...(at !== null && { at: iso(at) }),
})

async function searchCalls(workspace: Workspace, scan: TextScan, limit: number) {
  const results: Result[] = []
  const isComplete = (): boolean => results.length <= limit && !scan.isOver
  for (const call of timelineOf(workspace).calls().reverse()) {
    const record = call.toRecord()
    const excerpt = scan.excerptOf(textOfCall(record))
    if (excerpt !== null) {
      const title = `${record.method} ${pathOf(record.url)} ${String(record.status)}`
      results.push(resultOf('request', { id: requestId(record.number), title, excerpt, at: record.at }))
    }
    if (!isComplete()) break
    if (scan.slices.isOver) await scan.slices.turn()
  }
  return { results: results.slice(0, limit), isComplete: isComplete() }
}

const textOfBody = (body: unknown): string =>
  body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

const textOfCall = ({ number, method, url, request, response }: CallRecord): string =>
  [requestId(number), `${method} ${decoded(url)}`, textOfBody(request.body), textOfBody(response.body)].join(
    '\n',
  )

/** Returns a URL as people type it, if its escapes are well formed. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

const EMAILS: TextTable = {
  table: emails,
  id: 'id',
  titles: ['subject'],
  texts: ['subject', 'to', 'text'],
  at: 'at',
}

const DELIVERIES: TextTable = {
  table: deliveries,
  id: 'id',
  titles: ['event'],
  texts: ['event', 'url', 'body'],
  at: 'created_at',
}

const INSTANTS = ['createdAt', 'at', 'sentAt', 'updatedAt']

const textTables = new WeakMap<RecordSet, TextTable | null>()

/** Returns the texts and amounts of a record set; null if its records have no id. */
function textTableOf(set: RecordSet): TextTable | null {
  const known = textTables.get(set)
  if (known !== undefined) return known
  const columns = getTableColumns(set.table as SQLiteTable)
  const namesOf = (wanted: readonly string[]): string[] => wanted.flatMap((name) => columns[name]?.name ?? [])
  const texts = Object.entries(columns).flatMap(([name, { name: column, dataType }]) =>
    name !== 'id' &&
    name !== 'workspace' &&
    dataType !== 'boolean' &&
    !set.derived.includes(name) &&
    !set.instants.includes(name)
      ? [column]
      : [],
  )
  const [at = null] = namesOf(INSTANTS.filter((name) => set.instants.includes(name)))
  const source = columns['id']
    ? { table: set.table, id: columns['id'].name, titles: namesOf(TITLES), texts, at }
    : null
  textTables.set(set, source)
  return source
}
