/** The operation that compares the records of a workspace with an earlier state. OPERATING.md, "Control plane". */
import { counted } from '@suite-sim/kit/text/counted'
import { createHash } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import type { Database } from '../../state/storage/database/database.ts'
import {
  differencesOf,
  type Change,
  type Difference,
  type Origin,
} from '../../state/storage/records/differences.ts'
import type { Records, RecordSet } from '../../state/storage/records/records.ts'
import {
  findSaved,
  isDescendant,
  lastEntryOf,
  listSaved,
} from '../../state/storage/records/savedSnapshots.ts'
import { keyNamesOf } from '../../state/storage/records/touches.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import {
  changedFields,
  foreignKeysOf,
  markVolatile,
  NewIds,
  recordText,
  type ChangedField,
} from './changedFields.ts'
import { causeFinder, type CauseFinder } from './changeCauses.ts'
import { sectionOf } from '../records/records.ts'

/** The name of the state that a workspace was created with. */
const START = 'start'

/** The maximum number of characters of the records of a page, except for a single record. */
const MAX_PAGE_CHARACTERS = 1_000_000

const DiffQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      default: START,
      description: 'The name of a snapshot; start is the state that the workspace was created with.',
      examples: ['start'],
    }),
  ),
  section: Type.Optional(
    Type.String({
      description: 'Only records of this section, or of all sections of an interface.',
      examples: ['payments.links'],
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 25 })),
  cursor: Type.Optional(Type.String({ description: 'The nextCursor of the previous page.' })),
  format: Type.Optional(OneOf(['json', 'text'])),
})

export const ChangedRecord = named(
  'ChangedRecord',
  Type.Object({
    section: Type.String({ examples: ['payments.links'] }),
    id: Type.String({
      description: 'Of a record without an id: the values of its key, separated by slashes.',
    }),
    change: OneOf(['added', 'changed', 'removed']),
    fields: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['recipient.address.city'] }),
        before: Type.Unknown({ description: 'null if it did not exist.', examples: ['active'] }),
        after: Type.Unknown({ description: 'null if it no longer exists.', examples: ['cancelled'] }),
        volatile: Type.Optional(
          Type.Literal(true, {
            description:
              'The value differs between runs of the same calls: a time, the id or a token of a new record, or a text or object that contains one.',
          }),
        ),
        volatileParts: Type.Optional(
          Type.Array(Type.String(), {
            description:
              'If only parts of an object or list differ between runs: their paths, such as relations[0].uuid.',
          }),
        ),
      }),
      { description: 'The fields that differ; of an added or removed record, all that are not null.' },
    ),
    causes: Type.Array(Type.Object({ kind: Type.String(), id: Type.String(), title: Type.String() }), {
      description:
        'The calls, triggers, jobs and events of the timeline that wrote the record, oldest first.',
    }),
  }),
)

const Diff = named(
  'Diff',
  Type.Object({
    summary: Type.Object({ added: Type.Integer(), changed: Type.Integer(), removed: Type.Integer() }),
    data: Type.Array(ChangedRecord),
    nextCursor: Nullable(Type.String({ description: 'null on the last page.' })),
  }),
)

export const diff: ControlResource = async (app, context) => {
  controlRoutesOf(app, 'Records')('/workspaces/:id/diff', { params: WorkspaceId }).get({
    id: 'getDiff',
    summary: 'List the records that changed since a snapshot',
    description:
      'Compares the records with a named snapshot, or with the state that the workspace was created with. summary counts the records of all pages. format=text returns a readable text.',
    query: DiffQuery,
    answers: { 200: Diff },
    files: ['text/plain'],
    refuses: ['invalid_cursor'],
    async run({ target: workspace, query }, reply) {
      const { from = START, section, limit = 25, cursor = '', format } = query
      const origin = originOf(workspace, from)
      const sets = setsOf(context, section)
      const scopes = context.records.scopes(workspace.database)
      const { offset, page } = await scopes.whileReading(workspace.rowScope, () =>
        scopes.whileReading(origin.scope, () =>
          unchanged(workspace, async () => {
            const list = [aboutOf(workspace, origin), section].join(' ')
            const offset = cursor === '' ? 0 : offsetOf(cursor, list)
            const comparison = await compared(context.records, workspace, origin)
            const causesOf = causeFinder(workspace, origin.lastEntry)
            const view = await pageOf(
              { context, workspace, causesOf },
              inSets(comparison, sets),
              offset,
              limit,
            )
            const { next, ...page } = view
            return { offset, page: { ...page, nextCursor: next === null ? null : cursorOf(next, list) } }
          }),
        ),
      )
      // Most diffs have one page.
      if (page.nextCursor === null) forgetLast(workspace.database)
      if (format === 'text') reply.type('text/plain; charset=utf-8')
      return format === 'text' ? asText(page, from, offset) : page
    },
  })
}

const MAX_TRIES = 5

/** Repeats work on the records of a workspace until they did not change during it, or the tries are over. */
async function unchanged<Result>(workspace: Workspace, work: () => Promise<Result>): Promise<Result> {
  for (let tries = MAX_TRIES; ; tries--) {
    const { writes, generation } = workspace
    const result = await work()
    if (tries === 0 || (workspace.writes === writes && workspace.generation === generation)) return result
  }
}

/** Returns the first changed records since a state, of all sections. */
export async function changesSince(
  context: ControlContext,
  workspace: Workspace,
  origin: Origin,
  limit: number,
): Promise<Omit<Static<typeof Diff>, 'nextCursor'> & { readonly isComplete: boolean }> {
  const scopes = context.records.scopes(workspace.database)
  return scopes.whileReading(workspace.rowScope, () =>
    scopes.whileReading(origin.scope, async () => {
      const comparison = await compare(context.records, workspace, origin)
      const { next, ...page } = await pageOf(
        { context, workspace, causesOf: causeFinder(workspace, 0) },
        comparison,
        0,
        limit,
      )
      return { ...page, isComplete: next === null }
    }),
  )
}

/** An earlier state, with the last entry of the timeline before the changes since then. */
interface Start extends Origin {
  readonly lastEntry: number
}

/** Returns the state of a snapshot, or refuses with 404. */
function originOf(workspace: Workspace, from: string): Start {
  if (from === START) return { scope: workspace.baselineScope, until: 'newest', lastEntry: 0 }
  const saved = findSaved(workspace, from)
  if (saved) {
    const { scope } = saved
    const until = isDescendant(workspace, saved) ? scope : null
    return { scope, until, lastEntry: lastEntryOf(workspace, saved) }
  }
  const names = [START, ...listSaved(workspace).map(({ name }) => name)]
  const nearest = nearestName(from, names)
  const hint = nearest === null ? `the snapshots are ${names.join(', ')}` : `did you mean ${nearest}?`
  return refuse('not_found', `There is no snapshot ${from}; ${hint}`)
}

/** Returns the sets that are compared. A counter changes with each new record, and means nothing on its own. */
const comparedSets = ({ sets }: Records): readonly RecordSet[] => sets.filter(({ isCounter }) => !isCounter)

function setsOf({ records }: ControlContext, section: string | undefined): readonly RecordSet[] {
  const sets = comparedSets(records)
  if (section === undefined) return sets
  const found = sets.filter((set) => sectionOf(set) === section || set.section === section)
  if (found.length > 0) return found
  const nearest = nearestName(section, [...new Set(sets.flatMap((set) => [set.section, sectionOf(set)]))])
  const hint = nearest === null ? 'GET /_sim/workspaces/{id}/records lists them' : `did you mean ${nearest}?`
  const message = `section must be a section or an interface; ${hint}`
  return refuseField('section', 'unknown', message, 'invalid_query')
}

/** Returns the cursor of a place in a list. No other place has the same hash, so no other cursor is valid. */
function cursorOf(offset: number, list: string): string {
  const hash = createHash('sha256')
    .update(`${String(offset)} ${list}`)
    .digest('hex')
  return `${String(offset)}-${hash.slice(0, 12)}`
}

function offsetOf(cursor: string, list: string): number {
  const offset = Number.parseInt(cursor, 10)
  if (cursorOf(offset, list) === cursor) return offset
  const why = 'The query is another one, or records have changed since; start again without it.'
  return refuse('invalid_cursor', `cursor must be the nextCursor of the page before. ${why}`)
}

interface Comparison {
  readonly entries: readonly Difference[]
  /** The ids and random values of the added and removed records. */
  readonly newIds: NewIds
  /** The removed records with ids by their names, because others are removed with them. */
  readonly removed: ReadonlyMap<string, Difference>
}

const changeOf = ({ now, before }: Difference): Change =>
  before === null ? 'added' : now === null ? 'removed' : 'changed'

/** The last comparison of a database with what it was about, so that the next page does not compare again. */
interface LastComparison {
  about: string
  comparison: Promise<Comparison> | null
}

const createLast = (_database: Database): LastComparison => ({ about: '', comparison: null })

const forgetLast = (database: Database): void => {
  Object.assign(database.own(createLast), createLast(database))
}

/** Names the compared records. */
const aboutOf = ({ tenantId, rowScope, generation, writes }: Workspace, { scope, until }: Origin): string =>
  [tenantId, rowScope, generation, writes, scope, until].join(' ')

/** Compares all sections, because ids of new records in other sections are volatile too. */
function compared(records: Records, workspace: Workspace, origin: Origin): Promise<Comparison> {
  const last = workspace.database.own(createLast)
  const about = aboutOf(workspace, origin)
  if (last.about !== about) {
    last.about = about
    last.comparison = compare(records, workspace, origin)
    last.comparison.catch(() => {
      last.about = ''
    })
  }
  return last.comparison ?? compare(records, workspace, origin)
}

async function compare(records: Records, workspace: Workspace, origin: Origin): Promise<Comparison> {
  const entries: Difference[] = []
  const newIds = new NewIds()
  const removed = new Map<string, Difference>()
  const slices = new Slices()
  for (const set of comparedSets(records)) {
    for await (const some of differencesOf(workspace, set, origin, slices)) {
      const rows = records.at(workspace.database, set, placesToRead(set, some))
      for (const entry of some) {
        const change = changeOf(entry)
        // Equal objects can have their properties in another order.
        if (change === 'changed' && fieldsOf(entry, rows).length === 0) continue
        if (change !== 'changed') addNewIds(entry, rows, newIds)
        if (change === 'removed' && entry.id !== null) removed.set(refOf(set, entry.id), entry)
        entries.push(entry)
      }
    }
    if (slices.isOver) await slices.turn()
  }
  return { entries, newIds, removed }
}

const refOf = (set: RecordSet, id: string): string => `${sectionOf(set)}/${id}`

function inSets(comparison: Comparison, sets: readonly RecordSet[]): Comparison {
  const wanted = new Set(sets)
  return { ...comparison, entries: comparison.entries.filter(({ set }) => wanted.has(set)) }
}

/** Returns the places of changed rows, and of rows with random values. */
const placesToRead = ({ generated }: RecordSet, some: readonly Difference[]): number[] =>
  some.flatMap(({ now, before }) =>
    generated.length > 0 || (now !== null && before !== null) ? [now ?? [], before ?? []].flat() : [],
  )

function addNewIds({ set, id, now, before }: Difference, rows: Rows, newIds: NewIds): void {
  const table = getTableName(set.table)
  if (id !== null) newIds.add(table, id)
  for (const name of set.generated) {
    const value = rows.get(now ?? before ?? 0)?.[name]
    if (typeof value === 'string') newIds.add(table, value)
  }
}

type Row = Readonly<Record<string, unknown>>
type Rows = ReadonlyMap<number, Row>

const fieldsOf = ({ now, before }: Difference, rows: Rows) =>
  changedFields(before === null ? undefined : rows.get(before), now === null ? undefined : rows.get(now))

/** Records of a page that are loaded at once. */
const RECORDS_PER_STEP = 50

async function pageOf(
  {
    context: { records },
    workspace,
    causesOf,
  }: {
    readonly context: ControlContext
    readonly workspace: Workspace
    readonly causesOf: CauseFinder
  },
  { entries, newIds, removed }: Comparison,
  offset: number,
  limit: number,
): Promise<Omit<Static<typeof Diff>, 'nextCursor'> & { readonly next: number | null }> {
  const summary = { added: 0, changed: 0, removed: 0 }
  for (const entry of entries) summary[changeOf(entry)]++
  const data: Static<typeof ChangedRecord>[] = []
  const slices = new Slices()
  const parentsOf = parentFinder(records, workspace, removed)
  let characters = 0
  let next = offset
  const end = Math.min(offset + limit, entries.length)
  while (next < end) {
    const rows = rowsOf(records, workspace, entries.slice(next, Math.min(next + RECORDS_PER_STEP, end)))
    for (const [entry, fields, row] of rows) {
      const { set } = entry
      const id = entry.id ?? keyOf(set, row)
      const change = changeOf(entry)
      const ref = refOf(set, id)
      const view = {
        section: sectionOf(set),
        id,
        change,
        fields: markVolatile(fields, set, newIds, change),
        causes: causesOf([ref, ...(change === 'removed' ? parentsOf(ref, set, row) : [])]),
      }
      characters += JSON.stringify(view).length
      if (data.length > 0 && characters > MAX_PAGE_CHARACTERS) return { summary, data, next }
      data.push(view)
      next++
    }
    if (slices.isOver) await slices.turn()
  }
  return { summary, data, next: next < entries.length ? next : null }
}

/** Returns entries with their fields and one of their rows. */
function rowsOf(
  records: Records,
  { database }: Workspace,
  entries: readonly Difference[],
): [Difference, ChangedField[], Row][] {
  const rows = new Map<RecordSet, Rows>()
  for (const { set } of entries) {
    if (rows.has(set)) continue
    const places = entries.flatMap((each) =>
      each.set === set ? [each.now ?? [], each.before ?? []].flat() : [],
    )
    rows.set(set, records.at(database, set, places))
  }
  return entries.map((entry) => {
    const own = rows.get(entry.set) ?? new Map<number, Row>()
    return [entry, fieldsOf(entry, own), own.get(entry.now ?? entry.before ?? 0) ?? {}]
  })
}

type ParentFinder = (ref: string, set: RecordSet, row: Row) => ReadonlySet<string>

/** Returns a function that names the removed records whose removal removed a row, too: its parents, and theirs. */
function parentFinder(
  records: Records,
  { database }: Workspace,
  removed: Comparison['removed'],
): ParentFinder {
  const known = new Map<string, ReadonlySet<string>>()
  const find: ParentFinder = (ref, set, row) => {
    const earlier = known.get(ref)
    if (earlier) return earlier
    const found = new Set<string>()
    // Before the parents, because a record can be its own parent.
    known.set(ref, found)
    for (const { property, to, isCascade } of foreignKeysOf(set)) {
      const parentSet = isCascade && records.sets.find(({ table }) => getTableName(table) === to)
      if (!parentSet) continue
      const parent = refOf(parentSet, String(row[property]))
      const place = removed.get(parent)?.before
      if (place === undefined || place === null) continue
      found.add(parent)
      const parentRow = records.at(database, parentSet, [place]).get(place) ?? {}
      for (const each of find(parent, parentSet, parentRow)) found.add(each)
    }
    return found
  }
  return find
}

/** Returns the key of a record without an id. */
const keyOf = ({ table }: RecordSet, row: Row): string =>
  keyNamesOf(table as SQLiteTable)
    .map((name) => String(row[name]))
    .join('/')

function asText({ summary, data, nextCursor }: Static<typeof Diff>, from: string, offset: number): string {
  const total = summary.added + summary.changed + summary.removed
  const counts = Object.entries(summary).map(([change, count]) => `${String(count)} ${change}`)
  const head = `${counted(total, 'change')} since ${from}: ${counts.join(', ')}\n`
  const rest = total - offset - data.length
  return [
    ...(offset === 0 ? [head] : []),
    ...data.map(recordText),
    ...(nextCursor === null ? [] : [`${String(rest)} more: cursor=${nextCursor}`, '']),
  ].join('\n')
}
