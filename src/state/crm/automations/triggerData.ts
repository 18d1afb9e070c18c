/**
 * Shortens the event data that each execution stores. Specification part 1, "CRM records", shows `trigger_data`;
 * the limits are assumed, because hundreds of executions would each store a large record.
 */
import type { EventData } from '../../workspace/workspace.ts'
import { truncate } from '../../text/truncate.ts'

/** The maximum length of a stored field of a record, as JSON. */
export const LONGEST_KEPT_FIELD = 16_384

const cache = new WeakMap<EventData, Record<string, unknown>>()

/** Returns the event data with long strings truncated, and without lists and objects that are too long. */
export function shortenEventData(data: EventData): Record<string, unknown> {
  let result = cache.get(data)
  if (!result) cache.set(data, (result = mapValues(data, (value) => shortenRecord(value))))
  return result
}

function shortenRecord(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shortenField(value)
  return mapValues(value as EventData, shortenField)
}

/** Returns undefined for a field to leave out. */
function shortenField(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, LONGEST_KEPT_FIELD)
  if (typeof value !== 'object' || value === null) return value
  return JSON.stringify(value).length <= LONGEST_KEPT_FIELD ? value : undefined
}

const mapValues = (values: EventData, map: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const item = map(value)
      return item === undefined ? [] : [[name, item]]
    }),
  )
