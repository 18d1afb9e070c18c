/** Sends deliveries with injected faults: dropped, duplicated, delayed, reordered or altered. */
import { iso } from '@suite-sim/kit/time/instants'
import { findDeliveryFault, listFaults, type DeliveryFault, type Hit } from '../../state/faults/faults.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { DueDelivery } from '../deliveries/dueDeliveries.ts'
import { SIGNATURE } from '@suite-sim/kit/webhooks/headers'
import type { OnEnd, Outgoing, Transport } from '../sending/index.ts'
import { signatureOf } from '@suite-sim/kit/webhooks/signature'

/** The default delay in ms, and the time that a delivery waits for the next one to overtake it. */
const DEFAULT_DELAY = 5000
const REORDER_TIMEOUT = 2000

/** Ms by which the time of a stale event is moved back. */
const STALE_AGE = 24 * 60 * 60 * 1000

/** Whether it happens to attempts; with `before_answer`, the answer of the call waits. */
const isOfAttempts = (delivery: DeliveryFault): boolean => delivery !== 'before_answer'

/** Checks whether the workspace has faults for deliveries. */
export const hasDeliveryFaults = (workspace: Workspace): boolean =>
  listFaults(workspace).some(({ delivery }) => delivery !== undefined && isOfAttempts(delivery))

/** Returns the fault that hits a delivery; usually null. */
export const faultOf = (workspace: Workspace, delivery: DueDelivery): Hit | null =>
  findDeliveryFault(workspace, delivery, isOfAttempts)

export interface InjectedFault {
  readonly fault: Hit
  readonly secret: string
  /** The name of the event time in its envelope. */
  readonly eventTime: string
  /** When it is sent, on the workspace's clock. */
  readonly at: number
}

export class FaultTransport {
  readonly #transport: Transport
  readonly #delayed = new Set<() => void>()
  readonly #reordered = new Set<() => void>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns a transport for a delivery with a fault. */
  for(injectedFault: InjectedFault): Transport {
    return {
      send: (outgoing, ended) => {
        this.#send(injectedFault, outgoing, ended)
      },
    }
  }

  #send(injectedFault: InjectedFault, sent: Outgoing, ended: OnEnd): void {
    const outgoing = alter(injectedFault, sent)
    const { delivery, delayMs } = injectedFault.fault
    const send = (): void => {
      this.#transport.send(outgoing, ended)
    }
    switch (delivery) {
      case 'drop':
        setImmediate(ended, { status: null, error: 'dropped by an injected fault', durationMs: 0 })
        break
      case 'duplicate':
        this.#transport.send(outgoing, () => undefined)
        send()
        break
      case 'delay':
        this.#delay(delayMs ?? DEFAULT_DELAY, this.#delayed, send)
        break
      case 'reorder':
        this.#delay(REORDER_TIMEOUT, this.#reordered, send)
        break
      default:
        send()
    }
  }

  #delay(ms: number, waiting: Set<() => void>, send: () => void): void {
    const go = (): void => {
      if (!waiting.delete(go)) return
      clearTimeout(timer)
      send()
    }
    const timer = setTimeout(go, ms)
    waiting.add(go)
  }

  /** Must be called after another delivery was sent: sends the reordered ones. */
  passed(): void {
    for (const go of [...this.#reordered]) go()
  }

  /** Sends all waiting deliveries. */
  release(): void {
    for (const go of [...this.#delayed, ...this.#reordered]) go()
  }
}

const alter = ({ fault, secret, eventTime, at }: InjectedFault, outgoing: Outgoing): Outgoing => {
  const alteration: Partial<Record<DeliveryFault, () => Outgoing>> = {
    wrong_signature: () => withSignature(outgoing, signatureOf(`not ${secret}`, outgoing.body)),
    stale: () => {
      const envelope = JSON.parse(outgoing.body) as Record<string, unknown>
      // A body without the envelope has no event time that could be stale.
      if (!(eventTime in envelope)) return outgoing
      const body = JSON.stringify({ ...envelope, [eventTime]: iso(at - STALE_AGE) })
      return withSignature({ ...outgoing, body }, signatureOf(secret, body))
    },
    truncate: () => ({ ...outgoing, body: outgoing.body.slice(0, Math.ceil(outgoing.body.length / 2)) }),
  }
  return (fault.delivery && alteration[fault.delivery]?.()) ?? outgoing
}

function withSignature(outgoing: Outgoing, signature: string): Outgoing {
  const headers = [...outgoing.headers]
  headers[headers.indexOf(SIGNATURE) + 1] = signature
  return { ...outgoing, headers }
}
