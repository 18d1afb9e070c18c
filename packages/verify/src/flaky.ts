/** Repeats the calls whose answers differed. A difference that does not come back is a flake, and no drift. */
import { isDeepStrictEqual } from 'node:util'
import { ServiceError, type ServiceClient } from './exchanges/serviceClient.ts'
import type { Exchange } from './exchanges/exchange.ts'
import type { Tally } from './checks/checks.ts'
import { withoutVolatile } from './checks/volatile.ts'

/** Calls that are repeated for one interface. */
const MAX_AGAIN = 40

/** Returns the differences that were seen in one call, whose answer is another one the second time. */
export async function flakyTallies(
  deviating: readonly Tally[],
  client: ServiceClient,
): Promise<ReadonlySet<Tally>> {
  const flaky = new Set<Tally>()
  const again = new Map<Exchange, boolean>()
  for (const tally of deviating) {
    const [difference] = tally.differences
    if (!difference || tally.samples.deviating > 1) continue
    const { exchange } = difference
    // What a scenario created is gone.
    if (exchange.probe.purpose.kind === 'step') continue
    if (!again.has(exchange) && again.size >= MAX_AGAIN) continue
    let isSame = again.get(exchange)
    if (isSame === undefined) {
      isSame =
        exchange.probe.purpose.kind === 'repeat'
          ? await answersDiffer(exchange, client)
          : await answersSame(exchange, client)
      again.set(exchange, isSame)
    }
    if (!isSame) flaky.add(tally)
  }
  return flaky
}

/** Two reads that differed are repeated: an order that changes with each read is no flake. */
async function answersDiffer(exchange: Exchange, client: ServiceClient): Promise<boolean> {
  const second = await sendAgain(exchange, client)
  return !second || !(await answersSame(second, client))
}

/** A call that can no longer be made is taken as it was. */
async function answersSame(exchange: Exchange, client: ServiceClient): Promise<boolean> {
  if (exchange.probe.operation.method !== 'GET') return true
  const second = await sendAgain(exchange, client)
  if (!second) return true
  const answers = [exchange, second].map(({ status, body, text }) =>
    body === undefined ? [status, text] : [status, withoutVolatile(body)],
  )
  return isDeepStrictEqual(answers[0], answers[1])
}

/** Returns null if the service does not answer any longer. */
async function sendAgain({ probe }: Exchange, client: ServiceClient): Promise<Exchange | null> {
  try {
    const exchange = await client.send(probe)
    return exchange && exchange.status > 0 ? exchange : null
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
