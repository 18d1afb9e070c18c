/** The simulator that served this page, called through the typed client of the library. */
import { ControlPlaneClient, type OperationId, type Schema } from '@suite-sim/client/calling'
import { SimulatorError } from '@suite-sim/client/errors'

/** The session storage key of the token. The documentation page uses the same key. */
const TOKEN = 'suite-sim-admin-token'

/** The base URL of the server, which may include the path of a proxy. */
export const ROOT = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** The built-in receiver of this server. The page Inbox shows what it receives. */
export const RECEIVER = `${ROOT}/_sim/receiver`

let calling = new ControlPlaneClient(ROOT, sessionStorage.getItem(TOKEN))
const tokenListeners = new Set<(refusal: string) => void>()

export const server = (): ControlPlaneClient => calling

/**
 * Calls the listener when the server requires another token, with the reason; it is empty if the tab has no token yet.
 * Returns a function that removes the listener.
 */
export function onTokenNeeded(listener: (refusal: string) => void): () => void {
  tokenListeners.add(listener)
  return () => tokenListeners.delete(listener)
}

export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN, token)
  calling = new ControlPlaneClient(ROOT, token)
}

/** Returns true if the server requires a token, and notifies the listeners. */
export function needsToken(error: unknown): boolean {
  if (!(error instanceof SimulatorError) || error.status !== 401) return false
  const refusal = sessionStorage.getItem(TOKEN) === null ? '' : error.message
  for (const listener of tokenListeners) listener(refusal)
  return true
}

/** Returns the message of an error, which comes from the server. */
export const errorMessageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Downloads the response of a call as a file. */
export async function save(
  id: OperationId,
  path: Readonly<Record<string, string | number>>,
  filename: string,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await calling.send(id, { path, query })
  saveBlob(await response.blob(), filename)
}

export function saveBlob(blob: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = filename
  link.click()
  setTimeout(() => {
    URL.revokeObjectURL(link.href)
  }, 1000)
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly 'x-specification'?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

export interface OpenApiOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly 'x-fidelity'?: 'documented' | 'assumed'
  readonly 'x-fidelity-why'?: string
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>
  }
}

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly format?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  /** The section of the record that a text refers to. */
  readonly 'x-record'?: string
}

const documents = new Map<string, Promise<OpenApi>>()

/** Returns the OpenAPI document of an interface. Loads it once. */
export function documentOf(name: string): Promise<OpenApi> {
  let document = documents.get(name)
  if (!document) {
    document = calling.call('getOpenapiOfInterface', {
      path: { interface: name },
    }) as unknown as Promise<OpenApi>
    documents.set(name, document)
    document.catch(() => documents.delete(name))
  }
  return document
}

/** Finds an operation in the OpenAPI document of an interface; null if it does not exist. */
export async function operationOf(name: string, operationId: string) {
  const { paths, info } = await documentOf(name)
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods)) {
      if (operation.operationId === operationId) return { info, operation }
    }
  }
  return null
}

export type InterfaceName = Schema<'JournalEntry'>['interface']
export type TimelineItem = Schema<'TimelineItem'>
export type Workspace = Schema<'Workspace'>

/** Returns the name of a workspace with its id, because names repeat. */
export const titleOf = ({ id, name }: Workspace): string => (name === id ? id : `${name} (${id})`)

let shardOf: ReadonlyMap<string, string> = new Map()

/** Must be called with each list of workspaces. */
export function noteShards(shards: ReadonlyMap<string, string>): void {
  shardOf = shards
}

/**
 * Returns the query that sends a call without a workspace to the server of this workspace. A proxy in front of several
 * servers chooses by it; the query of a server without `--shard` is empty.
 */
export function shardQueryOf(id: string): object {
  const shard = shardOf.get(id)
  return shard === undefined ? {} : { shard }
}

/** Returns the address of the documentation page, whose calls use a key of the workspace. */
export const docsPage = (workspace: string | undefined): string =>
  workspace === undefined ? 'docs' : `docs?${new URLSearchParams({ workspace }).toString()}`

/** Returns the address of an operation on the documentation page. */
export const docsAddress = (name: string, tag: string, operationId: string, workspace: string): string =>
  `${docsPage(workspace)}&interface=${name}#/${encodeURIComponent(tag)}/${operationId}`
