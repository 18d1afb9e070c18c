/**
 * A new workspace for each test, called over HTTP. The tests of a file share an app and do not see each other's
 * records; a test of the app itself creates its own. Every response is checked against the published OpenAPI
 * document.
 */
import type { InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import type { App, AppOptions } from '../../src/app.ts'
import type { InterfaceDefinition, LoadedInterface, Published } from '../../src/http/definition/definition.ts'
import { instantOf, iso } from '@suite-sim/kit/time/instants'
import type { NewKey } from '../../src/state/workspace/keys.ts'
import type { User } from '../../src/state/workspace/users.ts'
import type { Workspace } from '../../src/state/workspace/workspace.ts'
import type { NewWorkspace } from '../../src/state/workspace/registry.ts'
import { contractOf } from './contract.ts'
import { atEndOfFile } from './endOfFile.ts'
import { watchRevisions } from './revisions.ts'
import { HEAVY_THREAD } from './process.ts'
import { buildApp, INTERFACES, IS_BUILT } from './subject.ts'
import { dumpOf, rowsOf } from './records.ts'

export interface CallOptions {
  /** Defaults to the key of the workspace; null sends none. */
  readonly key?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Buffer
  /** Defaults to "application/json" if there is a body; null sends none. */
  readonly contentType?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a fault gives the answer, so that the document does not have it. */
  readonly isFaulty?: boolean
}

/**
 * A response. `Body` is the type that the test assumes; the response has already been checked against the document.
 */
export interface Answer<Body = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Parsed if it is JSON; undefined if the response has no body. */
  readonly body: Body
  readonly text: string
}

export type Method = NonNullable<InjectOptions['method']>

export type Call<Body = unknown> = (
  method: Method,
  url: string,
  options?: CallOptions,
) => Promise<Answer<Body>>

/** A workspace with one user, and a key of that user with all permissions. */
export interface Tenant {
  readonly workspace: Workspace
  readonly user: User
  readonly key: string
}

export interface FreshApp extends Tenant {
  readonly app: App
  /** Calls a full path: "/workspace/public/v1/products". */
  readonly call: Call
  /** Calls paths relative to the base path of an interface: `at('catalog')('GET', '/products')`. */
  readonly at: <Body = unknown>(name: string) => Call<Body>
  /** Creates another workspace. */
  readonly tenant: (settings?: Partial<NewWorkspace>) => Tenant
  /** Creates another key of the first workspace, or of the given one. */
  readonly makeKey: (newKey: NewKey, workspace?: Workspace) => string
  /** Sets the clock and runs due jobs. The clock is frozen unless the options say otherwise. */
  readonly setClock: (now: string, options?: { frozen?: boolean; workspace?: Workspace }) => void
  /** The time of the first workspace. */
  readonly now: () => string
  /** Returns every record of the test's workspaces, to check that nothing has changed. */
  readonly dump: () => unknown
  /** Returns every stored row of the test's workspaces: a faster check that nothing has changed. */
  readonly rows: () => unknown
  /** Returns the definition of an interface. */
  readonly definition: (name: string) => Promise<LoadedInterface>
}

const shared = new Map<string, Promise<App>>()

atEndOfFile(async () => {
  const apps = await Promise.all(shared.values())
  shared.clear()
  for (const app of apps) await app.close()
})

async function started(options: AppOptions): Promise<App> {
  // Most tests call without pauses; tests of the rate limits switch them on.
  const app = await buildApp({
    db: ':memory:',
    fixtures: 'none',
    rateLimits: false,
    ...(IS_BUILT && { heavyThread: HEAVY_THREAD }),
    ...options,
  })
  watchRevisions(app)
  await app.fastify.ready()
  return app
}

/** Creates an app for this test only, and closes it after the test. */
async function ownApp(options: AppOptions): Promise<App> {
  const app = await started(options)
  onTestFinished(() => app.close())
  return app
}

/** Returns the app of this file that was started with these options. */
function sharedApp(options: AppOptions): Promise<App> {
  const key = JSON.stringify(options)
  let app = shared.get(key)
  if (!app) shared.set(key, (app = started(options)))
  return app
}

/** True for options that affect the whole app, such as its fixtures and the seed of its ids. */
const isOfTheApp = ({ db, fixtures, seed, logger, adminToken, publicUrl }: AppOptions): boolean =>
  [db, fixtures, seed, logger, adminToken, publicUrl].some((each) => each !== undefined)

export type FreshOptions = AppOptions & { readonly ownApp?: boolean }

/**
 * Creates a workspace in the app of the file, or in a new app with `ownApp` or with options that affect the whole
 * app.
 */
export async function freshApp(options: FreshOptions = {}): Promise<FreshApp> {
  const { ownApp: wantsOwn = false, ...rest } = options
  const app = await (wantsOwn || isOfTheApp(rest) ? ownApp(rest) : sharedApp(rest))

  const tenants: Workspace[] = []
  const tenant = (settings: Partial<NewWorkspace> = {}): Tenant =>
    app.workspaces.create({ name: 'Test workspace', ...settings }, (workspace) => {
      const user = workspace.addUser({ name: 'Test User', email: 'test.user@example.com' })
      const { key } = app.workspaces.keys.add(workspace, { userId: user.id })
      app.records.keepOthers(workspace)
      tenants.push(workspace)
      return { workspace, user, key }
    })
  const first = tenant()
  const call = callOf(app, first.key)

  return {
    ...first,
    app,
    call,
    at:
      <Body>(name: string): Call<Body> =>
      async (method, path, callOptions) => {
        const answer = await call(method, entryOf(name).basePath + path, callOptions)
        return answer as Answer<Body>
      },
    tenant,
    makeKey: (newKey, workspace = first.workspace) => app.workspaces.keys.add(workspace, newKey).key,
    setClock(now, { frozen = true, workspace = first.workspace } = {}) {
      workspace.clock.set(instantOf(now, workspace), frozen)
      void workspace.runDueJobs()
    },
    now: () => iso(first.workspace.now()),
    dump: () =>
      tenants.map(({ id }) => {
        const workspace = app.workspaces.find(id)
        return workspace && dumpOf(app.records, workspace)
      }),
    rows: () =>
      tenants.map(({ id }) => {
        const workspace = app.workspaces.find(id)
        return workspace && rowsOf(app.records, workspace)
      }),
    definition: async (name) => (await app.published(name)).definition,
  }
}

function entryOf(name: string): InterfaceDefinition {
  const found = INTERFACES.find((entry) => entry.name === name)
  if (!found) throw new Error(`There is no interface ${name}.`)
  return found
}

/** The documents show account 1, which is that of the demo. Calls use the account of the key instead. */
const inAccountOf = ({ workspaces }: App, key: string, url: string): string =>
  url.replace(
    /^(\/chat\/api\/v1\/accounts\/)1(?=\/)/,
    (_all, before: string) => `${before}${String(workspaces.keys.caller(key)?.workspace.tenantId ?? 1)}`,
  )

function callOf(app: App, ownKey: string): Call {
  return async (method, url, options = {}) => {
    const published = await publishedAt(app, url)
    const definition = published?.definition
    const key = options.key === undefined ? ownKey : options.key
    const address = inAccountOf(app, key ?? ownKey, url)
    const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const contentType = options.contentType === undefined ? 'application/json' : options.contentType
    const response = await app.fastify.inject({
      method,
      url: address,
      headers: {
        ...(definition && key !== null && credentialHeader(definition, key)),
        ...(payload !== undefined && contentType !== null && { 'content-type': contentType }),
        ...options.headers,
      },
      ...(payload !== undefined && { payload }),
    })
    const type = response.headers['content-type'] as string | undefined
    const text = response.payload
    const body =
      text !== '' && type?.startsWith('application/json') ? (JSON.parse(text) as unknown) : undefined
    if (published && options.isFaulty !== true) {
      contractOf(published).check({
        method,
        url,
        status: response.statusCode,
        contentType: type,
        text,
        body,
        sent: options.body,
      })
    }
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      body,
      text,
    }
  }
}

const PAGES_PATHS = INTERFACES.flatMap((entry) =>
  [entry.pagesPath ?? [], entry.framedPagesPath ?? []].flat().map((path) => `${path}/`),
)

/** The interface, or the control plane, that serves this path. */
async function publishedAt(app: App, url: string): Promise<Published | undefined> {
  const isWithin = (basePath: string): boolean =>
    url.startsWith(basePath) && /^([/?]|$)/.test(url.slice(basePath.length))
  // Hosted pages are in no document.
  if (PAGES_PATHS.some((path) => url.startsWith(path))) return undefined
  const entry = INTERFACES.find(({ basePath }) => isWithin(basePath))
  if (entry) return app.published(entry.name)
  return isWithin('/_sim') ? app.published('control') : undefined
}

/** The header in which the interface expects the key. */
export function credentialHeader(
  { dialect }: Pick<LoadedInterface, 'dialect'>,
  key: string,
): Record<string, string> {
  const { credential } = dialect
  switch (credential.kind) {
    case 'bearer':
      return { authorization: `Bearer ${key}` }
    case 'header':
      return { [credential.header.toLowerCase()]: key }
    case 'open':
      return {}
  }
}
