/** Fails "unknown_fields": it refuses a contact whose vertical it does not know. */
import { correct, start } from './shared.mjs'

const VERTICALS = [null, 'automotive', 'real_estate', 'education', 'services']

await start({
  ...correct,
  checkContact({ vertical }) {
    if (!VERTICALS.includes(vertical)) throw new Error(`a contact has the unknown vertical ${vertical}`)
  },
})
