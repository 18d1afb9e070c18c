/** Fails "extra_field": it refuses events with a field that it does not know. */
import { correct, start } from './shared.mjs'

const FIELDS = ['id', 'event', 'created_at', 'data']

start({
  ...correct,
  hasFields: (event) => correct.hasFields(event) && Object.keys(event).every((name) => FIELDS.includes(name)),
})
