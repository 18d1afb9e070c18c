/** What --init needs of the app: requests that wait until its files have run, and its run after each reset. */
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

type Reached = (request: FastifyRequest, answer: () => void) => void

export class Startup {
  #end: Promise<void> | null = null

  /** Runs after each reset of the whole server. */
  afterReset: () => Promise<void> = () => Promise.resolve()

  /** Holds the requests of clients until the returned function is called. Injected requests pass. */
  holdRequests(): () => void {
    let release = (): void => undefined
    this.#end = new Promise((resolve) => {
      release = resolve
    })
    return () => {
      this.#end = null
      release()
    }
  }

  /** Returns `reached` for requests that wait. */
  holding(reached: Reached): Reached {
    return (request, answer) => {
      // An injected request has no real socket.
      const end = request.raw.socket instanceof Socket ? this.#end : null
      if (end === null) reached(request, answer)
      else {
        void end.then(() => {
          reached(request, answer)
        })
      }
    }
  }
}
