/** Hints about date-times without an offset, which are local times (assumed), so that their instant depends on a setting. */
import { iso, parseInstant } from '@suite-sim/kit/time/instants'
import type { Hint } from '../../state/timeline/causes.ts'

type Schema = Readonly<Record<string, unknown>>

/** A date-time, and the time zone in which it was read if that is not the workspace's. */
interface LocalTime {
  readonly field: string
  readonly text: string
  readonly zone: string | undefined
}

/** Maximum number of hints of one call. */
const MAX_HINTS = 20

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}[\d:.]*$/

/** Returns a hint for each date-time without an offset in a value. `timezone` is that of the workspace. */
export function offsetHints(schema: unknown, value: unknown, timezone: string): Hint[] {
  const hints: Hint[] = []
  for (const { field, text, zone = timezone } of localTimes(schema as Schema | undefined, value, '')) {
    const instant = parseInstant(text, { timezone: zone })
    if (instant === null) continue
    const message = `${field} has no offset. ${text} was read as a local time in ${zone}, which is ${iso(instant)}. Send Z or an offset such as -05:00 with it.`
    hints.push({ code: 'no_offset', message })
    if (hints.length >= MAX_HINTS) break
  }
  return hints
}

function* localTimes(schema: Schema | undefined, value: unknown, field: string): Generator<LocalTime> {
  if (!schema) return
  if (typeof value === 'string') {
    const { format, 'x-zone': zone } = schema as { format?: string; 'x-zone'?: string }
    if (format === 'instant' && LOCAL_TIME.test(value)) yield { field, text: value, zone }
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield* localTimes(schema['items'] as Schema | undefined, each, `${field}.${String(index)}`)
    }
  } else if (typeof value === 'object' && value !== null) {
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
    for (const [name, each] of Object.entries(value)) {
      const child = Object.hasOwn(properties, name) ? properties[name] : undefined
      yield* localTimes(child, each, field === '' ? name : `${field}.${name}`)
    }
  }
}
