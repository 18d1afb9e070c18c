/** Servers that follow an overlay. Every answer is checked against the documents of that server. */
import { onTestFinished } from 'vitest'
import { observing as extensionOf, type App, type AppOptions } from '../../src/app.ts'
import type { ObservingOptions } from '../../src/observed/index.ts'
import type { Entry } from '../../src/observed/format.ts'
import type { JournalRecord } from './journal.ts'
import { credentialHeader } from '../support/app.ts'
import { makeContract, type Contract } from '../support/contract.ts'
import { buildApp } from '../support/subject.ts'
import { overlayOf } from './overlays.ts'

export interface Answered<Body> {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly body: Body
  /** The call in the journal. */
  readonly call: () => Promise<JournalRecord>
  /** The hints of the code `observed`. */
  readonly hints: () => Promise<string[]>
}

export interface Observing {
  readonly app: App
  readonly contract: (name: string) => Promise<Contract>
  readonly call: <Body = unknown>(
    name: string,
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    options?: { body?: unknown; key?: string | null; headers?: Record<string, string> },
  ) => Promise<Answered<Body>>
  readonly control: <Body = unknown>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: unknown,
  ) => Promise<Body>
}

/** Starts a server with the small fixture that follows these entries. */
export const observing = (...entries: readonly Entry[]): Promise<Observing> =>
  startObserving({ observed: overlayOf(...entries) })

/** Starts a server with the small fixture, and closes it after the test. */
export async function startObserving(options: AppOptions & ObservingOptions): Promise<Observing> {
  const started = await startUnclosed(options)
  onTestFinished(() => started.app.close())
  return started
}

/** Starts a server that the caller closes. */
export async function startUnclosed(options: AppOptions & ObservingOptions): Promise<Observing> {
  const app = await buildApp({ fixtures: 'small', ...options, extension: await extensionOf(options) })
  const contracts = new Map<string, Contract>()
  const contract = async (name: string): Promise<Contract> => {
    const found = contracts.get(name) ?? makeContract(await app.published(name))
    contracts.set(name, found)
    return found
  }
  const control: Observing['control'] = async (method, path, body) => {
    const response = await app.fastify.inject({
      method,
      url: `/_sim${path.replace('{id}', 'demo')}`,
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return response.json()
  }
  return {
    app,
    contract,
    control,
    async call<Body>(
      name: string,
      method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
      path: string,
      {
        body,
        key = app.demoKey,
        headers = {},
      }: { body?: unknown; key?: string | null; headers?: Record<string, string> } = {},
    ) {
      const { published, check } = await contract(name)
      const { definition } = published
      const url = definition.basePath + path
      const response = await app.fastify.inject({
        method,
        url,
        headers: { ...(key !== null && credentialHeader(definition, key)), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      const { statusCode: status, payload: text } = response
      const contentType = response.headers['content-type'] as string | undefined
      check({ method, url, status, contentType, text, sent: body })
      if (text !== '') {
        const length = response.headers['content-length']
        if (length !== undefined && Number(length) !== response.rawPayload.length)
          throw new Error(
            `content-length is ${String(length)}, but the body has ${String(response.rawPayload.length)} bytes`,
          )
      }
      const id = response.headers['x-request-id'] as string
      const call = async (): Promise<JournalRecord> => control('GET', `/workspaces/{id}/requests/${id}`)
      return {
        status,
        headers: response.headers,
        text,
        body: (contentType?.startsWith('application/json') === true ? JSON.parse(text) : text) as Body,
        call,
        hints: async () => {
          const { hints = [] } = await call()
          return hints.filter(({ code }) => code === 'observed').map(({ message }) => message)
        },
      }
    },
  }
}
