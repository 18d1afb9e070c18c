/** Webhook receivers with configurable behavior that record their requests. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The behavior for one delivery. */
export type ReceiverBehavior = 'quick' | 'slow' | 'failing' | 'closing' | 'hanging' | 'wavering'

export interface Arrival {
  /** The id of the delivery. */
  readonly id: string
  readonly event: string
  readonly body: string
  /** True if it got a complete 200 response. */
  taken: boolean
}

export class Receiver {
  readonly manner: ReceiverBehavior
  readonly arrivals: Arrival[] = []
  readonly url: string
  /** The number of accepted deliveries. */
  taken = 0
  readonly #close: () => void
  readonly #held: (() => void)[] = []
  #healed = false

  private constructor(manner: ReceiverBehavior, url: string, close: () => void) {
    this.manner = manner
    this.url = url
    this.#close = close
  }

  static async listen(manner: ReceiverBehavior): Promise<Receiver> {
    let receiver: Receiver | null = null
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { headers } = request
        receiver?.take(response, {
          id: String(headers['x-service-delivery']),
          event: String(headers['x-service-event']),
          body: Buffer.concat(chunks).toString('utf8'),
        })
      })
      request.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    receiver = new Receiver(manner, `http://127.0.0.1:${String(port)}/${manner}`, () => {
      server.close()
      server.closeAllConnections()
    })
    return receiver
  }

  take(response: ServerResponse, details: Omit<Arrival, 'taken'>): void {
    const arrival: Arrival = { ...details, taken: false }
    this.arrivals.push(arrival)
    const answer = (status: number): void => {
      response.writeHead(status, { 'content-length': 0 }).end(() => {
        // A disconnected client has not received the response.
        if (status !== 200 || response.errored) return
        arrival.taken = true
        this.taken++
      })
    }
    if (this.#healed || this.manner === 'quick') answer(200)
    else if (this.manner === 'slow')
      void sleep(100).then(() => {
        answer(200)
      })
    else if (this.manner === 'failing') answer(500)
    else if (this.manner === 'wavering') answer(this.arrivals.length % 3 === 0 ? 500 : 200)
    else if (this.manner === 'closing') response.destroy()
    else
      this.#held.push(() => {
        answer(200)
      })
  }

  /** Accepts everything from now on, including held requests. */
  acceptAll(): void {
    this.#healed = true
    for (const answer of this.#held.splice(0)) answer()
  }

  close(): void {
    this.#close()
  }
}
