/** All readings, for the calls that list and choose them, snapshots and flags. A test finds declarations that are missing here. */
import { Type } from '@sinclair/typebox'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { OneOf } from '../../http/schemas/schemas.ts'
import { unlistedScopes } from '../../http/definition/unlistedScopes.ts'
import { ReadingError, type Reading } from '../../state/model/reading.ts'
import { productsModule } from '../../state/catalog/readings.ts'
import { messageType, webhookPayload } from '../../state/conversations/readings.ts'
import { invalidState, unknownKey } from '../../state/integration-payments/readings.ts'
import { refundEvent } from '../../state/payments/readings.ts'
import { deleteVacancy, vacancyStatus } from '../../state/recruiting/readings.ts'
import { cancellationExempt } from '../../state/tax-invoicing/readings.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

const ALL = [
  unlistedScopes,
  productsModule,
  vacancyStatus,
  deleteVacancy,
  refundEvent,
  invalidState,
  unknownKey,
  cancellationExempt,
  webhookPayload,
  messageType,
] as const

export const READINGS: readonly Reading[] = ALL

type All = (typeof ALL)[number]

/** Chosen values by name, with the exact names and values. */
type Chosen = { -readonly [Each in All as Each['name']]?: Each['default'] }

const OPTIONS = Object.fromEntries(
  READINGS.map(({ name, title, alternatives }) => [
    name,
    OneOf(
      alternatives.map(({ value }) => value),
      { description: `${title}.` },
    ),
  ]),
)

/** The values of all readings, by name. */
export const ReadingValues = Type.Unsafe<Required<Chosen>>(
  Type.Object(OPTIONS, { description: 'The reading of the specification that applies, by name.' }),
)

/** Chosen readings in a request or a snapshot. Unknown names and values are refused. */
export const ReadingChoice = Type.Unsafe<Chosen>(
  Type.Partial(Type.Object(OPTIONS), {
    additionalProperties: false,
    description: 'The readings to choose, by name. GET /_sim/readings lists them.',
  }),
)

/** Returns the value of every reading that applies in a workspace. */
export const readingsIn = (workspace: Workspace): Required<Chosen> =>
  Object.fromEntries(READINGS.map((each) => [each.name, workspace.reading(each)])) as Required<Chosen>

/** Throws a ReadingError if a name or a value is unknown. */
export function mustBeReadings(choices: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(choices)) {
    const found = READINGS.find((each) => each.name === name)
    if (!found) throw new ReadingError(`${name} is not a reading. ${adviceFor(name)}`)
    const values = found.alternatives.map((each) => each.value)
    if (!values.some((each) => each === value)) {
      throw new ReadingError(`${name} must be ${values.join(' or ')}, not ${String(value)}.`)
    }
  }
}

function adviceFor(name: string): string {
  const names = READINGS.map((each) => each.name)
  const nearest = nearestName(name, names)
  return nearest === null ? `The readings are ${names.join(', ')}.` : `Did you mean ${nearest}?`
}
