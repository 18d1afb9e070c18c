/**
 * The columns of imported and exported files of contacts. Assumed, after similar products: a file that was exported
 * can be imported again without a change.
 */
import { firstEmail, firstPhone, type CellNote } from '../../http/files/sheets/cells.ts'
import { HeaderTable, joinedName, NAME_PARTS, PERSON_ALIASES } from '../../http/files/sheets/headers.ts'
import { escapeFormula } from '@suite-sim/kit/text/escaping'
import type { Contact } from '../../state/conversations/contacts.ts'
import { countryCalled, countryName, isCountry } from '../../state/shared/countries.ts'

/** Columns that are fields of a contact. */
export const FIELDS = ['id', 'name', 'email', 'phone_number', 'identifier'] as const

/** Columns that are additional attributes, where filters look for them. */
const ADDITIONAL = ['city', 'country', 'country_code', 'company'] as const

const OWN = [...FIELDS, ...NAME_PARTS, ...ADDITIONAL] as const

type Target = (typeof OWN)[number]

const { tags: _tags, phone: phoneAliases = '', ...personAliases } = PERSON_ALIASES

const headers = new HeaderTable<Target>(OWN, personAliases, {
  phone_number: `phone, ${phoneAliases}`,
  city: 'ciudad',
  country: 'pais, país',
})

/** A column that is a custom attribute, also if its name has another meaning. */
const CUSTOM = /^custom[\s_-]*attributes\.(.+)$/is

const CUSTOM_PREFIX = 'custom_attributes.'

const attributeNamed = (column: string): string => CUSTOM.exec(column)?.[1] ?? column.trim().toLowerCase()

/** Returns the meaning of each column, null for a custom attribute. */
const targetsOf = (columns: readonly string[]): Map<string, Target | null> =>
  headers.fieldsOf(
    columns.filter((column) => !CUSTOM.test(column)),
    'import_file',
  )

/** Checks whether a file has a column by which it can name contacts. */
export const namesContacts = (columns: readonly string[]): boolean =>
  [...targetsOf(columns).values()].some((target) =>
    [...FIELDS, ...NAME_PARTS].some((field) => field === target),
  )

/** A row as fields of a contact. Texts are empty without a value. */
export interface ImportedContact {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly phoneNumber: string
  readonly identifier: string
  readonly additionalAttributes: Contact['additionalAttributes']
  readonly customAttributes: Contact['customAttributes']
  /** What the import leaves out of the row. */
  readonly notes: CellNote[]
}

/** Reads a row. Throws a refusal if several of its columns mean one field. */
export function contactOf(values: Readonly<Record<string, unknown>>): ImportedContact {
  const targets = targetsOf(Object.keys(values))
  const fields: Partial<Record<Target, string>> = {}
  const custom: [name: string, value: string][] = []
  for (const [column, value] of Object.entries(values)) {
    if (value === null) continue
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const target = targets.get(column)
    if (target) fields[target] = text
    else custom.push([attributeNamed(column), text])
  }
  const notes: CellNote[] = []
  const {
    id = '',
    name = '',
    identifier = '',
    email = '',
    phone_number: phone = '',
  } = joinedName(fields) as typeof fields
  return {
    id,
    name,
    identifier,
    email: firstEmail(email, 'email', notes),
    phoneNumber: internationalNumber(firstPhone(phone)),
    additionalAttributes: additionalAttributesOf(fields),
    customAttributes: Object.fromEntries(custom),
    notes,
  }
}

/** Returns +50760000001 for +507 6000-0001, 507 6000-0001 and 00507 6000-0001. Other texts keep what is wrong. */
const internationalNumber = (phone: string): string =>
  phone.replaceAll(/[\s().-]/g, '').replace(/^(?:00)?(?=[1-9]\d*$)/, '+')

const additionalAttributesOf = ({
  city,
  country,
  country_code: code,
  company,
}: Partial<Record<Target, string>>): Record<string, string> => ({
  ...(city && { city }),
  ...countryOf(country, code),
  ...(company && { company }),
})

/** Filters look for the code, people for the name. */
function countryOf(country = '', code = ''): Record<string, string> {
  const known = countryCalled(code) ?? countryCalled(country) ?? code
  const name = isCountry(country.toUpperCase()) ? countryName(country.toUpperCase()) : country
  return { ...(name && { country: name }), ...(known && { country_code: known }) }
}

/** The columns of an exported file, and the cells of a contact. */
export class ExportColumns {
  readonly #columns: readonly { readonly head: string; readonly valueOf: (contact: Contact) => unknown }[]

  /** Without requested columns that exist, exports all. */
  constructor(contacts: readonly Contact[], requested: readonly string[] = []) {
    const attributes = contacts.flatMap(({ customAttributes }) => Object.keys(customAttributes))
    const columns = new Map<string, (contact: Contact) => unknown>([
      ['id', ({ id }) => id],
      ['name', ({ name }) => name],
      ['email', ({ email }) => email],
      ['phone_number', ({ phoneNumber }) => phoneNumber],
      ['identifier', ({ identifier }) => identifier],
      ...ADDITIONAL.filter((name) =>
        contacts.some(({ additionalAttributes }) => additionalAttributes[name] !== undefined),
      ).map((name) => [name, ({ additionalAttributes }: Contact) => additionalAttributes[name]] as const),
      ...[...new Set(attributes)].map(
        (name) => [headOf(name), ({ customAttributes }: Contact) => customAttributes[name]] as const,
      ),
    ])
    const named = [...new Set(requested.map((name) => (columns.has(name) ? name : headOf(name))))].filter(
      (name) => columns.has(name),
    )
    this.#columns = (named.length === 0 ? [...columns.keys()] : named).flatMap((head) => {
      const valueOf = columns.get(head)
      return valueOf ? [{ head, valueOf }] : []
    })
  }

  get heads(): string[] {
    return this.#columns.map(({ head }) => escapeFormula(head))
  }

  cellsOf(contact: Contact): string[] {
    return this.#columns.map(({ valueOf }) => {
      const value = valueOf(contact)
      if (value === null || value === undefined) return ''
      return escapeFormula(typeof value === 'string' ? value : JSON.stringify(value))
    })
  }
}

/** Returns the column of a custom attribute, from which an import finds its name again. */
const headOf = (attribute: string): string =>
  attributeNamed(attribute) === attribute && targetsOf([attribute]).get(attribute) === null
    ? attribute
    : CUSTOM_PREFIX + attribute
