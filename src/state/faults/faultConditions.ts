/** Conditions of faults on the headers, the query and the body of a call, or on the payload of a delivery. */
import { isFoundIn } from '@suite-sim/kit/text/patterns'
import type { FaultCondition, FaultSubject, TextCondition } from './faults.ts'

/** Returns the function that checks a condition. */
export function conditionCheck(condition: FaultCondition): (subject: FaultSubject) => boolean {
  const headers = Object.entries(condition.headers ?? {}).map(
    ([name, wanted]) => [name.toLowerCase(), wanted] as const,
  )
  const query = Object.entries(condition.query ?? {})
  const { body, bodyContains } = condition
  return (subject) =>
    headers.every(([name, wanted]) => hasText(ownValue(subject.headers, name), wanted)) &&
    query.every(([name, wanted]) => hasText(ownValue(subject.query, name), wanted)) &&
    (body === undefined || includes(body, subject.body)) &&
    (bodyContains === undefined || (subject.text?.includes(bodyContains) ?? false))
}

const ownValue = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Checks a header or a query parameter; one of several values is enough. null means that it must be missing. */
function hasText(sent: unknown, wanted: TextCondition): boolean {
  if (wanted === null) return sent === undefined
  if (sent === undefined) return false
  return [sent].flat().some((value) => typeof value === 'string' && isText(value, wanted))
}

function isText(text: string, wanted: Exclude<TextCondition, null>): boolean {
  if (typeof wanted === 'string') return text === wanted
  const { contains, matches } = wanted
  return (
    (contains === undefined || text.includes(contains)) && (matches === undefined || isFoundIn(matches, text))
  )
}

/**
 * True if the value has all fields of the pattern. The items of a list must be in the value's list in the same order; other
 * items may stand between them. Visits each part of the value at most once.
 */
function includes(pattern: unknown, value: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return pattern === value
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return false
    let found = 0
    for (const item of value) {
      if (found === pattern.length) break
      if (includes(pattern[found], item)) found++
    }
    return found === pattern.length
  }
  if (Array.isArray(value)) return false
  return Object.entries(pattern).every(
    ([name, wanted]) =>
      Object.hasOwn(value, name) && includes(wanted, (value as Record<string, unknown>)[name]),
  )
}
