/** Asks the simulator what the service was asked. */
import { Asker } from '../asking/asker.ts'
import type { Exchange, Probe } from '../asking/exchange.ts'
import type { Scratch } from '../reference.ts'

/** The answers of the simulator by the exchange with the service. */
export type Twins = ReadonlyMap<Exchange, Exchange>

/** Asks the same in the same order. The account of the workspace replaces that of the service. */
export async function replay(exchanges: readonly Exchange[], scratch: Scratch): Promise<Twins> {
  const asker = new Asker({
    service: scratch.service,
    budget: Infinity,
    intervalMs: 0,
    mayWrite: false,
  })
  const twins = new Map<Exchange, Exchange>()
  for (const exchange of exchanges) {
    if (exchange.probe.operation.method !== 'GET' || exchange.status === 0) continue
    const twin = await asker.ask(inScratch(exchange.probe, scratch))
    if (twin) twins.set(exchange, twin)
  }
  return twins
}

function inScratch(probe: Probe, { accountId }: Scratch): Probe {
  const isOther = probe.purpose.kind === 'unknown_id' && probe.operation.inPath.at(-1)?.name === 'account_id'
  if (isOther || !('account_id' in probe.path)) return probe
  return { ...probe, path: { ...probe.path, account_id: String(accountId) } }
}
