/** Builds the request of a call of an operation from the arguments of a tool. */
import { fillPath } from '@suite-sim/kit/paths'
import { CALLER_HEADER } from '@suite-sim/kit/calls/callerName'
import type { Schema } from '../shared/document.ts'
import {
  contentOf,
  isOpen,
  MULTIPART,
  nearestNames,
  parametersIn,
  WORKSPACE_PARAMETER,
  type InterfaceOperation,
} from './operations.ts'
import { queryText, textOf } from '../shared/tools.ts'

/** The bytes of all files of a call. The protocol sends them in one line, which takes long to read. */
export const MAX_FILE_BYTES = 16_777_216

const MAX_FILES = 100

export interface CallArguments {
  readonly path?: Schema
  readonly query?: Schema
  readonly body?: unknown
  readonly headers?: Schema
  readonly files?: Schema
}

/** Who makes the calls of a session. */
export interface Caller {
  /** The name in the journal. */
  readonly name: string
  readonly workspace: string
  readonly key: string
}

export interface CallRequest {
  /** The path with the query, from the root of the server. */
  readonly path: string
  readonly init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string | FormData
  }
}

/** A call of the control plane. */
export interface ControlRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Returns the request. Throws an error that names the argument if the operation has no such part. */
export function requestOf(operation: InterfaceOperation, args: CallArguments, caller: Caller): CallRequest {
  const { query = {}, headers = {} } = args
  const path = pathOf(operation, args)
  const { body, type } = bodyOf(operation, args)
  return {
    path: path + queryText(queryOf(operation, query, caller)),
    init: {
      method: operation.method,
      headers: {
        ...(type !== undefined && { 'content-type': type }),
        ...callerHeaders(operation, headers),
        ...credentialOf(operation, caller.key),
        [CALLER_HEADER]: caller.name,
      },
      ...(body !== undefined && { body }),
    },
  }
}

/** Returns the request of a call of the control plane, whose credential and headers the session sets. */
export function controlRequestOf(operation: InterfaceOperation, args: CallArguments): ControlRequest {
  if (args.headers !== undefined) throw new Error(`${operation.name} takes no headers`)
  const confined = withBound(operation, args)
  bodyOf(operation, confined)
  return {
    method: operation.method,
    path: pathOf(operation, confined) + queryText(confined.query ?? {}),
    ...(confined.body !== undefined && { body: confined.body }),
  }
}

/** Adds the workspace of a confined session. Throws if the arguments have another one. */
function withBound({ bound }: InterfaceOperation, args: CallArguments): CallArguments {
  if (!bound) return args
  const { place, name, workspace } = bound
  const values = args[place] ?? {}
  if (!isObject(values)) throw new Error(`${place} must be an object`)
  const { [name]: sent = workspace } = values
  if (sent === workspace) return { ...args, [place]: { ...values, [name]: workspace } }
  throw new Error(
    `This session is confined to the workspace ${workspace}. Omit ${name}, or set it to ${workspace}.`,
  )
}

function pathOf(operation: InterfaceOperation, { path = {} }: CallArguments): string {
  const known = parametersIn(operation, 'path').map(({ name }) => name)
  const unknown = Object.keys(path).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const [near] = nearestNames(unknown, known)
    const hint = near ?? (known.join(', ') || 'it has none')
    throw new Error(
      `path.${unknown} is not a parameter of ${operation.template}; its path parameters: ${hint}`,
    )
  }
  const missing = known.filter((name) => path[name] === undefined)
  if (missing.length > 0) {
    throw new Error(
      `${missing.map((name) => `path.${name}`).join(', ')} is required in ${operation.template}`,
    )
  }
  return fillPath(operation.template, path)
}

/** An operation without a key finds its workspace by a parameter, which must not lead out of the session. */
function queryOf(operation: InterfaceOperation, query: Schema, { workspace }: Caller): Schema {
  const choosesWorkspace =
    isOpen(operation) && operation.parameters.some(({ name }) => name === WORKSPACE_PARAMETER)
  if (!choosesWorkspace) return query
  const { [WORKSPACE_PARAMETER]: sent = workspace } = query
  if (sent === workspace) return { ...query, [WORKSPACE_PARAMETER]: workspace }
  throw new Error(
    `query.${WORKSPACE_PARAMETER} must be ${workspace}, the workspace of this call; leave it out`,
  )
}

/** Headers that the session or the connection sets. A key of the agent's own would leave the session. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-invoicing-token', 'api_access_token'],
  ...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['expect', 'forwarded', 'origin', 'referer', 'user-agent', 'accept-encoding'],
])

const OWN_PREFIXES = ['x-sim-', 'x-forwarded-', 'sec-', 'proxy-']

function callerHeaders({ document }: InterfaceOperation, headers: Schema): Record<string, string> {
  const credentials = Object.values(document.components?.['securitySchemes'] ?? {}).map((scheme) =>
    ((scheme as { name?: string }).name ?? 'authorization').toLowerCase(),
  )
  return Object.fromEntries(
    Object.entries(headers).map(([written, value]) => {
      const name = written.toLowerCase()
      const isOwn =
        OWN_HEADERS.has(name) ||
        credentials.includes(name) ||
        OWN_PREFIXES.some((prefix) => name.startsWith(prefix))
      if (isOwn) throw new Error(`headers.${written} must be left out: the session sets it`)
      if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name))
        throw new Error(`${written} is not the name of a header`)
      const text = textOf(value)
      if (!/^[\t\x20-\x7e]{0,4000}$/.test(text)) {
        throw new Error(`headers.${written} must have at most 4,000 printable ASCII characters`)
      }
      return [name, text]
    }),
  )
}

/** The header of the first credential of the operation; none if it needs no key. */
function credentialOf(operation: InterfaceOperation, key: string): Record<string, string> {
  if (isOpen(operation)) return {}
  const { document } = operation
  const [requirement = {}] = operation.operation.security ?? document.security ?? []
  const [name = ''] = Object.keys(requirement)
  const { type, name: header = '' } = (document.components?.['securitySchemes']?.[name] ?? {}) as {
    readonly type?: string
    readonly name?: string
  }
  return type === 'apiKey' ? { [header.toLowerCase()]: key } : { authorization: `Bearer ${key}` }
}

function bodyOf(
  operation: InterfaceOperation,
  { body, files }: CallArguments,
): { readonly body?: string | FormData; readonly type?: string } {
  const form = contentOf(operation, MULTIPART)
  const json = contentOf(operation, 'application/json')
  if (files !== undefined && !form) throw new Error(`${operation.name} takes no files`)
  if (form && (files !== undefined || !json)) return { body: formOf(body ?? {}, files ?? {}) }
  if (body === undefined) return {}
  if (!json) throw new Error(`${operation.name} takes no body`)
  return { body: JSON.stringify(body), type: 'application/json' }
}

function formOf(fields: unknown, files: Schema): FormData {
  if (!isObject(fields)) throw new Error('body must be an object with the fields of the form')
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) {
      const repeated = name.endsWith('[]') ? name : `${name}[]`
      for (const each of value) form.append(repeated, textOf(each))
    } else form.append(name, textOf(value))
  }
  const all = Object.entries(files).flatMap(([name, value]) =>
    [value].flat().map((file: unknown) => ({ name, file })),
  )
  if (all.length > MAX_FILES) throw new Error(`files must have at most ${String(MAX_FILES)} files`)
  let size = 0
  for (const { name, file } of all) {
    const { blob, filename } = fileOf(name, file)
    size += blob.size
    if (size > MAX_FILE_BYTES) throw new Error(`files must have at most ${String(MAX_FILE_BYTES)} bytes`)
    form.append(name, blob, filename)
  }
  return form
}

function fileOf(name: string, file: unknown): { readonly blob: Blob; readonly filename: string } {
  const rule = `files.${name} must be an object with base64 or text, and optionally filename and contentType`
  if (!isObject(file)) throw new Error(rule)
  const { base64, text, filename = name, contentType = '', ...rest } = file
  const texts = [filename, contentType].every((each) => typeof each === 'string')
  if (!texts || Object.keys(rest).length > 0) throw new Error(rule)
  if ((typeof base64 === 'string') === (typeof text === 'string')) throw new Error(rule)
  const content = typeof text === 'string' ? text : bytesOf(name, String(base64))
  return { blob: new Blob([content], { type: String(contentType) }), filename: String(filename) }
}

function bytesOf(name: string, base64: string): Uint8Array<ArrayBuffer> {
  const compact = base64.replaceAll(/\s/g, '')
  if (compact.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(compact)) {
    throw new Error(`files.${name}.base64 must be base64 with its padding`)
  }
  return new Uint8Array(Buffer.from(compact, 'base64'))
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
