/** Rows of an imported file as contacts. Assumed, for the specification shows no columns. */
import type { Static } from '@sinclair/typebox'
import { joinedName, NAME_PARTS, refuseColumns } from '../../http/sheets/headers.ts'
import type { Sheet, SheetRow } from '../../http/sheets/index.ts'
import { problemsOf } from '../../http/validation.ts'
import { wordsOf } from '../../http/words.ts'
import type { DUPLICATE_STRATEGIES, ImportedRow, RowProblem } from '../../state/crm/imports.ts'
import { Refusal } from '../../state/refusal.ts'
import { fromWire } from './contactFields.ts'
import { CUSTOM, placeOf, targetsOf, type Target, type TargetField } from './contactHeaders.ts'
import { ContactCreate, ContactUpdate } from './schemas/contacts.ts'

type Strategy = (typeof DUPLICATE_STRATEGIES)[number]

/** A file of contacts: how its columns are read, and its rows. */
export class ContactSheet {
  readonly #sheet: Sheet
  readonly #targets: Map<string, Target> | null
  /** Of JSON, where each object names its own; filled while the rows are read. */
  readonly #seen = new Map<string, string | null>()
  /** Whether a row may do without a name: it changes the contact that is there. */
  readonly #changes: boolean

  /** Refuses a table without the columns that are needed, or with two for one field. */
  constructor(sheet: Sheet, duplicates: Strategy) {
    this.#sheet = sheet
    this.#changes = duplicates === 'update'
    this.#targets = sheet.columns && targetsOf(sheet.columns)
    if (this.#targets) this.#mustHaveColumns(this.#targets)
  }

  /** Which column went where, in the order of the file. */
  get columns(): { column: string; field: string | null }[] {
    const places = this.#targets
      ? [...this.#targets].map(([column, target]) => [column, placeOf(target)] as const)
      : [...this.#seen]
    return places.map(([column, field]) => ({ column, field }))
  }

  /** The rows some at a time; each is judged, as the body of POST /contacts is, when it is asked for. */
  async *rows(): AsyncGenerator<Iterable<ImportedRow>> {
    for await (const rows of this.#sheet.batches()) yield this.#judged(rows)
  }

  #mustHaveColumns(targets: ReadonlyMap<string, Target>): void {
    const fields = new Set([...targets.values()].map(({ field }) => field))
    const names = ['name', ...NAME_PARTS] as const
    if (names.some((field) => fields.has(field))) return
    if (this.#changes && (fields.has('email') || fields.has('id'))) return
    const words = this.#changes ? 'name, nor one that tells which contact a row is: email or id' : 'name'
    const needed = `name (or First Name and Last Name)${this.#changes ? ', email or id' : ''}`
    refuseColumns(words, [...targets.keys()], needed)
  }

  *#judged(rows: readonly SheetRow[]): Generator<ImportedRow> {
    for (const row of rows) yield this.#contactOf(row)
  }

  #contactOf({ row, values, problem }: SheetRow): ImportedRow {
    const failed = (problems: readonly Omit<RowProblem, 'row'>[]): ImportedRow => ({
      problems: problems.map(({ field, message }) => ({ row, field, message })),
    })
    if (problem !== undefined) return failed([{ field: null, message: problem }])
    const targets = this.#targets ?? this.#targetsOfObject(values)
    if (targets instanceof Refusal) return failed([{ field: null, message: targets.message }])
    const { id, contact } = fieldsOf(values, targets)
    const problems = problemsOf(this.#changes ? ContactUpdate : ContactCreate, contact)
    if (problems.length > 0) return failed(problems)
    return { row, id, fields: fromWire(contact as Static<typeof ContactUpdate>) }
  }

  #targetsOfObject(values: Readonly<Record<string, unknown>>): Map<string, Target> | Refusal {
    try {
      const targets = targetsOf(Object.keys(values))
      for (const [column, target] of targets) this.#seen.set(column, placeOf(target))
      return targets
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }
}

/** What is wrong with free fields that several rows have filled, by the rules of a body that changes a contact. */
export const customFieldProblems = (customFields: object): Omit<RowProblem, 'row'>[] =>
  problemsOf(ContactUpdate, { [CUSTOM]: customFields }).map(({ field, message }) => ({ field, message }))

/** The body of POST /contacts that the row stands for, and the contact that it says it is. */
function fieldsOf(
  values: Readonly<Record<string, unknown>>,
  targets: ReadonlyMap<string, Target>,
): { id: string | null; contact: Record<string, unknown> } {
  const fields: Partial<Record<TargetField, unknown>> = {}
  const custom: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(values)) {
    const target = targets.get(column)
    if (target === undefined || value === null || value === '') continue
    const { field, name } = target
    if (field !== CUSTOM) fields[field] = fieldValue(field, value)
    else if (name !== '') keep(custom, name, value)
    else if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [own, held] of Object.entries(value)) keep(custom, own, held)
    } else fields[CUSTOM] = value
  }
  const { id, created_at: _created, updated_at: _updated, ...contact } = joinedName(fields)
  return {
    id: typeof id === 'string' ? id : null,
    contact: Object.keys(custom).length === 0 ? contact : { [CUSTOM]: custom, ...contact },
  }
}

/** Also under names that mean something to JavaScript. */
function keep(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, enumerable: true })
  else fields[name] = value
}

function fieldValue(field: TargetField, value: unknown): unknown {
  if (field === 'tags') return typeof value === 'string' ? wordsOf(value) : value
  if (field === 'vertical' && typeof value === 'string') {
    return value
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
  }
  // Spreadsheets take phone numbers for numbers.
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : value
}
