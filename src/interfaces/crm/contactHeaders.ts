/**
 * What the columns of a file of contacts mean: our own names, whatever their case, spaces and dashes, and those that
 * HubSpot, Pipedrive, Google Contacts and Outlook write. What no contact has becomes a free field. Assumed, for the
 * specification shows no columns.
 */
import { refuseField } from '../../state/refusal.ts'

export const CUSTOM = 'custom_fields'

/** Parts of a name, in their order. */
export const NAME_PARTS = ['first_name', 'middle_name', 'last_name'] as const

const OWN = ['name', 'email', 'phone', 'company', 'position', 'vertical', 'tags'] as const

/** What a contact has by itself, by which a row can tell which one it is. */
const KEPT_BY_US = ['id', 'created_at', 'updated_at'] as const

export type TargetField =
  (typeof OWN)[number] | (typeof NAME_PARTS)[number] | (typeof KEPT_BY_US)[number] | typeof CUSTOM

export interface Target {
  readonly field: TargetField
  /** The name of the free field. */
  readonly name: string
}

/** Letters and digits alone, without case: "E-mail 1 - Value" is email1value. */
const plain = (column: string): string => column.toLowerCase().replaceAll(/[\s_.-]/g, '')

const ALIASES: Readonly<Partial<Record<TargetField, string>>> = {
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
  position:
    'job title, organization title, organization 1 - title, person - job title, job position, cargo, puesto',
  tags: 'tag, labels, label, person - labels, person - label, categories, group membership, etiquetas',
}

const OWN_FIELDS: readonly TargetField[] = [...OWN, ...NAME_PARTS, ...KEPT_BY_US, CUSTOM]

const OWN_NAMES: ReadonlyMap<string, TargetField> = new Map(
  OWN_FIELDS.map((field) => [plain(field), field] as const),
)

const OTHER_NAMES: ReadonlyMap<string, TargetField> = new Map(
  Object.entries(ALIASES).flatMap(([field, names]) =>
    names.split(', ').map((name) => [plain(name), field as TargetField] as const),
  ),
)

interface Meaning extends Target {
  /** Whether it is our own name for the field. */
  readonly isOwn: boolean
}

const meanings = new Map<string, Meaning>()

/** Columns of files repeat from row to row; past this many, which is some files', the memory starts afresh. */
const REMEMBERED_COLUMNS = 5000

function meaningOf(column: string): Meaning {
  const known = meanings.get(column)
  if (known) return known
  if (meanings.size >= REMEMBERED_COLUMNS) meanings.clear()
  const meaning = findMeaning(column.trim())
  meanings.set(column, meaning)
  return meaning
}

function findMeaning(column: string): Meaning {
  const [, custom] = /^custom[\s_-]?fields\.(.+)$/i.exec(column) ?? []
  if (custom !== undefined) return { field: CUSTOM, name: custom.trim(), isOwn: true }
  const own = OWN_NAMES.get(plain(column))
  if (own !== undefined) return { field: own, name: '', isOwn: true }
  const other = OTHER_NAMES.get(plain(column))
  return other === undefined
    ? { field: CUSTOM, name: column, isOwn: true }
    : { field: other, name: '', isOwn: false }
}

/**
 * What each column means. Of several that others use for one field the first is taken, unless our own name is there; the
 * rest become free fields. Two that are our own name are refused.
 */
export function targetsOf(columns: readonly string[]): Map<string, Target> {
  const all = columns.map((column) => [column, meaningOf(column)] as const)
  const taken = new Map<TargetField, string>()
  for (const isOwn of [true, false]) {
    for (const [column, meaning] of all) {
      const { field } = meaning
      if (meaning.isOwn !== isOwn || field === CUSTOM) continue
      if (!taken.has(field)) taken.set(field, column)
      else if (isOwn) refuseField('file', 'duplicate', `Several columns of the file mean ${field}.`)
    }
  }
  return new Map(
    all.map(([column, { field, name }]) =>
      field === CUSTOM || taken.get(field) === column
        ? [column, { field, name }]
        : [column, { field: CUSTOM, name: column.trim() }],
    ),
  )
}

/** Where a column went: the field of the contact; null for what every contact has by itself. */
export function placeOf({ field, name }: Target): string | null {
  if (field === CUSTOM) return name === '' ? CUSTOM : `${CUSTOM}.${name}`
  if ((NAME_PARTS as readonly string[]).includes(field)) return 'name'
  return field === 'created_at' || field === 'updated_at' ? null : field
}
