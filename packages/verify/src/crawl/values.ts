/** Values for the parameters of queries. */
import { systemNow } from '@suite-sim/kit/time/machineClock'
import type { Operation, Parameter } from '../model/operation.ts'
import { idFor, knownValue, type KnownValues } from './addresses.ts'
import type { Answers } from './answers.ts'
import { textOf, wordIn } from './rowValues.ts'

const DAY_MS = 86_400_000

/**
 * Returns values for the required parameters of a query: those of the user, a year for a time span, the first value of a
 * closed list, or one that a list shows; null if one has no value.
 */
export function requiredQuery(
  operation: Operation,
  answers: Answers,
  known: KnownValues,
): Record<string, string> | null {
  const query: Record<string, string> = {}
  for (const parameter of operation.inQuery) {
    const value =
      knownValue(operation, parameter.name, known) ??
      (parameter.isRequired ? (valueOf(parameter) ?? shownValue(operation, parameter, answers)) : undefined)
    if (value !== undefined) query[parameter.name] = value
    else if (parameter.isRequired) return null
  }
  return query
}

/** Returns a word or an id that a list of the interface shows. */
function shownValue(operation: Operation, { name }: Parameter, answers: Answers): string | undefined {
  if (!SEARCHES.test(name)) return idFor(operation, name, answers)
  const parent = operation.path.replace(/\/search$/, '')
  const list = answers.operations.find(
    (each) => each.interface === operation.interface && each.path === parent && answers.listOf(each),
  )
  return list && wordIn(answers.rowsOf(list).map(({ row }) => row))
}

/** Names of parameters that search texts. */
export const SEARCHES = /^(?:search|q)$/

function valueOf({ name, schema }: Parameter): string | undefined {
  if (/^(?:from|.*_from|since)$/.test(name)) return dayBefore(365)
  if (/^(?:to|.*_to|until|date)$/.test(name)) return dayBefore(0)
  const values = schema['enum'] as readonly unknown[] | undefined
  const value = schema['default'] ?? values?.[0]
  return value === undefined ? undefined : textOf(value)
}

/** Returns the date some days ago, as YYYY-MM-DD in UTC. */
export const dayBefore = (days: number): string =>
  new Date(systemNow() - days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
