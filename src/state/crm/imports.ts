/**
 * Contacts by the thousand. Specification part 1, "CRM": duplicate_strategy is shown, its details are assumed.
 *
 * An import is kept slice by slice, so that other requests are served meanwhile. A row counts when it is on the file
 * and not before, so the answer never tells of more than was kept, nor of less.
 */
import { isDeepStrictEqual } from 'node:util'
import { refuse, Refusal } from '../refusal.ts'
import { Slices } from '../slices.ts'
import type { Workspace } from '../workspace.ts'
import {
  addContact,
  contacts,
  contactWithEmail,
  updateContact,
  type Contact,
  type ContactFields,
} from './contacts.ts'
import type { VERTICALS } from './tables.ts'

export const DUPLICATE_STRATEGIES = ['skip', 'update', 'create'] as const

/** What is wrong with one row. */
export interface RowProblem {
  readonly row: number
  /** null for the row as a whole. */
  readonly field: string | null
  readonly message: string
}

/** A row that can be taken, or what keeps it from being taken. `id` is the contact that it says it is. */
export type ImportedRow =
  | { readonly row: number; readonly id: string | null; readonly fields: ContactFields }
  | { readonly problems: readonly RowProblem[] }

export interface ImportSettings {
  readonly duplicates: (typeof DUPLICATE_STRATEGIES)[number]
  /** For contacts that have none of their own. */
  readonly vertical: (typeof VERTICALS)[number] | null
  /** What is wrong with free fields that the rows of several have filled. */
  readonly problemsOf: (customFields: Contact['customFields']) => readonly Omit<RowProblem, 'row'>[]
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
export const MAX_PROBLEMS = 1000

type Outcome = 'created' | 'updated' | 'skipped' | 'failed'

/**
 * Takes the rows in their order. One that cannot be taken is told of, and the others are taken all the same. Rows come
 * some at a time, and are asked for when it is their turn.
 */
export async function importContacts(
  workspace: Workspace,
  batches: AsyncIterable<Iterable<ImportedRow>>,
  settings: ImportSettings,
): Promise<ImportResult> {
  const running = new RunningImport(workspace, settings)
  const id = workspace.write(() => workspace.ids.prefixed('imp_'))
  try {
    for await (const rows of batches) await running.take(rows)
  } catch (error) {
    throw running.stoppedBy(error)
  }
  return { id, ...running.result }
}

class RunningImport {
  readonly #workspace: Workspace
  readonly #settings: ImportSettings
  readonly #era: number
  /** What is on the file. */
  #counts: Readonly<Record<Outcome, number>> = { created: 0, updated: 0, skipped: 0, failed: 0 }
  #problems: RowProblem[] = []
  #isTruncated = false

  constructor(workspace: Workspace, settings: ImportSettings) {
    this.#workspace = workspace
    this.#settings = settings
    this.#era = workspace.generation
  }

  get result(): Omit<ImportResult, 'id'> {
    const { created, updated, skipped, failed } = this.#counts
    return {
      total: created + updated + skipped + failed,
      ...this.#counts,
      problems: this.#problems,
      truncated: this.#isTruncated,
    }
  }

  /** Takes the rows slice by slice. */
  async take(rows: Iterable<ImportedRow>): Promise<void> {
    const left = rows[Symbol.iterator]()
    const slices = new Slices()
    for (let isOver = false; !isOver;) {
      // What has fallen due meanwhile is done first, and seen by nobody half done.
      if (this.#workspace.isBusy) await this.#workspace.runDueJobs()
      this.#mustStillBe()
      const counts = { ...this.#counts }
      isOver = this.#workspace.write(() => this.#takeSlice(left, slices, counts))
      await this.#workspace.database.committed()
      this.#counts = counts
      await slices.turn()
    }
  }

  /** Whether there are no more rows; when not, the time of the slice is over. All rows of it are kept, or none. */
  #takeSlice(left: Iterator<ImportedRow>, slices: Slices, counts: Record<Outcome, number>): boolean {
    do {
      const next = left.next()
      if (next.done) return true
      counts[this.#takeRow(next.value)]++
    } while (!slices.isOver)
    return false
  }

  #takeRow(row: ImportedRow): Outcome {
    if ('problems' in row) return this.#fail(row.problems)
    const { duplicates, vertical, problemsOf } = this.#settings
    const { fields } = row
    const there = this.#duplicateOf(row)
    if (there === undefined || duplicates === 'create') {
      if (fields.name === undefined) {
        return this.#fail([{ row: row.row, field: 'name', message: 'name is required' }])
      }
      addContact(this.#workspace, { ...fields, name: fields.name, vertical: fields.vertical ?? vertical })
      return 'created'
    }
    if (duplicates === 'skip') return 'skipped'
    const all = merged(there, fields, vertical)
    const problems = problemsOf(all.customFields)
    if (problems.length > 0) return this.#fail(problems.map((problem) => ({ row: row.row, ...problem })))
    if (isDeepStrictEqual({ ...there, ...all }, there)) return 'skipped'
    try {
      updateContact(this.#workspace, there, all)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.#fail([{ row: row.row, field: 'email', message: error.message }])
    }
    return 'updated'
  }

  /** The contact that the row says it is, else that which has its address. */
  #duplicateOf({ id, fields }: { readonly id: string | null; readonly fields: ContactFields }) {
    const same = id === null ? undefined : contacts.find(this.#workspace, id)
    return same ?? (fields.email ? contactWithEmail(this.#workspace, fields.email) : undefined)
  }

  #fail(problems: readonly RowProblem[]): 'failed' {
    const room = MAX_PROBLEMS - this.#problems.length
    this.#problems.push(...problems.slice(0, room))
    this.#isTruncated ||= problems.length > room
    return 'failed'
  }

  /** The rest of the file must not go to where its beginning is no more. */
  #mustStillBe(): void {
    if (this.#workspace.generation !== this.#era) {
      refuse(
        'conflict',
        'The workspace was reset, replaced or removed during the import, which stopped; none of its rows are left.',
      )
    }
    const { registry, id } = this.#workspace
    if (registry.find(id) !== this.#workspace) throw new Error('the workspace is gone')
  }

  /** What the caller is told when it could not go on. */
  stoppedBy(error: unknown): unknown {
    if (error instanceof Refusal && error.reason === 'conflict') return error
    const { created, updated } = this.#counts
    const kept = `${String(created)} contacts created and ${String(updated)} updated`
    const refusal = new Refusal(
      'unavailable',
      `The import stopped before its end. Kept are the rows before the failure: ${kept}.`,
    )
    refusal.cause = error
    return refusal
  }
}

/** What a row says stands over what was there; free fields it does not name stay. */
const merged = (there: Contact, fields: ContactFields, vertical: Contact['vertical']) => ({
  ...fields,
  vertical: fields.vertical ?? there.vertical ?? vertical,
  customFields: { ...there.customFields, ...fields.customFields },
})
