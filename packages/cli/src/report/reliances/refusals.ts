/** What refused calls relied on, which their hints say. */
import type { Schema } from '@suite-sim/client/calling'
import type { Facts } from '../facts.ts'
import type { Subject } from '../questions.ts'
import { addReading, type Reliances } from './collecting.ts'

/**
 * Readings that decide only whether and how a call is refused. A hint of a refused call names its reading; the others decide
 * what their operations and events do.
 */
export const READINGS_OF_REFUSALS: readonly string[] = [
  'scopes.unlisted',
  'catalog.products_module',
  'integration-payments.invalid_state',
  'integration-payments.unknown_key',
]

/** What a hint of a refusal says before its assumptions. */
const REFUSAL_HINT = 'The specification does not fully show this refusal. '

export function addRefusals(facts: Facts, found: Reliances): void {
  const byId = new Map(facts.calls.map((call) => [call.id, call]))
  for (const { code, message, count, requests } of facts.hints) {
    const calls = requests.flatMap((id) => byId.get(id) ?? []).toReversed()
    // The group names the newest requests only. They stand for the others.
    const rest = (index: number): number => (index === 0 ? count - requests.length : 0)
    for (const [index, call] of calls.entries()) {
      const times = 1 + rest(index)
      if (code === 'reading') {
        const reading = facts.readings.find(({ name }) => message.includes(` ${name} = `))
        if (reading) addReading(facts, reading.name, call, found, times)
      } else if (code === 'assumed_refusal') addRefusal(facts, call, message, times, found)
    }
  }
}

function addRefusal(
  { interfaces }: Facts,
  { id, interface: of, operation: name, method, path, status, refusal }: Schema<'JournalEntry'>,
  message: string,
  times: number,
  found: Reliances,
): void {
  const used = interfaces.get(of)
  const operation = name === null ? undefined : used?.operations.get(name)
  const address = operation?.address ?? `${method} ${path}`
  const place = `${address} ${String(status)}`
  // "It" is the specification, which the first sentence of the hint names.
  const why = message
    .replace(REFUSAL_HINT, '')
    .replaceAll(/(?<=^|\. )It (?=does not |gives no )/g, 'The specification ')
  const subject: Subject = {
    kind: 'refusal',
    key: `refusal ${place}`,
    place,
    status,
    ...(operation && { operation }),
    ...(refusal && { message: refusal.message }),
  }
  const sentence = used?.sentenceOf(`status ${place}`) ?? used?.sentenceOf(`operation ${address}`) ?? null
  const claim = used?.claims.at(place, 'status') ?? used?.claims.at(String(status), 'status')
  found.add({ subject, interface: of, why, sentence, ...(claim && { claim: claim.key }) }, id, times)
}
