/** The phases of the app: requests that wait until the files of --init have run, and its run after each reset. */
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

type Reached = (request: FastifyRequest, answer: () => void) => void

export type Phase = 'starting' | 'running' | 'stopping'

/** The health checks, which report the phase. */
const HEALTH = /^\/_sim\/health(?:[/?]|$)/

export class Startup {
  #end: Promise<void> | null = null
  #isStopping = false

  get phase(): Phase {
    if (this.#isStopping) return 'stopping'
    return this.#end === null ? 'running' : 'starting'
  }

  /** Runs each reset of the whole server. */
  duringReset: (reset: () => Promise<void>) => Promise<void> = (reset) => reset()

  /** Holds the requests of clients until the returned function is called. Health checks and injected requests pass. */
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

  /** Must be called when the server begins to stop. */
  noteStop(): void {
    this.#isStopping = true
  }

  /** Returns `reached` for requests that wait. */
  holding(reached: Reached): Reached {
    return (request, answer) => {
      // An injected request has no real socket.
      const isHeld = request.raw.socket instanceof Socket && !HEALTH.test(request.url)
      const end = isHeld ? this.#end : null
      if (end === null) reached(request, answer)
      else {
        void end.then(() => {
          reached(request, answer)
        })
      }
    }
  }
}
