/**
 * Maps the columns of an imported file to fields of a contact: the simulator's own names, in any case and with
 * spaces or dashes, and the names that HubSpot, Pipedrive, Google Contacts and Outlook write. Other columns become
 * custom fields. Assumed, because the specification shows no columns.
 */
import { HeaderTable, NAME_PARTS, PERSON_ALIASES } from '../../http/files/sheets/headers.ts'

export const CUSTOM = 'custom_fields'

const OWN = ['name', 'email', 'phone', 'company', 'position', 'vertical', 'tags'] as const

/** Fields that the simulator sets. An id tells which contact a row means. */
const SET_BY_SERVER = ['id', 'created_at', 'updated_at'] as const

type KnownField = (typeof OWN)[number] | (typeof NAME_PARTS)[number] | (typeof SET_BY_SERVER)[number]

export type TargetField = KnownField | typeof CUSTOM

export interface Target {
  readonly field: TargetField
  /** The name of the custom field; empty for an object of several custom fields. */
  readonly name: string
}

const headers = new HeaderTable<KnownField>([...OWN, ...NAME_PARTS, ...SET_BY_SERVER], PERSON_ALIASES, {
  position:
    'job title, organization title, organization 1 - title, person - job title, job position, cargo, puesto, ?title',
})

/** Returns the target of each column. An unknown column becomes a custom field. */
export const targetsOf = (columns: readonly string[]): Map<string, Target> =>
  new Map(
    [...headers.fieldsOf(columns)].map(([column, field]) => [
      column,
      field === null ? { field: CUSTOM, name: customName(column.trim()) } : { field, name: '' },
    ]),
  )

function customName(column: string): string {
  const custom = /^custom[\s_-]*fields(?:\.(.+))?$/i.exec(column)
  return custom ? (custom[1] ?? '').trim() : column
}

/** Returns the path of the contact field that a column fills; null for a time that the simulator sets. */
export function fieldPathOf({ field, name }: Target): string | null {
  if (field === CUSTOM) return name === '' ? CUSTOM : `${CUSTOM}.${name}`
  if ((NAME_PARTS as readonly string[]).includes(field)) return 'name'
  return field === 'created_at' || field === 'updated_at' ? null : field
}
