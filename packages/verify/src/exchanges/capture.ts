/** Reads the calls of a HAR file as exchanges, so that what was captured can be checked without a call. */
import { parseOffsetInstant } from '@suite-sim/kit/time/instants'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { VerifyOptionsError } from '../options.ts'
import type { Operation } from '../model/operation.ts'
import { Answers } from '../crawl/answers.ts'
import type { Exchange } from './exchange.ts'

interface HarHeader {
  readonly name: string
  readonly value: string
}

interface HarEntry {
  readonly startedDateTime: string
  readonly time?: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly postData?: { readonly text?: string }
  }
  readonly response: {
    readonly status: number
    readonly headers?: readonly HarHeader[]
    readonly content?: { readonly text?: string; readonly encoding?: string; readonly mimeType?: string }
  }
}

/** The base URLs of the interfaces: with their base path, without a slash at the end. */
export type Bases = ReadonlyMap<InterfaceName, string>

export interface Capture {
  readonly answers: Answers
  /** The number of calls to other addresses. */
  readonly foreign: number
}

/** Returns the calls to operations. Throws a VerifyOptionsError if the value is no HAR file. */
export function readCapture(har: unknown, operations: readonly Operation[], bases: Bases): Capture {
  const entries = entriesOf(har)
  const answers = new Answers(operations)
  const find = finderOf(operations, bases)
  let foreign = 0
  for (const [index, entry] of entries.entries()) {
    const found = find(entry.request.method, entry.request.url)
    if (!found) foreign++
    else if (entry.response.status > 0) answers.add(exchangeOf(entry, found, index + 1))
  }
  return { answers, foreign }
}

function entriesOf(har: unknown): readonly HarEntry[] {
  const entries = (har as { log?: { entries?: unknown } } | null)?.log?.entries
  if (!Array.isArray(entries))
    throw new VerifyOptionsError('the capture must be a HAR file, with log.entries')
  const wrong = entries.findIndex((entry) => !isEntry(entry))
  if (wrong !== -1)
    throw new VerifyOptionsError(
      `log.entries[${String(wrong)}] must have startedDateTime (a time with a time zone), request.method, request.url and response.status; response.headers must be a list of names and values, and texts must be strings`,
    )
  return entries as readonly HarEntry[]
}

function isEntry(entry: unknown): boolean {
  if (!isObject(entry)) return false
  const { startedDateTime, time, request, response } = entry
  return (
    typeof startedDateTime === 'string' &&
    parseOffsetInstant(startedDateTime) !== null &&
    (time === undefined || Number.isFinite(time)) &&
    isObject(request) &&
    typeof request['method'] === 'string' &&
    typeof request['url'] === 'string' &&
    URL.canParse(request['url']) &&
    hasTexts(request['postData'], ['text']) &&
    isObject(response) &&
    Number.isInteger(response['status']) &&
    isHeaders(response['headers']) &&
    hasTexts(response['content'], ['text', 'encoding', 'mimeType'])
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'

/** True for nothing, and for an object whose fields with these names are strings or missing. */
const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  value === undefined || (isObject(value) && names.every((name) => isText(value[name])))

const isHeaders = (headers: unknown): boolean =>
  headers === undefined ||
  (Array.isArray(headers) &&
    headers.every(
      (each) => isObject(each) && typeof each['name'] === 'string' && typeof each['value'] === 'string',
    ))

interface Found {
  readonly operation: Operation
  readonly path: Readonly<Record<string, string>>
}

/** Returns a function that finds the operation of a call, and the values in its path. */
function finderOf(
  operations: readonly Operation[],
  bases: Bases,
): (method: string, url: string) => Found | null {
  const patterns = operations.map((operation) => ({
    operation,
    base: bases.get(operation.interface) ?? '',
    pattern: new RegExp(
      `^${operation.path
        .split('/')
        .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/, '(?<$1>[^/]+)'))
        .join('/')}/?$`,
    ),
  }))
  // Paths with more fixed segments come first: /candidates/search before /candidates/{id}.
  patterns.sort((a, b) => a.operation.inPath.length - b.operation.inPath.length)
  return (method, url) => {
    const [address = ''] = url.split(/[?#]/, 1)
    for (const { operation, base, pattern } of patterns) {
      if (operation.method !== method.toUpperCase() || !address.startsWith(base)) continue
      const match = pattern.exec(address.slice(base.length))
      if (match) {
        const path = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)])
        return { operation, path: Object.fromEntries(path) as Record<string, string> }
      }
    }
    return null
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function exchangeOf(
  { startedDateTime, time, request, response }: HarEntry,
  found: Found,
  number: number,
): Exchange {
  const { operation, path } = found
  const { content = {} } = response
  const headers = Object.fromEntries(
    (response.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]),
  )
  const text =
    content.encoding === 'base64'
      ? Buffer.from(content.text ?? '', 'base64').toString('utf8')
      : (content.text ?? '')
  const type = headers['content-type'] ?? content.mimeType ?? ''
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const isList = /^(?:list|search)/.test(operation.id)
  const body = request.postData?.text === undefined ? undefined : parsed(request.postData.text)
  return {
    number,
    probe: {
      operation,
      path,
      query,
      ...(body !== undefined && { body }),
      purpose:
        operation.method !== 'GET' || Object.keys(query).length > 0
          ? { kind: 'captured' }
          : isList
            ? { kind: 'plain' }
            : { kind: 'record', of: null, row: null },
    },
    at: startedDateTime,
    durationMs: Math.round(time ?? 0),
    url: request.url,
    status: response.status,
    headers: { ...headers, ...(type !== '' && { 'content-type': type }) },
    body: type.includes('json') ? parsed(text) : undefined,
    text,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
