/**
 * Rows of an imported file as contacts. Columns are found by their names, whatever their case, spaces and dashes;
 * those that no contact has become free fields. Assumed, for the specification shows no columns.
 */
import type { Static } from '@sinclair/typebox'
import { problemsOf } from '../../http/validation.ts'
import type { Sheet, SheetRow } from '../../http/sheets/index.ts'
import type { ImportedRow, RowProblem } from '../../state/crm/imports.ts'
import { refuseField } from '../../state/refusal.ts'
import { fromWire } from './contactFields.ts'
import { ContactCreate, ContactUpdate } from './schemas/contacts.ts'

const CUSTOM = 'custom_fields'
const TEXTS = ['name', 'email', 'phone', 'company', 'position'] as const
const FIELDS: ReadonlySet<string> = new Set([...TEXTS, 'vertical', 'tags', CUSTOM])

/** Refuses a table without names or with two columns for one field. */
export function mustHaveColumns({ columns }: Sheet): void {
  if (columns === null) return
  const fields = columns.map((column) => targetOf(column).field)
  const known = fields.filter((field) => field !== CUSTOM)
  const twice = known.find((field, place) => known.indexOf(field) !== place)
  if (twice !== undefined) refuseField('file', 'duplicate', `Several columns of the file mean ${twice}.`)
  if (!fields.includes('name')) refuseField('file', 'required', 'The file has no column name.')
}

/** The rows some at a time; each is judged, as the body of POST /contacts is, when it is asked for. */
export async function* contactsOf(sheet: Sheet): AsyncGenerator<Iterable<ImportedRow>> {
  for await (const rows of sheet.batches()) yield judged(rows)
}

function* judged(rows: readonly SheetRow[]): Generator<ImportedRow> {
  for (const row of rows) yield contactOf(row)
}

function contactOf({ row, values, problem }: SheetRow): ImportedRow {
  if (problem !== undefined) return { problems: [{ row, field: null, message: problem }] }
  const contact = fieldsOf(values)
  const problems = problemsOf(ContactCreate, contact)
  if (problems.length === 0) return { row, fields: fromWire(contact as Static<typeof ContactCreate>) }
  return { problems: problems.map(({ field, message }) => ({ row, field, message })) }
}

/** What is wrong with free fields that several rows have filled, by the rules of a body that changes a contact. */
export const customFieldProblems = (customFields: object): Omit<RowProblem, 'row'>[] =>
  problemsOf(ContactUpdate, { [CUSTOM]: customFields }).map(({ field, message }) => ({ field, message }))

interface Target {
  readonly field: string
  /** The name of the free field. */
  readonly name: string
}

const targets = new Map<string, Target>()

/** Columns of files repeat from row to row; past this many, which is some files', the memory starts afresh. */
const REMEMBERED_COLUMNS = 5000

/** Which field of a contact a column means. */
function targetOf(column: string): Target {
  const known = targets.get(column)
  if (known) return known
  if (targets.size >= REMEMBERED_COLUMNS) targets.clear()
  const target = findTarget(column.trim())
  targets.set(column, target)
  return target
}

function findTarget(column: string): Target {
  const [, custom] = /^custom[\s_-]?fields\.(.+)$/i.exec(column) ?? []
  if (custom !== undefined) return { field: CUSTOM, name: custom.trim() }
  const plain = column.toLowerCase().replaceAll(/[\s_-]/g, '')
  if (plain === 'customfields') return { field: CUSTOM, name: '' }
  return FIELDS.has(plain) ? { field: plain, name: '' } : { field: CUSTOM, name: column }
}

/** The body of POST /contacts that the row stands for. */
function fieldsOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const custom: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(values)) {
    const { field, name } = targetOf(column)
    if (value === null || value === '') continue
    if (field !== CUSTOM) fields[field] = fieldValue(field, value)
    else if (name !== '') keep(custom, name, value)
    else if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [own, held] of Object.entries(value)) keep(custom, own, held)
    } else fields[CUSTOM] = value
  }
  return Object.keys(custom).length === 0 ? fields : { [CUSTOM]: custom, ...fields }
}

/** Also under names that mean something to JavaScript. */
function keep(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, enumerable: true })
  else fields[name] = value
}

function fieldValue(field: string, value: unknown): unknown {
  if (field === 'tags') return typeof value === 'string' ? tagsOf(value) : value
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

/** "vip; fleet" and "vip, fleet" are two tags each. */
const tagsOf = (text: string): string[] =>
  text
    .split(/[;,]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
