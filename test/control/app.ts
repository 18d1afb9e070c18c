/**
 * A server for a test of the control plane, called over HTTP and closed after the test. Every response of the control
 * plane is checked against its OpenAPI document.
 */
import { onTestFinished } from 'vitest'
import type { App, AppOptions } from '../../src/app.ts'
import { contractOf } from '../support/contract.ts'
import { atEndOfFile } from '../support/endOfFile.ts'
import { watchRevisions } from '../support/revisions.ts'
import { buildApp } from '../support/subject.ts'

export interface SimCall {
  readonly body?: unknown
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface SimAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // Tests look into bodies whose shape they are about to assert.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly text: string
}

export interface ControlApp extends App {
  /** Calls the control plane: `sim('GET', '/health')`. */
  sim(method: Method, path: string, options?: SimCall): Promise<SimAnswer>
  /** Calls an interface with a key: `call('GET', '/workspace/public/v1/products', key)`. */
  call(method: Method, path: string, key: string, body?: unknown): Promise<SimAnswer>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The app that the tests of a file share while no other test uses it. */
let shared: App | null = null
let isShared = false

/** The apps of the file with options, for tests that share them. */
const withOptions = new Map<string, Promise<App>>()

atEndOfFile(async () => {
  await shared?.close()
  shared = null
  const apps = await Promise.all(withOptions.values())
  withOptions.clear()
  for (const app of apps) await app.close()
})

async function started(options: AppOptions): Promise<App> {
  const app = await buildApp({ webhookTimeoutMs: 30_000, ...options })
  watchRevisions(app)
  await app.fastify.ready()
  return app
}

/** `ownApp` for a test that closes the app. */
type ControlOptions = AppOptions & { readonly ownApp?: boolean }

/** An app in which nothing has happened yet: the one of the file, reset, or an own one if the test needs its options. */
async function unusedApp({ ownApp = false, ...options }: ControlOptions): Promise<App> {
  if (ownApp || Object.keys(options).length > 0 || isShared) {
    const app = await started(options)
    onTestFinished(() => app.close())
    return app
  }
  const app = (shared ??= await started({}))
  isShared = true
  onTestFinished(async () => {
    await app.fastify.inject({ method: 'POST', url: '/_sim/reset' })
    isShared = false
  })
  return app
}

export const controlApp = async (options: ControlOptions = {}): Promise<ControlApp> =>
  callable(await unusedApp(options))

/**
 * The app of the file with these options, for tests that see only what they make themselves. `name` tells it from
 * another app with the same options.
 */
export async function fileApp(options: AppOptions, name = ''): Promise<ControlApp> {
  const key = JSON.stringify([name, options])
  let app = withOptions.get(key)
  if (!app) withOptions.set(key, (app = started(options)))
  return callable(await app)
}

function callable(app: App): ControlApp {
  const inject = async (
    method: Method,
    url: string,
    { body, raw, headers = {} }: SimCall,
  ): Promise<SimAnswer> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await app.fastify.inject({
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
    ...app,
    async sim(method, path, call = {}) {
      const url = `/_sim${path}`
      const answer = await inject(method, url, call)
      contractOf(await app.published('control')).check({
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
  readonly controlToken: string
}

/** Creates a workspace through the control plane. */
export async function makeWorkspace({ sim }: ControlApp, body?: object): Promise<Made> {
  const answer = await sim('POST', '/workspaces', body === undefined ? {} : { body })
  if (answer.status !== 201) throw new Error(answer.text)
  const { workspace, user, key, controlToken } = answer.body as {
    workspace: { id: string }
    user: { id: string }
    key: string
    controlToken: string
  }
  return { id: workspace.id, key, userId: user.id, controlToken }
}

/** The headers of a call with a bearer token. */
export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** The expected error body. */
export const error = (code: string, message: unknown, details?: unknown) => ({
  error: { code, message, ...(details !== undefined && { details }) },
})
