/** Parses chosen readings: "scopes.unlisted=any,payments.refund_event=requested". */
import { InvalidArgumentError } from 'commander'
import { readingError } from '../../control/shared/readings.ts'
import type { ChosenReadings } from '../../state/model/reading.ts'

/** Parses readings without looking at their names, for a server that knows its own. */
export function parseChoices(text: string): ChosenReadings {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()))
  if (pairs.some((parts) => parts.length !== 2 || parts.includes(''))) {
    throw new InvalidArgumentError('It must be name=value, several separated by commas.')
  }
  return Object.fromEntries(pairs) as ChosenReadings
}

/** Parses readings of this program. */
export function parseReadings(text: string): ChosenReadings {
  const choices = parseChoices(text)
  const error = readingError(choices)
  if (error !== null) throw new InvalidArgumentError(error)
  return choices
}
