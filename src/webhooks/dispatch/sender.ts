/** Sends attempts, with injected faults, and knows when sending is stuck. The dispatcher decides what is sent, and when. */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { TargetSettings } from '../targets/allowedTargets.ts'
import type { Attempt } from './attempt.ts'
import type { DueDelivery } from '../deliveries/dueDeliveries.ts'
import { faultOf, FaultTransport } from './faultTransport.ts'
import { inboxesOf } from '../deliveries/inbox.ts'
import { ATTEMPT, DELIVERY, EVENT, SIGNATURE } from '@suite-sim/kit/webhooks/headers'
import type { Profiles } from '../profiles/profile.ts'
import { isListenerUrl } from '../targets/listenerUrls.ts'
import type { Listeners } from '../listeners/listeners.ts'
import { HttpTransport, type Transport } from '../sending/index.ts'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import { signatureOf } from '@suite-sim/kit/webhooks/signature'

export interface SenderOptions {
  /** The timeout of one attempt in ms. */
  readonly timeoutMs: number
  /** The most connections to one origin. */
  readonly perOrigin: number
  readonly userAgent: string
  readonly targets: TargetSettings
  readonly listeners: Listeners
}

export class Sender {
  readonly #profiles: Profiles
  readonly #transport: HttpTransport
  readonly #listeners: Listeners
  /** Over HTTP, or over the connection of a listener. */
  readonly #anyTransport: Transport
  readonly #faultTransport: FaultTransport
  /** Attempts that are really being sent, without faults; and when one last ended, or the first began. */
  #sending = 0
  #progressAt = 0

  constructor(profiles: Profiles, { timeoutMs, perOrigin, userAgent, targets, listeners }: SenderOptions) {
    this.#profiles = profiles
    const headers = ['content-type', 'application/json', 'user-agent', userAgent]
    this.#transport = new HttpTransport({
      timeoutMs,
      headers,
      connections: perOrigin,
      targets,
    })
    this.#listeners = listeners
    this.#anyTransport = {
      send: (outgoing, ended) => {
        if (!isListenerUrl(outgoing.url)) this.#transport.send(outgoing, ended)
        else listeners.send({ ...outgoing, headers: [...headers, ...outgoing.headers] }, ended)
      },
    }
    this.#faultTransport = new FaultTransport(this.#anyTransport)
  }

  /** True when the HTTP client is loaded. */
  get isReady(): boolean {
    return this.#transport.ready
  }

  /**
   * How long attempts have been in flight without any ending, in ms; 0 without attempts. Much more than the timeout
   * means that sending is stuck.
   */
  get msWithoutEnd(): number {
    return this.#sending === 0 ? 0 : monotonicNow() - this.#progressAt
  }

  /** Loads the HTTP client. Until then nothing is sent, which counts as an attempt that does not end. */
  async load(): Promise<void> {
    this.#countStart()
    await this.#transport.load()
    this.#countEnd()
  }

  /** Sets the target policy. */
  setTargets(targets: TargetSettings): void {
    this.#transport.setTargets(targets)
  }

  send(
    attempt: Attempt,
    delivery: DueDelivery,
    workspace: Workspace,
    secret: string,
    ended: (attempt: Attempt, result: AttemptResult) => void,
  ): void {
    const { url, body } = delivery
    const outgoing = { url, headers: headersOf(delivery, secret), body }
    inboxesOf(workspace.database).sends(workspace, delivery, secret)
    const fault = faultOf(workspace, delivery)
    if (fault) {
      const { eventTime } = this.#profiles.of(delivery.interface)
      const injectedFault = { fault, secret, eventTime, at: workspace.now() }
      attempt.go(this.#faultTransport.for(injectedFault), outgoing, ended)
      return
    }
    this.#countStart()
    attempt.go(this.#anyTransport, outgoing, (_attempt, result) => {
      this.#countEnd()
      ended(attempt, result)
    })
    this.#faultTransport.passed()
  }

  /** Sends the deliveries that faults delay. */
  release(): void {
    this.#faultTransport.release()
  }

  /** Cuts off the attempts in flight, which counts as a failure. */
  close(): Promise<void> {
    this.#listeners.cutOff()
    return this.#transport.close()
  }

  #countStart(): void {
    if (this.#sending++ === 0) this.#progressAt = monotonicNow()
  }

  #countEnd(): void {
    this.#sending--
    this.#progressAt = monotonicNow()
  }
}

function headersOf(delivery: DueDelivery, secret: string): string[] {
  const headers = [
    DELIVERY,
    delivery.id,
    ATTEMPT,
    String(delivery.attempts + 1),
    SIGNATURE,
    signatureOf(secret, delivery.body),
    EVENT,
    delivery.event,
  ]
  if (delivery.trace) {
    const { traceparent, tracestate } = delivery.trace
    headers.push('traceparent', traceparent)
    if (tracestate !== null) headers.push('tracestate', tracestate)
  }
  return headers
}
