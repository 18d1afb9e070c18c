/** Fails "unknown_fields": it refuses a contact with a field that it does not know. */
import { correct, start } from './shared.mjs'

const FIELDS = 'id name email phone company position vertical tags custom_fields created_at updated_at'.split(
  ' ',
)

await start({
  ...correct,
  checkContact(contact) {
    const unknown = Object.keys(contact).find((name) => !FIELDS.includes(name))
    if (unknown) throw new Error(`a contact has the unknown field ${unknown}`)
  },
})
