/** Reads snapshots in files and at URLs, also compressed ones. Nothing of their content is in error messages. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { redactedUrl } from '@suite-sim/kit/calls/redaction'
import { nearestName } from '@suite-sim/kit/text/nearestName'

/** A source that cannot be read. The message is the end of a sentence: "cannot read the file x.json: ...". */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly why: string

  constructor(source: string, why: string) {
    super(`${shownSource(source)}: ${why}`)
    this.why = why
  }
}

/** Maximum number of redirects that are followed. */
const MAX_REDIRECTS = 3

/** Ms without data after which a download fails. */
const IDLE_MS = 30_000

const isUrl = (source: string): boolean => /^https?:/i.test(source)

/** Returns why a text is not a path or a URL; null if it is one. A path has a slash or ends in .json or .json.gz. */
export function sourceProblem(source: string): string | null {
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(source)?.[1]?.toLowerCase()
  if (scheme === undefined) {
    if (/[/\\]|\.json(?:\.gz)?$/i.test(source)) return null
    const nearest = nearestName(source, ['none', 'small', 'demo'])
    return nearest === null ? NO_SOURCE : `${NO_SOURCE}; did you mean "${nearest}"?`
  }
  if (!['http', 'https', 'file'].includes(scheme)) return 'must be a URL that starts with http, https or file'
  if (!URL.canParse(source)) return 'must be a complete URL'
  const { username, password } = new URL(source)
  return username === '' && password === '' ? null : 'must be a URL without credentials'
}

const NO_SOURCE =
  'must be "none", "small", "demo", a snapshot, or the URL or path of one (a path has a slash or ends in .json)'

/** Yields the bytes of a file or a response, uncompressed. A relative path starts in the working directory of the server. */
export async function* openSource(source: string, idleMs = IDLE_MS): AsyncGenerator<Buffer, void> {
  const bytes = isUrl(source) ? download(source, idleMs) : fileBytes(source)
  try {
    const first = await bytes.next()
    if (first.done === true) return
    const isCompressed = first.value[0] === 0x1f && first.value[1] === 0x8b
    const all = startingWith(first.value, bytes)
    // The callback only keeps the error from being thrown; the iteration reports it.
    if (isCompressed) yield* pipeline(all, createGunzip(), () => undefined) as AsyncIterable<Buffer>
    else yield* all
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError(source, wordsOf(error))
  } finally {
    await bytes.return()
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield first
  yield* rest
}

/** Returns the source as messages show it: without secrets in its query. */
export const shownSource = (source: string): string =>
  isUrl(source) ? redactedUrl(source) : `the file ${source}`

async function* fileBytes(source: string): AsyncGenerator<Buffer, void> {
  const path = /^file:/i.test(source) ? fileURLToPath(source) : source
  // Opening a named pipe or a device might never end.
  if (!(await stat(path)).isFile()) throw new SourceError(source, 'it is not a regular file')
  yield* createReadStream(path) as AsyncIterable<Buffer>
}

async function* download(source: string, idleMs: number): AsyncGenerator<Buffer, void> {
  const idle = new AbortController()
  const timer = setTimeout(() => {
    idle.abort(new SourceError(source, `no data for ${String(idleMs / 1000)} seconds`))
  }, idleMs)
  try {
    const { body } = await follow(source, idle.signal)
    if (!body) return
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      timer.refresh()
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    }
  } catch (error) {
    throw idle.signal.aborted ? (idle.signal.reason as Error) : error
  } finally {
    clearTimeout(timer)
    idle.abort()
  }
}

/** Requests a URL, and follows its redirects. */
async function follow(source: string, signal: AbortSignal): Promise<Response> {
  let url = source
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
    const next = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || next === null) {
      if (response.ok) return response
      throw new SourceError(source, `the server answered ${String(response.status)}`)
    }
    await response.body?.cancel()
    if (redirects >= MAX_REDIRECTS) {
      throw new SourceError(source, `more than ${String(MAX_REDIRECTS)} redirects`)
    }
    url = URL.canParse(next, url) ? new URL(next, url).href : ''
    if (!isUrl(url) || sourceProblem(url) !== null) {
      throw new SourceError(source, 'it redirects to an address that is not allowed')
    }
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'this user may not read it',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host does not exist',
  ERR_INVALID_FILE_URL_HOST: 'it is on another machine',
}

function wordsOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown; message?: unknown } }
  const found = [cause?.code, code, cause?.message].find((each) => typeof each === 'string')
  if (found?.startsWith('Z_') === true) return 'it is not complete gzip data'
  return WORDS[found ?? ''] ?? `it cannot be read${found === undefined ? '' : ` (${found})`}`
}
