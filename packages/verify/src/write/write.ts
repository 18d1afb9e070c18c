/** Write mode of a run: checks that it may write, keeps the ledger, and runs the scenarios. */
import { ServiceClient } from '../exchanges/serviceClient.ts'
import { DEFAULT_LEDGERS, type VerifyHooks, type VerifyOptions } from '../options.ts'
import type { PublishedInterface, Reference } from '../reference.ts'
import { mustBeSafe } from './guard.ts'
import { createLedger, ledgerFile } from './ledger.ts'
import { runScenarios, type Written } from './runScenarios.ts'

/** What a run wrote, and where its ledger is. */
export interface Writing extends Written {
  readonly ledger: string
}

interface WriteOptions {
  readonly run: string
  readonly options: VerifyOptions
  readonly published: readonly PublishedInterface[]
  readonly reference: Reference
  /** The calls that the scenarios can use. */
  readonly budget: number
  readonly intervalMs: number
  readonly hooks: Pick<VerifyHooks, 'signal' | 'confirm'>
  readonly onStage: (stage: string) => void
  readonly onSent: (sent: number) => void
}

/** Runs the scenarios of the interfaces. Throws a VerifyOptionsError if the run must not write. */
export async function write({
  run,
  options,
  published,
  reference,
  budget,
  intervalMs,
  hooks,
  onStage,
  onSent,
}: WriteOptions): Promise<Writing> {
  mustBeSafe(options)
  const { baseUrl, key, at = {}, account, timezone, values, write: chosen = {} } = options
  const { ledgers = DEFAULT_LEDGERS, allow = [] } = chosen
  // Ctrl-C ends the run between two calls: a call in the middle may have created something.
  const client: ServiceClient = new ServiceClient({
    service: { baseUrl, key, at },
    budget,
    intervalMs,
    mayWrite: true,
    onExchange: () => {
      onSent(client.sent)
    },
  })
  const ledger = createLedger(ledgers, { id: run, baseUrl: withoutUser(baseUrl), at })
  try {
    const written = await runScenarios({
      run,
      published,
      allow,
      client,
      ledger,
      reference,
      timezone,
      known: { ...(account !== undefined && { account_id: String(account) }), ...values },
      ...hooks,
      onStage,
    })
    return { ...written, ledger: ledgerFile(ledgers, run) }
  } finally {
    ledger.close()
  }
}

/** Returns a URL without a user name and a password: the ledger has no credentials. */
export function withoutUser(url: string): string {
  const parsed = new URL(url)
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
