/** `verify cleanup`: deletes what an earlier run left behind, by its ledger. */
import { ServiceClient } from '../exchanges/serviceClient.ts'
import {
  DEFAULT_BUDGET,
  DEFAULT_LEDGERS,
  DEFAULT_RATE,
  VerifyOptionsError,
  type Cleanup,
  type CleanupOptions,
  type VerifyHooks,
} from '../options.ts'
import { Reference, type StartServer } from '../reference.ts'
import { mustBeEncrypted } from './guard.ts'
import { continueLedger, readLedger } from './ledger.ts'
import { undo } from './undo.ts'
import { withoutUser } from './write.ts'

/** Deletes the records of a run. Throws a VerifyOptionsError if the run has no ledger, or one of another service. */
export async function cleanUp(
  options: CleanupOptions,
  start: StartServer,
  { signal, onProgress = () => undefined }: Pick<VerifyHooks, 'signal' | 'onProgress'> = {},
): Promise<Cleanup> {
  const {
    run,
    baseUrl,
    key,
    at,
    ledgers = DEFAULT_LEDGERS,
    budget = DEFAULT_BUDGET,
    rate = DEFAULT_RATE,
  } = options
  for (const url of [baseUrl, ...Object.values(at ?? {})]) mustBeEncrypted(url)
  const unfinished = readLedger(ledgers, run)
  const { created, unanswered } = unfinished
  if (unfinished.run.baseUrl !== withoutUser(baseUrl))
    throw new VerifyOptionsError(
      `the run ${run} wrote to ${unfinished.run.baseUrl}; --base-url must be the same URL`,
    )
  if (created.length + unanswered.length === 0) return { run, deleted: [], remaining: [] }
  const ledger = continueLedger(ledgers, run)
  const client: ServiceClient = new ServiceClient({
    service: { baseUrl, key, at: { ...unfinished.run.at, ...at } },
    budget,
    intervalMs: rate ? (rate.seconds * 1000) / rate.calls : 0,
    mayWrite: true,
    ...(signal && { signal }),
    onExchange: () => {
      onProgress({ stage: `cleans up ${run}`, requests: client.sent, budget, differences: 0 })
    },
  })
  const reference = await Reference.start(start)
  try {
    const names = new Set([...created, ...unanswered].map((each) => each.interface))
    const published = await Promise.all([...names].map((name) => reference.published(name)))
    const operations = published.flatMap((each) => each.operations)
    return { run, ...(await undo({ run, client, operations, ledger, created, unanswered })) }
  } finally {
    ledger.close()
    await reference.close()
  }
}
