/** A simulator with the demo as the service to measure, and what can drift there. */
import { buildApp } from '../../../../src/index.ts'
import { sendingWith, probeAll } from './subject.ts'
import { Connections, credentialsOf } from './connections.ts'
import { mutationsOf } from './instances.ts'
import type { Mutation } from './kind.ts'
import { readablesOf } from './readable.ts'

export const DEMO_KEY = 'demo-key'

export interface Target {
  readonly url: string
  /** Returns the mutations of all operations that can be read. */
  mutations(places: number): Promise<Mutation[]>
  /**
   * Sets the clock of the demo to now and stops it, so that two answers to the same call differ only by a mutation.
   */
  stopClock(): Promise<void>
  close(): Promise<void>
}

export async function startTarget(): Promise<Target> {
  const app = await buildApp({ fixtures: 'demo', rateLimits: false })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const connections = new Connections(url)
  const stopClock = async (): Promise<void> => {
    const body = JSON.stringify({ now: new Date().toISOString(), frozen: true })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/_sim/workspaces/demo/clock`, { method: 'PUT', headers, body })
    if (!response.ok) throw new Error(await response.text())
  }
  return {
    url,
    async mutations(places) {
      await stopClock()
      const send = sendingWith(connections, credentialsOf(DEMO_KEY))
      return mutationsOf(await probeAll(await readablesOf(url), send), send, { places })
    },
    stopClock,
    async close() {
      connections.close()
      await app.close()
    },
  }
}
