/**
 * Rows of an imported file as candidates. Columns are found by their names, whatever their case, spaces and dashes; those
 * that no candidate has are passed over. Assumed, for the specification shows no columns.
 */
import type { Static } from '@sinclair/typebox'
import type { Sheet, SheetRow } from '../../http/sheets/index.ts'
import { problemsOf } from '../../http/validation.ts'
import { countryCalled } from '../../state/countries.ts'
import { MOST_IMPORTED } from '../../state/recruiting/imports.ts'
import type { ImportedFields, ImportedRow } from '../../state/recruiting/tables.ts'
import { refuseField } from '../../state/refusal.ts'
import { Slices } from '../../state/slices.ts'
import { ImportedCandidate } from './schemas/imports.ts'

type Fields = Static<typeof ImportedCandidate>

const FIELDS: ReadonlyMap<string, keyof Fields> = new Map(
  (Object.keys(ImportedCandidate.properties) as (keyof Fields)[]).map((field) => [plain(field), field]),
)

/** "Experience years", "experience-years" and "experience_years" are one name. */
function plain(column: string): string {
  return column.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** Refuses a table without the columns that every candidate needs, or with two columns for one field. */
export function mustHaveColumns({ columns }: Sheet): void {
  if (columns === null) return
  const fields = columns.flatMap((column) => FIELDS.get(plain(column)) ?? [])
  const twice = fields.find((field, place) => fields.indexOf(field) !== place)
  if (twice !== undefined) refuseField('file', 'duplicate', `Several columns of the file mean ${twice}.`)
  for (const needed of ['name', 'email'] as const) {
    if (!fields.includes(needed)) refuseField('file', 'required', `The file has no column ${needed}.`)
  }
}

/** The rows, each judged. */
export async function candidatesOf(sheet: Sheet): Promise<ImportedRow[]> {
  if (sheet.count > MOST_IMPORTED) {
    refuseField('file', 'too_many', `The file must have at most ${String(MOST_IMPORTED)} rows.`)
  }
  const judged: ImportedRow[] = []
  const slices = new Slices()
  for await (const rows of sheet.batches()) {
    for (const row of rows) {
      judged.push(candidateOf(row))
      if (slices.isOver) await slices.turn()
    }
  }
  return judged
}

function candidateOf({ row, values, problem }: SheetRow): ImportedRow {
  if (problem !== undefined) return { row, problems: [{ row, field: null, message: problem }] }
  const fields = fieldsOf(values)
  const problems = problemsOf(ImportedCandidate, fields)
  if (problems.length === 0) return { row, fields: inFull(fields as Fields) }
  return { row, problems: problems.map(({ field, message }) => ({ row, field, message })) }
}

const inFull = (fields: Fields): ImportedFields => ({
  name: fields.name,
  email: fields.email,
  phone: fields.phone ?? null,
  country: fields.country ?? null,
  city: fields.city ?? null,
  experienceYears: fields.experience_years ?? null,
  skills: fields.skills ?? [],
  availability: fields.availability ?? null,
  summary: fields.summary ?? null,
  linkedinUrl: fields.linkedin_url ?? null,
  portfolioUrl: fields.portfolio_url ?? null,
  source: fields.source ?? null,
  tags: fields.tags ?? [],
})

function fieldsOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(values)) {
    const field = FIELDS.get(plain(column))
    if (field === undefined || value === null || value === '') continue
    fields[field] = fieldValue(field, value)
  }
  return fields
}

function fieldValue(field: keyof Fields, value: unknown): unknown {
  // Spreadsheets take phone numbers for numbers, and texts hold years as digits.
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : null
  if (text === null) return value
  switch (field) {
    case 'skills':
    case 'tags':
      return wordsOf(text)
    case 'experience_years':
      return /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : text
    case 'country':
      return countryCalled(text) ?? text
    case 'availability':
      return text.toLowerCase().replaceAll(/[\s-]/g, '_')
    default:
      return text
  }
}

/** "sewing; leather" and "sewing, leather" are two words each. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/[;,]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
