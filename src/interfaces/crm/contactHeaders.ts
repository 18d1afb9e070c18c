/**
 * What the columns of a file of contacts mean: our own names, whatever their case, spaces and dashes, and those that
 * HubSpot, Pipedrive, Google Contacts and Outlook write. What no contact has becomes a free field. Assumed, for the
 * specification shows no columns.
 */
import { HeaderTable, NAME_PARTS, PERSON_ALIASES } from '../../http/sheets/headers.ts'

export const CUSTOM = 'custom_fields'

const OWN = ['name', 'email', 'phone', 'company', 'position', 'vertical', 'tags'] as const

/** What a contact has by itself, by which a row can tell which one it is. */
const KEPT_BY_US = ['id', 'created_at', 'updated_at'] as const

type KnownField = (typeof OWN)[number] | (typeof NAME_PARTS)[number] | (typeof KEPT_BY_US)[number]

export type TargetField = KnownField | typeof CUSTOM

export interface Target {
  readonly field: TargetField
  /** The name of the free field; empty for an object of several. */
  readonly name: string
}

const headers = new HeaderTable<KnownField>([...OWN, ...NAME_PARTS, ...KEPT_BY_US], PERSON_ALIASES, {
  company:
    'company name, organization, organisation, organization name, organization 1 - name, person - organization, organization - name, associated company, empresa',
  position:
    'job title, organization title, organization 1 - title, person - job title, job position, cargo, puesto',
})

/** What each column means; one that means no field becomes a free field. */
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

/** Where a column went: the field of the contact; null for what every contact has by itself. */
export function placeOf({ field, name }: Target): string | null {
  if (field === CUSTOM) return name === '' ? CUSTOM : `${CUSTOM}.${name}`
  if ((NAME_PARTS as readonly string[]).includes(field)) return 'name'
  return field === 'created_at' || field === 'updated_at' ? null : field
}
