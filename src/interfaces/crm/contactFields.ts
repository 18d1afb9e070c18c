/** Maps the fields of a contact from their wire names to their names in the state. */
import type { Static } from '@sinclair/typebox'
import type { ContactUpdate } from './schemas/contacts.ts'

/** Returns the fields under their names in the state. */
export function fromWire<Fields extends Static<typeof ContactUpdate>>(
  fields: Fields,
): Omit<Fields, 'custom_fields'> & { customFields?: Record<string, unknown> } {
  const { custom_fields: customFields, ...rest } = fields
  return { ...rest, ...(customFields !== undefined && { customFields }) }
}
