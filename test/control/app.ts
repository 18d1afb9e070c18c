/**
 * A server with the control plane for a test, spoken to over HTTP and closed when the test is over. Every answer of
 * the control plane is checked against its published OpenAPI document.
 */
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import type { ControlContext } from '../../src/control/context.ts'
import { openFixture, readFixture, type Fixture } from '../../src/control/fixtures.ts'
import { controlPlane } from '../../src/control/index.ts'
import { posTriggers } from '../../src/control/triggers/pos.ts'
import { interfaceDocument, suiteDocument, type Published } from '../../src/http/openapi.ts'
import { mount, type MountedRoute } from '../../src/http/mount.ts'
import { createServer, holdAnswersUntilCommitted } from '../../src/http/server.ts'
import { catalog } from '../../src/interfaces/catalog/index.ts'
import { catalogProfile } from '../../src/interfaces/catalog/profile.ts'
import { pos } from '../../src/interfaces/pos/index.ts'
import { posProfile } from '../../src/interfaces/pos/profile.ts'
import { overdueJob } from '../../src/state/catalog/actions.ts'
import { catalogMachines } from '../../src/state/catalog/machines.ts'
import { catalogRecords } from '../../src/state/catalog/records.ts'
import { monotonicNow } from '../../src/state/clock.ts'
import { Database } from '../../src/state/database.ts'
import { follow } from '../../src/state/events.ts'
import { registerJobs } from '../../src/state/jobs.ts'
import { Records } from '../../src/state/records.ts'
import { Workspaces } from '../../src/state/workspaces.ts'
import { deliveryMachine } from '../../src/webhooks/machine.ts'
import { Webhooks } from '../../src/webhooks/queue.ts'
import { webhookRecords, webhookTraces } from '../../src/webhooks/records.ts'
import { urlProblem } from '../../src/webhooks/urls.ts'
import { contractOf } from '../support/contract.ts'

export const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../src/state/migrations', import.meta.url))

/** Parents before children; one list for all apps, as in the program. */
const RECORD_SETS = [...webhookRecords, ...catalogRecords]

export interface Options {
  readonly fixtures?: string
  readonly seed?: string
  readonly adminToken?: string
  readonly publicUrl?: string
}

export interface SimCall {
  readonly body?: unknown
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface SimAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // Tests look into bodies whose shape they are about to assert.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any
  readonly text: string
}

export interface ControlApp {
  readonly server: FastifyInstance
  readonly workspaces: Workspaces
  readonly records: Records
  readonly webhooks: Webhooks
  /** The operations of the control plane. */
  readonly routes: readonly MountedRoute[]
  /** Calls the control plane: `sim('GET', '/health')`. */
  sim(method: Method, path: string, options?: SimCall): Promise<SimAnswer>
  /** Calls an interface with a key: `call('GET', '/workspace/public/v1/products', key)`. */
  call(method: Method, path: string, key: string, body?: unknown): Promise<SimAnswer>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export async function controlApp(options: Options = {}): Promise<ControlApp> {
  const startedAt = monotonicNow()
  const database = new Database(':memory:', MIGRATIONS)
  registerJobs(database, [overdueJob])
  const workspaces = new Workspaces(database, options.seed ?? null)
  const records = new Records(RECORD_SETS, webhookTraces)
  const webhooks = new Webhooks(workspaces, [catalogProfile, posProfile], { timeoutMs: 2000 })
  follow(database, webhooks.outbox)

  const fixture = (name: string): Fixture | null => readFixture(name, FIXTURES, records)
  const published: Published[] = []
  const context: ControlContext = {
    workspaces,
    records,
    webhooks,
    machines: [...catalogMachines, deliveryMachine],
    triggers: posTriggers,
    documents: {
      one(name, serverUrl) {
        const found = published.find(({ definition }) => definition.name === name)
        return found ? interfaceDocument(found, { serverUrl, version: '0.0.0' }) : null
      },
      whole: (serverUrl) => suiteDocument(published, { serverUrl, version: '0.0.0' }),
    },
    eventsOf: (name) => [catalogProfile, posProfile].find((each) => each.interface === name)?.events ?? null,
    urlProblem,
    demoFixture: () => fixture('demo') as Fixture,
    startFixture: () => fixture(options.fixtures ?? 'none'),
    version: '0.0.0',
    startedAt,
    publicUrl: options.publicUrl ?? null,
    adminToken: () => options.adminToken ?? null,
  }
  const control = controlPlane(context)

  const server = createServer(false, [control, catalog, pos], control.dialect)
  server.decorate('webhookUrlProblem', (url: string) => urlProblem(url))
  holdAnswersUntilCommitted(server, database)
  const routes = mount(server, control, workspaces)
  for (const definition of [catalog, pos]) {
    published.push({ definition, routes: mount(server, definition, workspaces) })
  }
  server.addHook('onClose', async () => {
    await webhooks.stop()
    database.close()
  })
  onTestFinished(async () => {
    await server.close()
  })
  const start = context.startFixture()
  if (start) openFixture(workspaces, records, start)
  await server.ready()
  webhooks.start()

  const inject = async (
    method: Method,
    url: string,
    { body, raw, headers = {} }: SimCall,
  ): Promise<SimAnswer> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await server.inject({
      method,
      url,
      headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload }),
    })
    const text = response.payload
    return {
      status: response.statusCode,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      text,
    }
  }

  return {
    server,
    workspaces,
    records,
    webhooks,
    routes,
    async sim(method, path, call = {}) {
      const url = `/_sim${path}`
      const answer = await inject(method, url, call)
      contractOf({ definition: control, routes }).judge({
        method,
        url,
        status: answer.status,
        contentType: answer.headers['content-type'] as string | undefined,
        text: answer.text,
        sent: call.body,
      })
      return answer
    },
    call: (method, path, key, body) =>
      inject(method, path, { body, headers: { authorization: `Bearer ${key}` } }),
  }
}

export interface Made {
  readonly id: string
  readonly key: string
  readonly userId: string
}

/** Makes a workspace through the control plane. */
export async function makeWorkspace({ sim }: ControlApp, body?: object): Promise<Made> {
  const answer = await sim('POST', '/workspaces', body === undefined ? {} : { body })
  if (answer.status !== 201) throw new Error(answer.text)
  const { workspace, user, key } = answer.body as {
    workspace: { id: string }
    user: { id: string }
    key: string
  }
  return { id: workspace.id, key, userId: user.id }
}

/** The error body that a refusal answers with. */
export const error = (code: string, message: unknown, details?: unknown) => ({
  error: { code, message, ...(details !== undefined && { details }) },
})
