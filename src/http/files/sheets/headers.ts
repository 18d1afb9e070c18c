/**
 * Maps the columns of an uploaded list of people to fields. It ignores case, spaces and punctuation, and
 * knows the headers of other programs. Assumed, because the specification shows no columns.
 */
import { refuseField } from '../../../state/model/refusal.ts'

/** The parts of a name, in order. */
export const NAME_PARTS = ['first_name', 'middle_name', 'last_name'] as const

export type NamePart = (typeof NAME_PARTS)[number]

/** Headers of a field, separated by commas. One with a question mark counts only if no other column means the field. */
export type Aliases<Field extends string> = Readonly<Partial<Record<Field, string>>>

/**
 * Headers of the common fields of a person in HubSpot, Pipedrive, Google Contacts, Outlook and applicant
 * tracking systems.
 */
export const PERSON_ALIASES: Aliases<'name' | NamePart | 'email' | 'phone' | 'company' | 'tags'> = {
  name: 'full name, fullname, contact name, display name, person - name, contact - name, nombre completo',
  first_name: 'first name, given name, person - first name, nombre, nombres',
  middle_name: 'middle name, additional name',
  last_name: 'last name, family name, surname, person - last name, apellido, apellidos',
  email:
    'email address, e-mail address, primary email, work email, e-mail 1 - value, email 1, e-mail 1, person - email, person - email - work, correo, correo electronico, correo electrónico',
  phone:
    'phone number, mobile phone, mobile phone number, mobile, business phone, work phone, primary phone, telephone, telephone number, phone 1 - value, person - phone, person - phone - work, person - phone - mobile, telefono, teléfono',
  company:
    'company name, organization, organisation, organization name, organization 1 - name, person - organization, organization - name, associated company, empresa',
  tags: 'tag, labels, label, person - labels, person - label, categories, group membership, etiquetas',
}

/**
 * Normalizes a header to letters and digits: "E-mail 1 - Value" becomes email1value, "Email(s)*" becomes
 * emails.
 */
const plain = (column: string): string => column.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')

interface Meaning<Field> {
  /** null for an unknown column. */
  readonly field: Field | null
  readonly rank: Rank
}

/** Columns of a lower rank win: the field's own name, its other names, and those that often mean something else. */
const RANKS = [0, 1, 2] as const

type Rank = (typeof RANKS)[number]

/** Maximum number of cached columns; then the cache is cleared. */
const MAX_CACHED = 5000

/** The fields of one kind of record, and their headers. */
export class HeaderTable<Field extends string> {
  readonly #own: ReadonlyMap<string, Field>
  readonly #others: ReadonlyMap<string, Meaning<Field>>
  readonly #cache = new Map<string, Meaning<Field>>()

  constructor(fields: readonly Field[], ...aliases: readonly Aliases<Field>[]) {
    this.#own = new Map(fields.map((field) => [plain(field), field] as const))
    this.#others = new Map(
      aliases.flatMap((each) =>
        Object.entries<string | undefined>(each).flatMap(([field, names = '']) =>
          names
            .split(', ')
            .map(
              (name) => [plain(name), { field: field as Field, rank: name.startsWith('?') ? 2 : 1 }] as const,
            ),
        ),
      ),
    )
  }

  /**
   * Returns the field of each column, null for an unknown one. Of several columns for one field, the first of
   * the lowest rank wins. Two columns with the field's own name are refused, as the form's field `part`.
   */
  fieldsOf(columns: readonly string[], part = 'file'): Map<string, Field | null> {
    const all = columns.map((column) => [column, this.#meaningOf(column)] as const)
    const taken = new Map<Field, string>()
    for (const rank of RANKS) {
      for (const [column, meaning] of all) {
        if (meaning.rank !== rank || meaning.field === null) continue
        if (!taken.has(meaning.field)) taken.set(meaning.field, column)
        else if (rank === 0) {
          refuseField(part, 'duplicate', `Several columns of the file mean ${meaning.field}.`)
        }
      }
    }
    return new Map(
      all.map(([column, { field }]) => [
        column,
        field !== null && taken.get(field) === column ? field : null,
      ]),
    )
  }

  #meaningOf(column: string): Meaning<Field> {
    const cached = this.#cache.get(column)
    if (cached) return cached
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear()
    const name = plain(column)
    const own = this.#own.get(name)
    const meaning: Meaning<Field> =
      own === undefined ? (this.#others.get(name) ?? { field: null, rank: 1 }) : { field: own, rank: 0 }
    this.#cache.set(column, meaning)
    return meaning
  }
}

type Values = Readonly<Record<string, unknown>>

/** Joins the parts of a name into `name`, unless the fields already have it. */
export function joinedName(fields: Values): Values {
  const { first_name: first, middle_name: middle, last_name: last, ...rest } = fields
  const parts = [first, middle, last].filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? rest : { name: parts.join(' '), ...rest }
}

/** Maximum number of column names in a refusal, and characters of each. */
const MAX_LISTED = 20
const LONGEST_LISTED = 40

/** Refuses a file because of a missing column, and lists the columns that it has and those that it needs. */
export function refuseColumns(missing: string, columns: readonly string[], needed: string): never {
  const names = columns
    .slice(0, MAX_LISTED)
    .map((name) => (name.length > LONGEST_LISTED ? `${name.slice(0, LONGEST_LISTED)}…` : name))
  const others = columns.length - names.length
  const found = `${names.join(', ') || 'none'}${others > 0 ? ` and ${String(others)} more` : ''}`
  return refuseField(
    'file',
    'required',
    `The file has no column ${missing}. Columns found: ${found}. Columns needed: ${needed}.`,
  )
}
