/** Puts a part of the server together: the routes of an interface, or of the control plane, on a server of their own. */
import type { FastifyInstance } from 'fastify'
import { refuseField } from '../state/refusal.ts'
import type { Workspaces } from '../state/workspaces.ts'
import { inWordsOf, mount, type InterfaceDefinition } from './mount.ts'
import type { Opened } from './parts.ts'
import { limitRates } from './rateLimits.ts'
import { holdAnswersUntilCommitted, type MakeServer } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** All there are, whoever calls. */
    readonly workspaces: Workspaces
    /** Refuses a URL, sent in the field `url`, that webhooks can't be sent to. */
    mustBeWebhookUrl(url: string): void
  }
}

export interface Surroundings {
  readonly makeServer: MakeServer
  readonly workspaces: Workspaces
  /** Whether the rate limits of its operations hold. */
  readonly rateLimits: boolean
  /** What is wrong with a URL that webhooks are to be sent to, in a sentence; null when nothing is. */
  readonly urlProblem: (url: string) => string | null
}

/** Not ready yet: whoever opens the part waits for that. */
export function putTogether(
  definition: InterfaceDefinition,
  { makeServer, workspaces, rateLimits, urlProblem }: Surroundings,
): Opened {
  const server: FastifyInstance = makeServer(inWordsOf(definition))
  holdAnswersUntilCommitted(server, workspaces.database)
  server.decorate('workspaces', workspaces)
  server.decorate('mustBeWebhookUrl', (url: string) => {
    const problem = urlProblem(url)
    if (problem !== null) refuseField('url', 'not_allowed', problem)
  })
  if (rateLimits) limitRates(server, workspaces)
  return { server, definition, routes: mount(server, definition, workspaces) }
}
