/** Converts HAR files (HTTP Archive 1.2) to steps: those of browsers and proxies, and those of the request journal. */
import { INTERFACES } from '@suite-sim/client/generated/control'
import { isWithoutEffect } from '@suite-sim/kit/calls/recordingFormat'
import { isHidden } from '@suite-sim/kit/calls/redaction'
import { httpDate, iso } from '@suite-sim/kit/time/instants'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { isField, isHeader, isMethod, isStatus } from './format/checks.ts'
import { isObject, type Members, type RecordedField, type Recording, type Step } from './format/recording.ts'

/** Returns the calls of a HAR file to paths of interfaces, in the order of their times. */
export function harRecording(file: string, log: Members): Recording {
  const { entries } = log
  if (!Array.isArray(entries)) throw new UsageError(`${file}: log.entries must be a list`)
  const steps = entries.flatMap(
    (entry, index) => stepOf(entry, `${file}: log.entries[${String(index)}]`) ?? [],
  )
  if (steps.length === 0) {
    const paths = Object.values(INTERFACES).map(({ basePath }) => basePath)
    throw new UsageError(
      `${file}: log.entries must contain a call of an interface; their paths start with ${paths.join(', ')}`,
    )
  }
  // The journal lists the newest call first; several can have the same time. Calls without a time keep their order.
  const inOrder = isOfJournal(log) ? steps.toReversed() : steps
  const hasTimes = steps.every(({ at }) => at !== null)
  const ordered = hasTimes ? inOrder.toSorted((one, other) => timeOf(one) - timeOf(other)) : inOrder
  return {
    id: 'har',
    name: file,
    version: null,
    endedBy: null,
    workspace: null,
    start: null,
    steps: ordered,
    end: null,
  }
}

const timeOf = ({ at }: Step): number => httpDate(at ?? '')

const isOfJournal = ({ creator }: Members): boolean =>
  isObject(creator) && creator['name'] === 'suite-simulator'

/** Returns the step of an entry; null if its path is not one of an interface. */
function stepOf(entry: unknown, place: string): Step | null {
  const { request, response, startedDateTime } = isObject(entry) ? entry : {}
  if (!isObject(request) || !isObject(response)) {
    throw new UsageError(`${place} must have a request and a response`)
  }
  const { method, url, headers, postData, bodySize } = request
  const wanted = typeof method === 'string' ? method.toUpperCase() : null
  if (!isMethod(wanted) || typeof url !== 'string' || !URL.canParse(url)) {
    throw new UsageError(`${place}.request must have a method and a URL`)
  }
  const { origin, pathname, search } = new URL(url)
  const name = interfaceOf(pathname)
  if (name === null) return null
  const { status, content } = response
  if (typeof status !== 'number' || !isStatus(status)) {
    throw new UsageError(`${place}.response.status must be 0 or a status from 100 to 599`)
  }
  return {
    kind: 'call',
    at: isTime(startedDateTime) ? iso(httpDate(startedDateTime)) : null,
    interface: name,
    method: wanted,
    path: pathname + search,
    origin,
    headers: headersOf(headers),
    ...bodyOf(postData, bodySize),
    status,
    ...locationOf(response),
    ...answerOf(content),
  }
}

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(httpDate(value))

/** Returns the interface with the longest base path of a path; null without one. */
function interfaceOf(path: string): string | null {
  const found = Object.entries(INTERFACES)
    .filter(([, { basePath }]) => path === basePath || path.startsWith(`${basePath}/`))
    .toSorted(([, one], [, other]) => other.basePath.length - one.basePath.length)
  return found[0]?.[0] ?? null
}

function headersOf(headers: unknown): Record<string, string> {
  const pairs = Array.isArray(headers) ? headers.filter(isObject) : []
  return Object.fromEntries(
    pairs.flatMap(({ name, value }) => {
      if (typeof name !== 'string' || !isHeader(name, value)) return []
      const lower = name.toLowerCase()
      return isWithoutEffect(lower) || isHidden(lower) ? [] : [[lower, value]]
    }),
  )
}

function bodyOf(postData: unknown, size: unknown): Partial<Step> {
  const { text, mimeType, params } = isObject(postData) ? postData : {}
  if (Array.isArray(params) && params.length > 0 && !hasText(text)) {
    if (!String(mimeType).startsWith('multipart/')) {
      return { text: new URLSearchParams(params.flatMap(pairOf)).toString() }
    }
    const form = params.flatMap(fieldOf)
    return form.every(isField) ? { form } : { isBodyMissing: true }
  }
  if (!hasText(text)) return typeof size === 'number' && size > 0 ? { isBodyMissing: true } : {}
  // The journal cuts long bodies.
  if (typeof size === 'number' && size > Buffer.byteLength(text)) return { isBodyMissing: true }
  // A multipart body in the journal names its files without their contents.
  if (String(mimeType).startsWith('multipart/')) return { isBodyMissing: true }
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return { text }
  }
}

const hasText = (text: unknown): text is string => typeof text === 'string' && text !== ''

function pairOf(param: unknown): [string, string][] {
  const { name, value } = isObject(param) ? param : {}
  return typeof name === 'string' ? [[name, typeof value === 'string' ? value : '']] : []
}

function fieldOf(param: unknown): RecordedField[] {
  const { name, value, fileName, contentType } = isObject(param) ? param : {}
  if (typeof name !== 'string') return []
  const text = typeof value === 'string' ? value : ''
  if (typeof fileName !== 'string') return [{ name, value: text }]
  const type = typeof contentType === 'string' ? contentType : 'application/octet-stream'
  return [{ name, filename: fileName, contentType: type, base64: Buffer.from(text).toString('base64') }]
}

function locationOf({ redirectURL }: Members): Partial<Step> {
  return hasText(redirectURL) ? { location: redirectURL } : {}
}

function answerOf(content: unknown): Partial<Step> {
  const { text, encoding, size } = isObject(content) ? content : {}
  if (!hasText(text)) return typeof size === 'number' && size > 0 ? { file: true } : {}
  const decoded = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text
  if (typeof size === 'number' && size > Buffer.byteLength(decoded)) return { file: true }
  try {
    return { answer: JSON.parse(decoded) as unknown }
  } catch {
    return { answerText: decoded }
  }
}
