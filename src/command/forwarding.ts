/**
 * Webhooks that are sent to whoever listens, by subscriptions of their own, so that what arrives is what the simulator
 * sends anybody: its signature, its retries, its order. They are removed when listening ends.
 */
import {
  receiveWebhooks,
  verifySignature,
  type ReceivedWebhook,
  type WebhookReceiver,
} from '../library/receiver.ts'
import { nearest } from '../library/nearest.ts'
import { unguessable } from '../state/ids.ts'
import { paint, printLine, type Printing } from './output.ts'
import { Misuse } from './problem.ts'
import type { Within } from './reaching.ts'
import { pathTo, type Remote } from './remote.ts'
import { pathOf } from './workspaces.ts'

export interface Forwardable extends Within {
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

/** Which events of which interfaces are meant. */
type Wanted = ReadonlyMap<string, readonly string[]>

/** A receiver that takes longer has not answered; the simulator itself waits no longer. */
const RELAY_TIMEOUT_MS = 30_000

/** Subscribes the URL, or a receiver of its own that prints what comes; all or none. Null where nothing is to be sent. */
export async function forward(remote: Remote, settings: Forwardable): Promise<Forwarding | null> {
  const { forwardTo, workspace, secret = unguessable(), print = false } = settings
  const wanted = await wantedOf(remote, settings)
  if (forwardTo === undefined && !print) return null
  const receiver = print ? await printing(settings, secret) : null
  const url = receiver?.url ?? forwardTo ?? ''
  const path = `${pathOf(workspace)}/subscriptions`
  const made: string[] = []
  const end = async (): Promise<void> => {
    // What is gone with its workspace, or its server, need not be removed.
    await Promise.all(
      made.map((id) => remote.ask('DELETE', `/_sim${path}${pathTo('/{id}', { id })}`).catch(() => null)),
    )
    await receiver?.close()
  }
  try {
    for (const [name, events] of wanted) {
      const body = { interface: name, url, secret, events }
      made.push((await remote.call<{ id: string }>('POST', path, body)).id)
    }
  } catch (error) {
    await end()
    throw error
  }
  return { secret, interfaces: [...wanted.keys()], url: forwardTo ?? url, end }
}

/** Says what is wrong with names that no interface has before anything is subscribed. */
async function wantedOf(remote: Remote, settings: Forwardable): Promise<Wanted> {
  const { interface: only, events } = settings
  const { text } = await remote.ask('GET', '/')
  const all = (JSON.parse(text) as { interfaces: { name: string }[] }).interfaces.map(({ name }) => name)
  if (only !== undefined && !all.includes(only)) throw unknown('interface', only, all)
  const names = only === undefined ? all : [only]
  if (events === undefined) return new Map(names.map((name) => [name, ['*']]))
  const { events: known } = await remote.call<{ events: { interface: string; event: string }[] }>(
    'GET',
    `${pathOf(settings.workspace)}/coverage`,
  )
  const sent = known.filter((each) => names.includes(each.interface))
  for (const event of events) {
    if (sent.some((each) => each.event === event)) continue
    const others = [...new Set(sent.map((each) => each.event))]
    throw unknown('event', event, others)
  }
  return new Map(
    names.flatMap((name) => {
      const own = sent.filter((each) => each.interface === name).map((each) => each.event)
      const meant = events.filter((event) => own.includes(event))
      return meant.length === 0 ? [] : [[name, meant]]
    }),
  )
}

function unknown(what: string, written: string, known: readonly string[]): Misuse {
  const meant = nearest(written, known)
  const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`
  return new Misuse(`there is no ${what} '${written}'; ${hint}`)
}

/** A receiver that prints what it is sent; it answers as the URL does that it passes webhooks on to, and 200 else. */
function printing(settings: Forwardable, secret: string): Promise<WebhookReceiver> {
  const { forwardTo } = settings
  return receiveWebhooks({
    answer: async (webhook) => {
      const verified = verifySignature(webhook.body, webhook.headers['x-service-signature'], secret)
      show(settings, { ...webhook, verified })
      if (!verified) return 401
      return forwardTo === undefined ? 200 : passOn(forwardTo, webhook)
    },
  })
}

type Arrived = Omit<ReceivedWebhook, 'status'>

function show(printing: Printing, { id, event, attempt, verified, payload, body }: Arrived): void {
  const told = { kind: 'webhook', id, event, attempt, verified, payload: 'event' in payload ? payload : body }
  printLine(printing, told, () => {
    const mark = verified === true ? paint('green', 'signature verified') : paint('red', 'WRONG SIGNATURE')
    const head = `${paint('bold', 'webhook')} ${event} ${id}, attempt ${String(attempt)}, ${mark}`
    return `${head}\n${typeof told.payload === 'string' ? body : JSON.stringify(payload, null, 2)}`
  })
}

/** The same bytes with the headers that tell of them; 502 where nobody answers. */
async function passOn(url: string, { body, headers }: Arrived): Promise<number> {
  const own = Object.entries(headers).filter(([name]) =>
    /^(?:x-|content-type$|user-agent$|traceparent$)/.test(name),
  )
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: Object.fromEntries(own),
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
