/**
 * Converts rows of an imported file to candidates. Columns match field names, without case, spaces and punctuation, and
 * the headers of applicant tracking systems. Assumed, because the specification shows no columns.
 */
import type { Static } from '@sinclair/typebox'
import { firstEmail, firstPhone, type CellNote } from '../../http/files/sheets/cells.ts'
import {
  HeaderTable,
  joinedName,
  NAME_PARTS,
  PERSON_ALIASES,
  refuseColumns,
} from '../../http/files/sheets/headers.ts'
import type { Sheet, SheetRow } from '../../http/files/sheets/index.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { wordsOf } from '../../http/definition/words.ts'
import { countryCalled } from '../../state/shared/countries.ts'
import { MAX_IMPORT_ROWS } from '../../state/recruiting/imports.ts'
import type { ImportedColumn, ImportedFields, ImportedRow } from '../../state/recruiting/jsonColumns.ts'
import { refuseField, Refusal } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import { ImportedCandidate } from './shapes/importForm.ts'

type Fields = Static<typeof ImportedCandidate>

/** The meaning of a column: a field of the candidate, a part of the name, or city and country together. */
type Target = keyof Fields | (typeof NAME_PARTS)[number] | 'location'

const headers = new HeaderTable<Target>(
  [...(Object.keys(ImportedCandidate.properties) as (keyof Fields)[]), ...NAME_PARTS, 'location'],
  PERSON_ALIASES,
  {
    name: 'candidate, candidate name, candidate full name, applicant, applicant name',
    first_name: 'candidate first name, applicant first name',
    last_name: 'candidate last name, applicant last name',
    email:
      'candidate email, candidate email address, applicant email, emails, email addresses, personal email, email(s)',
    phone:
      'candidate phone, candidate phone number, applicant phone, phones, phone numbers, cell phone, phone(s)',
    location: 'candidate location, current location, ubicacion, ubicación',
    country: 'country code, candidate country, pais, país',
    city: 'candidate city, current city, ciudad',
    experience_years:
      '?experience, ?experiencia, years of experience, years experience, total years of experience, total experience, años de experiencia',
    skills: 'skill, skill set, key skills, candidate skills, habilidades',
    summary: 'profile summary, candidate summary, about, bio, pitch, headline, resumen',
    linkedin_url:
      'linkedin, linkedin profile, linkedin profile url, linkedin link, linkedin public profile, public profile url, profile url, url',
    portfolio_url: 'portfolio, portfolio link, website, websites, website url, personal website',
    source: 'candidate source, sources, origin, application source, referring site, fuente',
    tags: 'candidate tags, tag(s), tag names',
  },
)

/** A field of this interface's responses. Its URL is not a LinkedIn profile, so the column is ignored. */
const OWN_PROFILE = 'profile_url'

type Targets = ReadonlyMap<string, Target | null>

function targetsOf(columns: readonly string[]): Targets {
  const targets = headers.fieldsOf(columns.filter((column) => column !== OWN_PROFILE))
  return new Map(columns.map((column) => [column, targets.get(column) ?? null]))
}

const isNamePart = (target: Target): boolean => (NAME_PARTS as readonly Target[]).includes(target)

/** Returns the candidate field of a column. */
const fieldOf = (target: Target | null): string | null =>
  target !== null && isNamePart(target) ? 'name' : target

/** The maximum length of a stored column name. */
const LONGEST_COLUMN = 200

/** A file of candidates with its rows and the meaning of its columns. */
export class CandidateSheet {
  readonly #sheet: Sheet
  readonly #targets: Targets | null
  /** For JSON, whose objects name their own columns. Filled while the rows are read. */
  readonly #columnsOfObjects = new Map<string, Target | null>()

  /** Refuses a table without the required columns, or with two columns for one field. */
  constructor(sheet: Sheet) {
    if (sheet.count > MAX_IMPORT_ROWS) {
      refuseField('file', 'too_many', `The file must have at most ${String(MAX_IMPORT_ROWS)} rows.`)
    }
    this.#sheet = sheet
    this.#targets = sheet.columns && targetsOf(sheet.columns)
    if (this.#targets) mustHaveColumns(this.#targets)
  }

  /** The columns and their fields, in the order of the file. For JSON, complete after its rows are read. */
  get columns(): ImportedColumn[] {
    return [...(this.#targets ?? this.#columnsOfObjects)].map(([column, target]) => ({
      column: column.slice(0, LONGEST_COLUMN),
      field: fieldOf(target),
    }))
  }

  /** Reads and validates the rows. */
  async rows(): Promise<ImportedRow[]> {
    const results: ImportedRow[] = []
    const slices = new Slices()
    for await (const rows of this.#sheet.batches()) {
      for (const row of rows) {
        results.push(this.#candidateOf(row))
        if (slices.isOver) await slices.turn()
      }
    }
    return results
  }

  #candidateOf({ row, values, problem }: SheetRow): ImportedRow {
    const failed = (field: string | null, message: string) => ({ row, field, message })
    if (problem !== undefined) return { row, problems: [failed(null, problem)] }
    const targets = this.#targets ?? this.#targetsOfObject(values)
    if (targets instanceof Refusal) return { row, problems: [failed(null, targets.message)] }
    const notes: CellNote[] = []
    const fields = fieldsOf(values, targets, notes)
    const problems = problemsOf(ImportedCandidate, fields)
    if (problems.length === 0) {
      const warnings = notes.map((note) => ({ row, ...note, isWarning: true }))
      return { row, fields: importedFields(fields as Fields), ...(warnings.length > 0 && { warnings }) }
    }
    return { row, problems: problems.map(({ field, message }) => failed(field, message)) }
  }

  #targetsOfObject(values: Readonly<Record<string, unknown>>): Targets | Refusal {
    try {
      const targets = targetsOf(Object.keys(values))
      for (const [column, target] of targets) this.#columnsOfObjects.set(column, target)
      return targets
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }
}

const REQUIRED = 'name (or First Name and Last Name) and email'

function mustHaveColumns(targets: Targets): void {
  const fields = new Set([...targets.values()].map(fieldOf))
  for (const required of ['name', 'email'] as const) {
    if (!fields.has(required)) refuseColumns(required, [...targets.keys()], REQUIRED)
  }
}

const importedFields = (fields: Fields): ImportedFields => ({
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

function fieldsOf(
  values: Readonly<Record<string, unknown>>,
  targets: Targets,
  notes: CellNote[],
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(values)) {
    const target = targets.get(column) ?? null
    if (target === null || value === null || value === '') continue
    const read = fieldValue(target, value, notes)
    if (read !== '') fields[target] = read
  }
  const { location, ...others } = joinedName(fields)
  return { ...splitLocation(location), ...others }
}

/** Splits "Panama City, Panama" into city and country. A string that does not end with a country is a city. */
function splitLocation(location: unknown): { readonly country?: unknown; readonly city?: unknown } {
  if (typeof location === 'object' && location !== null) {
    // The form of candidates on the wire.
    const { country, city } = location as { readonly country?: unknown; readonly city?: unknown }
    return {
      ...(country !== null && country !== undefined && { country: fieldValue('country', country, []) }),
      ...(city !== null && city !== undefined && { city }),
    }
  }
  if (typeof location !== 'string' || location === '') return {}
  const at = location.lastIndexOf(',')
  const country = countryCalled(location.slice(at + 1).trim())
  if (country === undefined) return { city: location }
  const city = location.slice(0, Math.max(at, 0)).trim()
  return { country, ...(city !== '' && { city }) }
}

function fieldValue(target: Target, value: unknown, notes: CellNote[]): unknown {
  // Spreadsheets store phone numbers as numbers, and text files store years as digits.
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : null
  if (text === null) return value
  switch (target) {
    case 'skills':
    case 'tags':
      return wordsOf(text)
    case 'experience_years':
      return yearsOf(text) ?? text
    case 'country':
      return countryCalled(text) ?? text
    case 'availability':
      return text.toLowerCase().replaceAll(/[\s-]/g, '_')
    case 'email':
      return firstEmail(text, target, notes)
    case 'phone':
      return firstPhone(text)
    case 'linkedin_url':
    case 'portfolio_url':
      return /^(?:[\w-]+\.)+[a-z]{2,}(?:\/|$)/i.test(text) ? `https://${text}` : text
    default:
      return text
  }
}

/** Returns 4 for "4", "4+" and "4 years". */
function yearsOf(text: string): number | undefined {
  const [, years] = /^(\d{1,3}(?:\.\d{1,3})?)\+?(?: *(?:years?|yrs?|a\u00f1os?))?$/i.exec(text) ?? []
  return years === undefined ? undefined : Number(years)
}
