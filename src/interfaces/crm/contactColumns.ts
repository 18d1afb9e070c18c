/** Reads the rows of an imported file as contacts. Assumed, because the specification shows no columns. */
import { firstEmail, firstPhone, type CellNote } from '../../http/files/sheets/cells.ts'
import { joinedName, NAME_PARTS, refuseColumns } from '../../http/files/sheets/headers.ts'
import type { Sheet, SheetRow } from '../../http/files/sheets/index.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { wordsOf } from '../../http/definition/words.ts'
import type { DUPLICATE_STRATEGIES, ImportedRow, RowProblem } from '../../state/crm/sales/imports.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { CUSTOM, fieldPathOf, targetsOf, type Target, type TargetField } from './contactHeaders.ts'
import { Contact } from './shapes/contacts.ts'

type Strategy = (typeof DUPLICATE_STRATEGIES)[number]

/** A file of contacts: its columns and its rows. */
export class ContactSheet {
  readonly #workspace: Workspace
  readonly #sheet: Sheet
  readonly #targets: Map<string, Target> | null
  /** The columns of a JSON file, where each object has its own; filled while the rows are read. */
  readonly #seenColumns = new Map<string, string | null>()
  /** True if a row can update an existing contact, and so needs no name. */
  readonly #isUpdate: boolean

  /** Throws if a table lacks a required column or has two columns for one field. */
  constructor(workspace: Workspace, sheet: Sheet, duplicates: Strategy) {
    this.#workspace = workspace
    this.#sheet = sheet
    this.#isUpdate = duplicates === 'update'
    this.#targets = sheet.columns && targetsOf(sheet.columns)
    if (this.#targets) this.#mustHaveColumns(this.#targets)
  }

  /** The field of each column, in the order of the file. */
  get columns(): { column: string; field: string | null }[] {
    const fields = this.#targets
      ? [...this.#targets].map(([column, target]) => [column, fieldPathOf(target)] as const)
      : [...this.#seenColumns]
    return fields.map(([column, field]) => ({ column, field }))
  }

  /** Yields the rows in batches. Each row is validated like the body of POST /contacts when it is read. */
  async *rows(): AsyncGenerator<Iterable<ImportedRow>> {
    for await (const rows of this.#sheet.batches()) yield this.#contactsOf(rows)
  }

  #mustHaveColumns(targets: ReadonlyMap<string, Target>): void {
    const fields = new Set([...targets.values()].map(({ field }) => field))
    const names = ['name', ...NAME_PARTS] as const
    if (names.some((field) => fields.has(field))) return
    if (this.#isUpdate && (fields.has('email') || fields.has('id'))) return
    const words = this.#isUpdate ? 'name, email or id' : 'name'
    const needed = `name (or First Name and Last Name)${this.#isUpdate ? ', email or id' : ''}`
    refuseColumns(words, [...targets.keys()], needed)
  }

  *#contactsOf(rows: readonly SheetRow[]): Generator<ImportedRow> {
    for (const row of rows) yield this.#contactOf(row)
  }

  #contactOf({ row, values, problem }: SheetRow): ImportedRow {
    const failed = (problems: readonly Omit<RowProblem, 'row'>[]): ImportedRow => ({
      problems: problems.map(({ field, message }) => ({ row, field, message })),
    })
    if (problem !== undefined) return failed([{ field: null, message: problem }])
    const targets = this.#targets ?? this.#targetsOfObject(values)
    if (targets instanceof Refusal) return failed([{ field: null, message: targets.message }])
    const { id, contact, notes } = fieldsOf(values, targets)
    const problems = problemsOf(this.#isUpdate ? Contact.update : Contact.create, contact)
    if (problems.length > 0) return failed(problems)
    const warnings = notes.map((note) => ({ row, ...note }))
    return { row, id, fields: Contact.parse(this.#workspace, contact), warnings }
  }

  #targetsOfObject(values: Readonly<Record<string, unknown>>): Map<string, Target> | Refusal {
    try {
      const targets = targetsOf(Object.keys(values))
      for (const [column, target] of targets) this.#seenColumns.set(column, fieldPathOf(target))
      return targets
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }
}

/** Returns the problems of custom fields that several rows filled, by the rules for updating a contact. */
export const customFieldProblems = (customFields: object): Omit<RowProblem, 'row'>[] =>
  problemsOf(Contact.update, { [CUSTOM]: customFields }).map(({ field, message }) => ({ field, message }))

/** Returns the row as a body of POST /contacts, and the id of the contact that it names. */
function fieldsOf(
  values: Readonly<Record<string, unknown>>,
  targets: ReadonlyMap<string, Target>,
): { id: string | null; contact: Record<string, unknown>; notes: readonly CellNote[] } {
  const fields: Partial<Record<TargetField, unknown>> = {}
  const custom: Record<string, unknown> = {}
  const notes: CellNote[] = []
  for (const [column, value] of Object.entries(values)) {
    const target = targets.get(column)
    if (target === undefined || value === null || value === '') continue
    const { field, name } = target
    if (field !== CUSTOM) {
      const read = fieldValue(field, value, notes)
      if (read !== '') fields[field] = read
    } else if (name !== '') setField(custom, name, value)
    else if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [key, item] of Object.entries(value)) setField(custom, key, item)
    } else fields[CUSTOM] = value
  }
  const { id, created_at: _created, updated_at: _updated, ...contact } = joinedName(fields)
  return {
    id: typeof id === 'string' ? id : null,
    contact: Object.keys(custom).length === 0 ? contact : { [CUSTOM]: custom, ...contact },
    notes,
  }
}

/** Sets a field, also one named __proto__, which an assignment would lose. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, enumerable: true })
  else fields[name] = value
}

function fieldValue(field: TargetField, value: unknown, notes: CellNote[]): unknown {
  if (field === 'email' && typeof value === 'string') return firstEmail(value, field, notes)
  if (field === 'phone' && typeof value === 'string') return firstPhone(value)
  if (field === 'tags') return typeof value === 'string' ? wordsOf(value) : value
  if (field === 'vertical' && typeof value === 'string') {
    return value
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
  }
  // Spreadsheets store phone numbers as numbers.
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : value
}
