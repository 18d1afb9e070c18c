/** The fields of a contact between the wire and the state, which call them differently. */
import type { Static } from '@sinclair/typebox'
import type { ContactUpdate } from './schemas/contacts.ts'

/** The fields as the state calls them. */
export function fromWire<Fields extends Static<typeof ContactUpdate>>(
  fields: Fields,
): Omit<Fields, 'custom_fields'> & { customFields?: Record<string, unknown> } {
  const { custom_fields: customFields, ...rest } = fields
  return { ...rest, ...(customFields !== undefined && { customFields }) }
}
