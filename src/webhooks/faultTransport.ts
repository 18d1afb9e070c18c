/** Deliveries that meet a fault: lost, doubled, late, out of order, or not as they should be. */
import type { DeliveryFault, Fault } from '../state/faults.ts'
import { iso } from '../state/clock.ts'
import { SIGNATURE } from './headers.ts'
import type { OnEnd, Outgoing, Transport } from './sending/index.ts'
import { signatureOf } from './signature.ts'

/** Ms that a delivery is late unless the fault says so, and that one waits for the next to overtake it. */
const LATE = 5000
const OVERTAKEN_WITHIN = 2000

/** How much older than it is an event is told to be. */
const STALE_BY = 24 * 60 * 60 * 1000

export interface InjectedFault {
  readonly fault: Fault
  readonly secret: string
  /** What its interface calls the time of an event. */
  readonly eventTime: string
  /** When it is sent, on the workspace's clock. */
  readonly at: number
}

export class FaultTransport {
  readonly #transport: Transport
  readonly #held = new Set<() => void>()
  readonly #toOvertake = new Set<() => void>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** A transport for a delivery that meets a fault. */
  for(meddled: InjectedFault): Transport {
    return {
      send: (outgoing, ended) => {
        this.#send(meddled, outgoing, ended)
      },
    }
  }

  #send(meddled: InjectedFault, sent: Outgoing, ended: OnEnd): void {
    const outgoing = altered(meddled, sent)
    const { delivery, delayMs } = meddled.fault
    const send = (): void => {
      this.#transport.send(outgoing, ended)
    }
    switch (delivery) {
      case 'drop':
        setImmediate(ended, { status: null, error: 'dropped by a fault that was set', durationMs: 0 })
        break
      case 'duplicate':
        this.#transport.send(outgoing, () => undefined)
        send()
        break
      case 'delay':
        this.#hold(delayMs ?? LATE, this.#held, send)
        break
      case 'reorder':
        this.#hold(OVERTAKEN_WITHIN, this.#toOvertake, send)
        break
      default:
        send()
    }
  }

  #hold(ms: number, among: Set<() => void>, send: () => void): void {
    const go = (): void => {
      if (!among.delete(go)) return
      clearTimeout(timer)
      send()
    }
    const timer = setTimeout(go, ms)
    among.add(go)
  }

  /** Another has been sent: those that were to be overtaken follow. */
  passed(): void {
    for (const go of [...this.#toOvertake]) go()
  }

  /** Sends all that is held. */
  release(): void {
    for (const go of [...this.#held, ...this.#toOvertake]) go()
  }
}

const altered = ({ fault, secret, eventTime, at }: InjectedFault, outgoing: Outgoing): Outgoing => {
  const alteration: Partial<Record<DeliveryFault, () => Outgoing>> = {
    wrong_signature: () => signed(outgoing, signatureOf(`not ${secret}`, outgoing.body)),
    stale: () => {
      const told = JSON.parse(outgoing.body) as Record<string, unknown>
      const body = JSON.stringify({ ...told, [eventTime]: iso(at - STALE_BY) })
      return signed({ ...outgoing, body }, signatureOf(secret, body))
    },
    truncate: () => ({ ...outgoing, body: outgoing.body.slice(0, Math.ceil(outgoing.body.length / 2)) }),
  }
  return (fault.delivery && alteration[fault.delivery]?.()) ?? outgoing
}

function signed(outgoing: Outgoing, signature: string): Outgoing {
  const headers = [...outgoing.headers]
  headers[headers.indexOf(SIGNATURE) + 1] = signature
  return { ...outgoing, headers }
}
