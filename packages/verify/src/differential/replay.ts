/** Repeats the calls to the service on the simulator. */
import { ServiceClient } from '../exchanges/serviceClient.ts'
import type { Exchange, Probe } from '../exchanges/exchange.ts'
import { valueAt } from '../model/list.ts'
import type { Scratch } from '../reference.ts'
import type { Answers } from '../crawl/answers.ts'

/** The answers of the simulator by the exchange with the service. */
export type SimulatedExchanges = ReadonlyMap<Exchange, Exchange>

/**
 * Repeats the calls in the same order. The account of the workspace replaces that of the service, and cursors of the
 * simulator those of the service.
 */
export async function replay(
  exchanges: readonly Exchange[],
  scratch: Scratch,
  answers: Answers,
): Promise<SimulatedExchanges> {
  const client = new ServiceClient({
    service: scratch.service,
    budget: Infinity,
    intervalMs: 0,
    mayWrite: false,
  })
  const simulatedExchanges = new Map<Exchange, Exchange>()
  const cursors = new Map<string, string>()
  for (const exchange of exchanges) {
    if (exchange.probe.operation.method !== 'GET' || exchange.status === 0) continue
    const simulated = await client.send(inScratch(exchange.probe, scratch, cursors))
    if (!simulated) continue
    simulatedExchanges.set(exchange, simulated)
    const nextAt = answers.listOf(exchange.probe.operation)?.nextAt
    const [theirs, ours] = [exchange, simulated].map(({ body }) => nextAt && valueAt(body, nextAt))
    if (typeof theirs === 'string' && typeof ours === 'string') cursors.set(theirs, ours)
  }
  return simulatedExchanges
}

function inScratch(original: Probe, { accountId }: Scratch, cursors: ReadonlyMap<string, string>): Probe {
  const query = Object.entries(original.query).map(
    ([name, value]) => [name, cursors.get(value) ?? value] as const,
  )
  const probe = { ...original, query: Object.fromEntries(query) }
  const isOther = probe.purpose.kind === 'unknown_id' && probe.operation.inPath.at(-1)?.name === 'account_id'
  if (isOther || !('account_id' in probe.path)) return probe
  return { ...probe, path: { ...probe.path, account_id: String(accountId) } }
}
