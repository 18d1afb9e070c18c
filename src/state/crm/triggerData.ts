/**
 * What is kept of an event with each execution that it has led to. Specification part 1, "CRM records", shows
 * `trigger_data`; that long fields are cut in it is assumed: hundreds of executions would keep a large record each.
 */
import type { EventData } from '../workspace.ts'
import { cut } from './placeholders.ts'

/** Characters of a field of a record, as JSON, that are kept with an execution. */
export const LONGEST_KEPT_FIELD = 16_384

const kept = new WeakMap<EventData, Record<string, unknown>>()

/** The data with long texts cut, and without the lists and objects that are too long, in the records that it tells of. */
export function keptData(data: EventData): Record<string, unknown> {
  let made = kept.get(data)
  if (!made) kept.set(data, (made = mapped(data, (value) => keptRecord(value))))
  return made
}

function keptRecord(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return keptField(value)
  return mapped(value as EventData, keptField)
}

/** undefined for what is left out. */
function keptField(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, LONGEST_KEPT_FIELD)
  if (typeof value !== 'object' || value === null) return value
  return JSON.stringify(value).length <= LONGEST_KEPT_FIELD ? value : undefined
}

const mapped = (values: EventData, map: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const item = map(value)
      return item === undefined ? [] : [[name, item]]
    }),
  )
