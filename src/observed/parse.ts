/** Reads overlay files, and checks everything in them that needs no knowledge of the interfaces. */
import { parseJson } from '../http/server/json.ts'
import { problemsOf } from '../http/schemas/validation.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { Refusal } from '../state/model/refusal.ts'
import {
  ENTRY_OF_KIND,
  KINDS,
  MAX_CONSTANTS,
  MAX_ENTRIES,
  MAX_HEADERS,
  MAX_OVERLAY_BYTES,
  MAX_PATH_NAMES,
  OverlayHead,
  type Entry,
  type Kind,
  type Overlay,
} from './format.ts'

/** An overlay that cannot be used. The message is one line with the file and the place. */
export class ObservedError extends Error {
  override readonly name = 'ObservedError'
}

/** Returns the overlay in a JSON text. Throws an ObservedError; `file` is the name that its message begins with. */
export function parseOverlay(text: string, file: string): Overlay {
  if (Buffer.byteLength(text) > MAX_OVERLAY_BYTES) {
    throw new ObservedError(`${file}: an overlay must have at most ${String(MAX_OVERLAY_BYTES)} bytes`)
  }
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const why = error.message
      .replace(/^The body /, '')
      .replaceAll(/\s+/g, ' ')
      .replace(/\.$/, '')
    throw new ObservedError(`${file}: an overlay must be JSON, but it ${why}`)
  }
  return checkOverlay(value, file)
}

/** Returns the value as an overlay. Throws an ObservedError for the first place that is wrong. */
export function checkOverlay(value: unknown, file: string): Overlay {
  const fail = (message: string): never => {
    throw new ObservedError(`${file}: ${message}`)
  }
  if (!isObject(value)) return fail('an overlay must be an object with format, measured and entries')
  const { entries, ...head } = value
  const [problem] = problemsOf(OverlayHead, head)
  if (problem) fail(problem.message)
  if (!Array.isArray(entries)) return fail('entries must be a list')
  if (entries.length > MAX_ENTRIES) fail(`entries must have at most ${String(MAX_ENTRIES)} entries`)
  entries.forEach((entry, index) => {
    const [found] = problemsOfEntry(entry)
    if (found !== undefined) fail(atEntry(index, found))
  })
  const size = sizeProblem(entries as readonly Entry[])
  if (size !== null) fail(size)
  return value as unknown as Overlay
}

/** Returns what is too much in all entries together: an answer can have all constants of its interface in each record. */
export function sizeProblem(entries: readonly Entry[]): string | null {
  const sizes = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const [what, maximum, size] = sizeOf(entry)
    const key = `the ${what} of ${entry.interface}`
    const sum = (sizes.get(key) ?? 0) + size
    sizes.set(key, sum)
    if (sum > maximum)
      return atEntry(
        index,
        `must be left out: ${key} must have at most ${String(maximum)} characters together`,
      )
  }
  return null
}

function sizeOf(entry: Entry): readonly [what: string, maximum: number, size: number] {
  if (entry.kind === 'header') return ['headers', MAX_HEADERS, entry.name.length + entry.value.length]
  const isConstant = 'source' in entry && 'constant' in entry.source
  return ['constants', MAX_CONSTANTS, isConstant ? JSON.stringify(entry.source.constant).length : 0]
}

/** Returns a problem with the place of its entry: "entries[3].status must be at least 400". */
export const atEntry = (index: number, problem: string): string =>
  `entries[${String(index)}]${problem.startsWith('must ') ? ' ' : '.'}${problem}`

/** Returns the problems of the form of an entry: "status must be at least 400". Empty if it is one. */
export function problemsOfEntry(entry: unknown): string[] {
  if (!isObject(entry)) return ['must be an object with kind, interface, observedAt, samples and evidence']
  const { kind } = entry
  if (!isKind(kind)) return [`kind must be one of ${KINDS.join(', ')}${nearest(kind)}`]
  if (!('evidence' in entry) || (Array.isArray(entry['evidence']) && entry['evidence'].length === 0)) {
    return [
      'evidence must have at least one answer of the service; an entry without evidence is not followed',
    ]
  }
  const problems = problemsOf(ENTRY_OF_KIND[kind], entry).map(({ message }) => message)
  return problems.length > 0 ? problems : problemsBetweenFields(entry as Entry)
}

const isKind = (kind: unknown): kind is Kind => KINDS.some((each) => each === kind)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function nearest(written: unknown): string {
  const found = typeof written === 'string' ? nearestName(written, KINDS) : null
  return found === null ? '' : `; did you mean ${found}?`
}

/** Returns the problems that no schema of one field finds. */
function problemsBetweenFields(entry: Entry): string[] {
  const problems = pathsOf(entry).flatMap(([field, path]) => {
    const names = namesIn(path)
    if (names.length > MAX_PATH_NAMES) return [`${field} must have at most ${String(MAX_PATH_NAMES)} names`]
    const own = names.find((name) => FORBIDDEN.has(name))
    return own === undefined ? [] : [`${field} must not contain the name ${own}`]
  })
  const { claim, fidelity, samples } = entry
  if (claim !== undefined && fidelity === undefined)
    problems.push('fidelity must be the label of the claim, documented or assumed')
  if (samples.deviating > samples.total) problems.push('samples.deviating must be at most samples.total')
  return [...problems, ...problemsOfKind(entry)]
}

function problemsOfKind(entry: Entry): string[] {
  const problems: string[] = []
  const must = (holds: boolean, rule: string): void => {
    if (!holds) problems.push(rule)
  }
  switch (entry.kind) {
    case 'refusal':
      must(entry.status !== undefined || entry.body !== undefined, 'must have status, body or both')
      for (const [index, patch] of (entry.body ?? []).entries()) {
        must(
          'value' in patch !== 'remove' in patch,
          `body[${String(index)}] must have either value or remove`,
        )
      }
      break
    case 'field':
    case 'nullability':
      must(
        (entry.operations === undefined) !== (entry.component === undefined),
        'must have either operations or component',
      )
      must(
        entry.kind === 'field' || !entry.path.endsWith('/*') || entry.is !== 'absent',
        'path must end with the name of a field, because items of a list cannot be absent',
      )
      break
    case 'page':
      must(entry.default !== undefined || entry.maximum !== undefined, 'must have default, maximum or both')
      must((entry.default ?? 0) <= (entry.maximum ?? Infinity), 'default must be at most maximum')
      break
    case 'header':
      must(
        !OWN_HEADERS.has(entry.name.toLowerCase()),
        `name must not be ${entry.name}, which the server sets`,
      )
      break
    case 'precision': {
      const ofTimes = entry.fraction !== undefined || entry.zone !== undefined
      must(
        ofTimes !== (entry.decimals !== undefined),
        'must have either decimals, or fraction, zone or both of them',
      )
      must(
        entry.decimals === undefined || entry.path !== undefined,
        'path must name the place of the decimals',
      )
      break
    }
    default:
  }
  return problems
}

/** Headers that describe the connection, the encoding of the body or the server's own work. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'retry-after',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
])

/** Names that would reach the prototype of an object. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns the paths of an entry, each with the name of its field. */
function pathsOf(entry: Entry): [field: string, path: string][] {
  if (entry.kind === 'refusal') {
    return (entry.body ?? []).map(({ path }, index) => [`body[${String(index)}].path`, path])
  }
  const all: [string, string][] = []
  const { path } = entry as { path?: string }
  if (path !== undefined) all.push(['path', path])
  if ('source' in entry && 'copy' in entry.source) all.push(['source.copy', entry.source.copy])
  return all
}

/** Returns the names in a path; `*` stands for each item. */
export const namesIn = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
