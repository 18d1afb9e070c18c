/** Creates the server that listens, with its connections and their measurement. */
import type { FastifyInstance } from 'fastify'
import type { RequestDurations } from '../http/server/logging/requestDurations.ts'
import { Connections } from '../http/server/connections.ts'
import { areaAt, type Part } from '../http/server/parts.ts'
import { RequestChecks } from '../http/server/requestChecks.ts'
import { createFront, type ServerFactory } from '../http/server/server.ts'
import type { Addresses } from './addresses.ts'
import type { AppOptions } from './options.ts'
import type { Startup } from './startup.ts'

interface Served {
  readonly makeServer: ServerFactory
  /** All parts with a path of their own. */
  readonly parts: readonly Part[]
  /** Answers all other paths. */
  readonly fallback: Part
  readonly durations: RequestDurations
  readonly startup: Startup
  readonly addresses: Addresses
}

export function createServerFront(
  options: AppOptions,
  { makeServer, parts, fallback, durations, startup, addresses }: Served,
): { front: FastifyInstance; connections: Connections } {
  const { logger = false, closeGraceMs: graceMs, maxHalfOpen, tls = null, shard = null } = options
  const { publicUrl } = addresses
  const { allowedHosts = [], cors = [] } = options
  const connections = new Connections({
    ...(graceMs !== undefined && { graceMs }),
    ...(maxHalfOpen !== undefined && { maxHalfOpen }),
    onAnswered: (url, status, ms) => {
      durations.record(areaAt(parts, url), status, ms)
    },
  })
  const front = createFront(
    makeServer,
    logger,
    parts,
    fallback,
    connections,
    new RequestChecks({ publicUrl, allowedHosts, cors, checksHosts: () => addresses.checksHosts }),
    startup.holding((request, answer) => {
      addresses.reached(request, answer)
    }),
    tls,
    shard,
  )
  front.addHook('preClose', (done) => {
    startup.noteStop()
    done()
  })
  return { front, connections }
}
