/**
 * Contacts by the thousand. Specification part 1, "CRM": duplicate_strategy is shown, its details are assumed.
 *
 * An import is kept slice by slice, so that other requests are served meanwhile. A row counts when it is on the file
 * and not before, so the answer never tells of more than was kept, nor of less.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse, Refusal } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { addContact, contactWithEmail, updateContact, type Contact, type NewContact } from './contacts.ts'
import type { VERTICALS } from './tables.ts'

export const DUPLICATE_STRATEGIES = ['skip', 'update', 'create'] as const

/** What is wrong with one row. */
export interface RowProblem {
  readonly row: number
  /** null for the row as a whole. */
  readonly field: string | null
  readonly message: string
}

/** A row that can be taken, or what keeps it from being taken. */
export type ImportedRow =
  { readonly row: number; readonly fields: NewContact } | { readonly problems: readonly RowProblem[] }

export interface ImportSettings {
  readonly duplicates: (typeof DUPLICATE_STRATEGIES)[number]
  /** For contacts that have none of their own. */
  readonly vertical: (typeof VERTICALS)[number] | null
}

export interface ImportResult {
  readonly id: string
  /** Rows that hold anything; each is among exactly one of the other counts. */
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
  /** The first MOST_PROBLEMS of them. */
  readonly problems: readonly RowProblem[]
  readonly truncated: boolean
}

/** Problems that are told; the rest of a hopeless file is of no use to anybody. */
export const MOST_PROBLEMS = 1000

/** Rows that are taken before other requests get their turn: some ten milliseconds. */
const SLICE = 200

type Outcome = 'created' | 'updated' | 'skipped' | 'failed'

/** Takes the rows in their order. One that cannot be taken is told of, and the others are taken all the same. */
export async function importContacts(
  workspace: Workspace,
  rows: Iterable<ImportedRow>,
  settings: ImportSettings,
): Promise<ImportResult> {
  const counts: Record<Outcome, number> = { created: 0, updated: 0, skipped: 0, failed: 0 }
  const problems: RowProblem[] = []
  const { era } = workspace
  const id = workspace.write(() => workspace.ids.prefixed('imp_'))
  for (const slice of slicesOf(rows)) {
    mustStillBe(workspace, era)
    const outcomes = await takeSlice(workspace, slice, settings, counts)
    for (const outcome of outcomes) counts[outcome]++
    problems.push(...slice.flatMap((row) => ('problems' in row ? row.problems : [])))
  }
  const { created, updated, skipped, failed } = counts
  return {
    id,
    total: created + updated + skipped + failed,
    ...counts,
    problems: problems.slice(0, MOST_PROBLEMS),
    truncated: problems.length > MOST_PROBLEMS,
  }
}

/** The rest of the file must not go to where its beginning is no more. */
function mustStillBe(workspace: Workspace, era: number): void {
  if (workspace.era === era) return
  refuse(
    'conflict',
    'The workspace was reset, replaced or removed during the import, which stopped; none of its rows are left.',
  )
}

function* slicesOf<Item>(items: Iterable<Item>): Generator<Item[]> {
  let slice: Item[] = []
  for (const item of items) {
    slice.push(item)
    if (slice.length < SLICE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** All rows of a slice or none; resolves when they are on the file. */
async function takeSlice(
  workspace: Workspace,
  slice: readonly ImportedRow[],
  settings: ImportSettings,
  before: Readonly<Record<Outcome, number>>,
): Promise<Outcome[]> {
  try {
    if (workspace.registry.byNumber(workspace.number) !== workspace) throw new Error('the workspace is gone')
    const outcomes = workspace.write(() => slice.map((row) => takeRow(workspace, row, settings)))
    await workspace.database.committed()
    await nextTurn()
    return outcomes
  } catch (error) {
    const kept = `${String(before.created)} contacts created and ${String(before.updated)} updated`
    const refusal = new Refusal(
      'unavailable',
      `The import stopped before its end. Kept are the rows before the failure: ${kept}.`,
    )
    refusal.cause = error
    throw refusal
  }
}

function takeRow(workspace: Workspace, row: ImportedRow, { duplicates, vertical }: ImportSettings): Outcome {
  if ('problems' in row) return 'failed'
  const { fields } = row
  const there = fields.email ? contactWithEmail(workspace, fields.email) : undefined
  if (there === undefined || duplicates === 'create') {
    addContact(workspace, { ...fields, vertical: fields.vertical ?? vertical })
    return 'created'
  }
  if (duplicates === 'skip') return 'skipped'
  updateContact(workspace, there, merged(there, fields, vertical))
  return 'updated'
}

/** What a row says stands over what was there; free fields it does not name stay. */
const merged = (there: Contact, fields: NewContact, vertical: Contact['vertical']): NewContact => ({
  ...fields,
  vertical: fields.vertical ?? there.vertical ?? vertical,
  customFields: { ...there.customFields, ...fields.customFields },
})
