/**
 * Imports contacts. Specification part 1, "CRM", shows duplicate_strategy; its details are assumed. Rows are
 * written in slices, so that other requests are served in between. A row counts only after its slice is committed,
 * so the response never reports more or less than the database has.
 */
import { isDeepStrictEqual } from 'node:util'
import { refuse, Refusal } from '../../model/refusal.ts'
import { Slices } from '../../model/slices.ts'
import { digits } from '@suite-sim/kit/text/collation'
import { emailKey } from '../../text/emailAddresses.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import {
  addContact,
  contacts,
  contactWithEmail,
  updateContact,
  type Contact,
  type ContactFields,
} from './contacts.ts'
import type { VERTICALS } from '../tables.ts'

export const DUPLICATE_STRATEGIES = ['skip', 'update', 'create'] as const

/** An error of one row, or a warning about it. */
export interface RowProblem {
  readonly row: number
  /** null for an error of the whole row. */
  readonly field: string | null
  readonly message: string
}

interface ValidRow {
  readonly row: number
  /** The id of a contact. */
  readonly id: string | null
  readonly fields: ContactFields
  /** What the import leaves out of the row. */
  readonly warnings: readonly RowProblem[]
}

/** A valid row or its errors. */
export type ImportedRow = ValidRow | { readonly problems: readonly RowProblem[] }

export interface ImportSettings {
  readonly duplicates: (typeof DUPLICATE_STRATEGIES)[number]
  /** The vertical of contacts whose row has none. */
  readonly vertical: (typeof VERTICALS)[number] | null
  /** Returns the errors of custom fields that several rows filled. */
  readonly problemsOf: (customFields: Contact['customFields']) => readonly Omit<RowProblem, 'row'>[]
}

export interface ImportResult {
  readonly id: string
  /** Rows that are not empty: the sum of the other counts. */
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
  /** At most MAX_PROBLEMS errors. */
  readonly problems: readonly RowProblem[]
  readonly truncated: boolean
  /** At most MAX_PROBLEMS warnings. */
  readonly warnings: readonly RowProblem[]
}

/** The maximum number of errors, and of warnings, in a result; more would not help the caller. */
export const MAX_PROBLEMS = 1000

type Outcome = 'created' | 'updated' | 'skipped' | 'failed'

/**
 * Imports the rows in order, in batches that are read one by one. An invalid row is reported, and the others are
 * still imported.
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
    throw running.errorFrom(error)
  }
  return { id, ...running.result }
}

class RunningImport {
  readonly #workspace: Workspace
  readonly #settings: ImportSettings
  readonly #generation: number
  /** The counts of committed rows. */
  #counts: Readonly<Record<Outcome, number>> = { created: 0, updated: 0, skipped: 0, failed: 0 }
  #problems: RowProblem[] = []
  #isTruncated = false
  #warnings: RowProblem[] = []

  constructor(workspace: Workspace, settings: ImportSettings) {
    this.#workspace = workspace
    this.#settings = settings
    this.#generation = workspace.generation
  }

  get result(): Omit<ImportResult, 'id'> {
    const { created, updated, skipped, failed } = this.#counts
    return {
      total: created + updated + skipped + failed,
      ...this.#counts,
      problems: this.#problems,
      truncated: this.#isTruncated,
      warnings: this.#warnings,
    }
  }

  /** Imports the rows in slices. */
  async take(rows: Iterable<ImportedRow>): Promise<void> {
    const remaining = rows[Symbol.iterator]()
    const slices = new Slices()
    for (let isOver = false; !isOver;) {
      // Runs due jobs before the next slice, so that no request sees them half done.
      if (this.#workspace.longWork.isRunning) await this.#workspace.runDueJobs()
      this.#mustBeSameWorkspace()
      const counts = { ...this.#counts }
      isOver = this.#workspace.write(() => this.#takeSlice(remaining, slices, counts))
      await this.#workspace.database.committed()
      this.#counts = counts
      await slices.turn()
    }
  }

  /**
   * Imports rows until the time of the slice is over. Returns true after the last row. The slice is committed as a
   * whole.
   */
  #takeSlice(remaining: Iterator<ImportedRow>, slices: Slices, counts: Record<Outcome, number>): boolean {
    do {
      const next = remaining.next()
      if (next.done) return true
      counts[this.#takeRow(next.value)]++
    } while (!slices.isOver)
    return false
  }

  #takeRow(row: ImportedRow): Outcome {
    if ('problems' in row) return this.#fail(row.problems)
    const { duplicates, vertical, problemsOf } = this.#settings
    const { fields } = row
    this.#warn(row.warnings)
    const existing = duplicates === 'create' ? undefined : this.#duplicateOf(row)
    if (existing === undefined) {
      if (fields.name === undefined) {
        return this.#fail([{ row: row.row, field: 'name', message: 'name is required' }])
      }
      addContact(this.#workspace, { ...fields, name: fields.name, vertical: fields.vertical ?? vertical })
      return 'created'
    }
    if (duplicates === 'skip') return 'skipped'
    const all = merged(existing, fields, vertical)
    const problems = problemsOf(all.customFields)
    if (problems.length > 0) return this.#fail(problems.map((problem) => ({ row: row.row, ...problem })))
    if (isDeepStrictEqual({ ...existing, ...all }, existing)) return 'skipped'
    try {
      updateContact(this.#workspace, existing, all)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.#fail([{ row: row.row, field: 'email', message: error.message }])
    }
    return 'updated'
  }

  /** Returns the contact with the id of the row, unless the row contradicts it, or else with its e-mail address. */
  #duplicateOf({ row, id, fields }: ValidRow): Contact | undefined {
    const same = id === null ? undefined : contacts.find(this.#workspace, id)
    const contradicted = same && contradictionOf(same, fields)
    if (same && contradicted === undefined) return same
    if (same) {
      const message = `id was ignored, because the contact ${same.id} has another ${String(contradicted)}`
      this.#warn([{ row, field: 'id', message }])
    }
    return fields.email ? contactWithEmail(this.#workspace, fields.email) : undefined
  }

  #warn(warnings: readonly RowProblem[]): void {
    this.#warnings.push(...warnings.slice(0, MAX_PROBLEMS - this.#warnings.length))
  }

  #fail(problems: readonly RowProblem[]): 'failed' {
    const limit = MAX_PROBLEMS - this.#problems.length
    this.#problems.push(...problems.slice(0, limit))
    this.#isTruncated ||= problems.length > limit
    return 'failed'
  }

  /** Throws if the workspace was reset or deleted, because the earlier rows are no longer in it. */
  #mustBeSameWorkspace(): void {
    if (this.#workspace.generation !== this.#generation) {
      refuse(
        'conflict',
        'The import stopped because the workspace was reset, replaced or deleted. None of its rows were kept.',
      )
    }
    if (!this.#workspace.isRegistered) throw new Error('the workspace was deleted')
  }

  /** Returns the error for the caller when the import could not continue. */
  errorFrom(error: unknown): unknown {
    if (error instanceof Refusal && error.reason === 'conflict') return error
    const { created, updated } = this.#counts
    const summary = `${String(created)} contacts created and ${String(updated)} updated`
    const refusal = new Refusal(
      'unavailable',
      `The import stopped before its end. The rows before the failure were kept: ${summary}.`,
    )
    refusal.cause = error
    return refusal
  }
}

/** Returns the field whose value shows that a row means another person than this contact; undefined without one. */
function contradictionOf(contact: Contact, { email, phone }: ContactFields): 'email' | 'phone' | undefined {
  if (email && contact.email && emailKey(email) !== emailKey(contact.email)) return 'email'
  return phone && contact.phone && digits(phone) !== digits(contact.phone) ? 'phone' : undefined
}

/** Returns the fields of the row merged into the contact. Other custom fields stay. */
const merged = (existing: Contact, fields: ContactFields, vertical: Contact['vertical']) => ({
  ...fields,
  vertical: fields.vertical ?? existing.vertical ?? vertical,
  customFields: { ...existing.customFields, ...fields.customFields },
})
