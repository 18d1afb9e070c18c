/**
 * Forwards webhooks to the user of `listen` with temporary subscriptions, so that signatures, retries and order are the
 * same as for any receiver. The subscriptions are deleted when `listen` ends.
 */
import {
  receiveWebhooks,
  verifySignature,
  type ReceivedWebhook,
  type WebhookReceiver,
} from '../../library/receiver.ts'
import { nearestName } from '../../nearestName.ts'
import { randomToken } from '../../state/storage/database/ids.ts'
import { paint, printLine, type OutputSettings } from '../terminal/output.ts'
import { UsageError } from '../terminal/problem.ts'
import type { WorkspaceSettings } from '../terminal/settings.ts'
import { pathTo, type Remote } from '../remote/remote.ts'
import { pathOf } from '../remote/workspaces.ts'

export interface ForwardSettings extends WorkspaceSettings {
  readonly forwardTo?: string
  readonly print?: boolean
  readonly interface?: string
  readonly secret?: string
  readonly events?: readonly string[]
}

export interface Forwarding {
  readonly secret: string
  readonly interfaces: readonly string[]
  readonly url: string
  end(): Promise<void>
}

/** The selected events by interface. */
type Selection = ReadonlyMap<string, readonly string[]>

/** The timeout of the receiver. The simulator does not wait longer either. */
const RELAY_TIMEOUT_MS = 30_000

/** Subscribes the URL, or a local receiver that prints webhooks; all or none. Returns null if there is neither. */
export async function forward(remote: Remote, settings: ForwardSettings): Promise<Forwarding | null> {
  const { forwardTo, workspace, secret = randomToken(), print = false } = settings
  const selection = await selectEvents(remote, settings)
  if (forwardTo === undefined && !print) return null
  const receiver = print ? await startPrinter(settings, secret) : null
  const url = receiver?.url ?? forwardTo ?? ''
  const path = `${pathOf(workspace)}/subscriptions`
  const subscriptionIds: string[] = []
  const end = async (): Promise<void> => {
    // Ignores errors: the workspace or the server may no longer exist.
    await Promise.all(
      subscriptionIds.map((id) =>
        remote.ask('DELETE', `/_sim${path}${pathTo('/{id}', { id })}`).catch(() => null),
      ),
    )
    await receiver?.close()
  }
  try {
    for (const [name, events] of selection) {
      const body = { interface: name, url, secret, events }
      subscriptionIds.push((await remote.call<{ id: string }>('POST', path, body)).id)
    }
  } catch (error) {
    await end()
    throw error
  }
  return { secret, interfaces: [...selection.keys()], url: forwardTo ?? url, end }
}

/** Returns the selected events. Refuses unknown interfaces and events before anything is subscribed. */
async function selectEvents(remote: Remote, settings: ForwardSettings): Promise<Selection> {
  const { interface: only, events } = settings
  const { text } = await remote.ask('GET', '/')
  const all = (JSON.parse(text) as { interfaces: { name: string }[] }).interfaces.map(({ name }) => name)
  if (only !== undefined && !all.includes(only)) throw unknownName('interface', only, all)
  const names = only === undefined ? all : [only]
  if (events === undefined) return new Map(names.map((name) => [name, ['*']]))
  const { events: known } = await remote.call<{ events: { interface: string; event: string }[] }>(
    'GET',
    `${pathOf(settings.workspace)}/coverage`,
  )
  const available = known.filter((each) => names.includes(each.interface))
  for (const event of events) {
    if (available.some((each) => each.event === event)) continue
    const others = [...new Set(available.map((each) => each.event))]
    throw unknownName('event', event, others)
  }
  return new Map(
    names.flatMap((name) => {
      const own = available.filter((each) => each.interface === name).map((each) => each.event)
      const selected = events.filter((event) => own.includes(event))
      return selected.length === 0 ? [] : [[name, selected]]
    }),
  )
}

function unknownName(kind: string, name: string, known: readonly string[]): UsageError {
  const suggestion = nearestName(name, known)
  const hint = suggestion === null ? `use one of ${known.join(', ')}` : `did you mean ${suggestion}?`
  return new UsageError(`there is no ${kind} '${name}'; ${hint}`)
}

/** Starts a receiver that prints webhooks. It returns the status of the `--forward-to` URL, or 200 without one. */
function startPrinter(settings: ForwardSettings, secret: string): Promise<WebhookReceiver> {
  const { forwardTo } = settings
  return receiveWebhooks({
    answer: async (webhook) => {
      const verified = verifySignature(webhook.body, webhook.headers['x-service-signature'], secret)
      printWebhook(settings, { ...webhook, verified })
      if (!verified) return 401
      return forwardTo === undefined ? 200 : relay(forwardTo, webhook)
    },
  })
}

type ReceivedData = Omit<ReceivedWebhook, 'status'>

function printWebhook(
  printing: OutputSettings,
  { id, event, attempt, verified, payload, body }: ReceivedData,
): void {
  const line = { kind: 'webhook', id, event, attempt, verified, payload: 'event' in payload ? payload : body }
  printLine(printing, line, () => {
    const mark = verified === true ? paint('green', 'signature verified') : paint('red', 'WRONG SIGNATURE')
    const head = `${paint('bold', 'webhook')} ${event} ${id}, attempt ${String(attempt)}, ${mark}`
    return `${head}\n${typeof line.payload === 'string' ? body : JSON.stringify(payload, null, 2)}`
  })
}

/** Forwards the same bytes with their headers. Returns the status of the URL, or 502 if it does not respond. */
async function relay(url: string, { body, headers }: ReceivedData): Promise<number> {
  const forwarded = Object.entries(headers).filter(([name]) =>
    /^(?:x-|content-type$|user-agent$|traceparent$)/.test(name),
  )
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: Object.fromEntries(forwarded),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RELAY_TIMEOUT_MS),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return 502
  }
}
