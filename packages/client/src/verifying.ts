/** Checks that a caller made the expected calls, and explains the nearest ones if it did not. */
import { counted } from '@suite-sim/kit/text/counted'
import type { Schema } from './calling.ts'
import { checkOptions } from './checking.ts'
import { SimulatorError } from './errors.ts'
import { abortAfter } from './globals.ts'
import { differenceFrom, shown, type Expected } from './matching.ts'
import type { Limit, RequestFilter } from './filters.ts'

type Entry = Schema<'JournalEntry'>

/** The number of calls: exact, or from `min` to `max`. */
export type Times = number | { readonly min?: number; readonly max?: number }

/** A call that is expected. Fields that are left out match anything. */
export interface Verification extends Pick<
  RequestFilter,
  'interface' | 'operation' | 'method' | 'path' | 'status' | 'caller'
> {
  /**
   * Part of the query, header or JSON body: objects may have more fields than expected. A value can be a RegExp, or a
   * matcher such as `expect.any(Number)`. Secrets and card numbers of the journal are "[redacted]".
   */
  readonly query?: Readonly<Record<string, Expected>>
  readonly headers?: Readonly<Record<string, Expected>>
  readonly body?: Expected
  /** By default one or more. */
  readonly times?: Times
  /** The seconds to wait for the calls; 0 by default. */
  readonly timeout?: number
}

/** Criteria that the server compares. */
const FILTERS = ['interface', 'operation', 'method', 'path', 'status', 'caller'] as const
/** Criteria that this module compares. */
const PARTS = ['query', 'headers', 'body'] as const

/** The journal has no more calls. */
export const JOURNAL_LENGTH = 1000

/** The maximum number of calls that a message describes. */
const MAX_NEAREST = 3

/** What the check asks the server for. */
interface Journal {
  readonly list: List
  /** The newest calls without a workspace: with another key, or to an unknown path. */
  readonly unmatched: () => Promise<readonly Schema<'UnmatchedJournalEntry'>[]>
}

type List = (filter: RequestFilter & Limit & { wait?: number; count?: number }) => Promise<Entry[]>

/**
 * Returns the matching calls, newest first. Throws a SimulatorError with the code "verification_failed", whose message
 * has the nearest calls and their differences, if their number is not `times`.
 */
export async function verifyRequests(journal: Journal, expected: Verification): Promise<Entry[]> {
  const { list } = journal
  checkOptions('requests.verify()', expected, [...FILTERS, ...PARTS, 'times', 'timeout'])
  const { min, max } = boundsOf(expected.times)
  const filter = filterOf(expected, FILTERS)
  const limit = JOURNAL_LENGTH
  const matches = (entries: readonly Entry[]): Entry[] =>
    entries.filter((entry) => PARTS.every((part) => differenceOf(part, expected, entry) === null))
  let found = await list({ ...filter, limit })
  const { timeout = 0 } = expected
  const deadline = abortAfter(Math.ceil(timeout * 1000))
  while (matches(found).length < min && found.length < JOURNAL_LENGTH && timeout > 0 && !deadline.aborted) {
    // Returns as soon as the server has one more call, which the parts that it does not compare may rule out.
    await list({ ...filter, wait: Math.min(timeout, 1), count: found.length + 1 })
    found = await list({ ...filter, limit })
  }
  const matching = matches(found)
  const uncertain = found.filter((entry) => isUncertain(entry, expected)).length
  if (matching.length >= min && matching.length + uncertain <= max) return matching
  throw new SimulatorError({
    code: 'verification_failed',
    message: await failureOf(journal, expected, matching, uncertain),
  })
}

function boundsOf(times: Times = { min: 1 }): { readonly min: number; readonly max: number } {
  const { min = 0, max = Infinity } = typeof times === 'number' ? { min: times, max: times } : times
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= JOURNAL_LENGTH
  if (typeof times !== 'number') checkOptions('requests.verify() times', times, ['min', 'max'])
  if (!isCount(min) || !(isCount(max) || max === Infinity) || min > max) {
    throw new TypeError(
      `requests.verify(): times must be a whole number from 0 to ${String(JOURNAL_LENGTH)}, or {min, max} of such numbers`,
    )
  }
  return { min, max }
}

const filterOf = (expected: Verification, names: readonly (keyof RequestFilter & keyof Verification)[]) =>
  Object.fromEntries(
    names.flatMap((name) => (expected[name] === undefined ? [] : [[name, expected[name]]])),
  ) as RequestFilter

/** True if only the rest of its body, which the journal does not have, tells whether a call matches. */
const isUncertain = (entry: Entry, expected: Verification): boolean =>
  expected.body !== undefined &&
  entry.request.cutFrom !== undefined &&
  PARTS.every((part) => part === 'body' || differenceOf(part, expected, entry) === null)

/** Returns the first difference between a part of a call and what is expected of it. */
function differenceOf(
  part: (typeof PARTS)[number],
  expected: Verification,
  { request }: Entry,
): string | null {
  if (part === 'body' && request.cutFrom !== undefined && expected.body !== undefined) {
    return `body has ${String(request.cutFrom)} characters, of which the journal has the first`
  }
  if (part !== 'headers') return differenceFrom(expected[part], request[part], part)
  const lowercase = Object.entries(expected.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return differenceFrom(Object.fromEntries(lowercase), request.headers, part)
}

async function failureOf(
  { list, unmatched }: Journal,
  expected: Verification,
  matching: readonly Entry[],
  uncertain: number,
): Promise<string> {
  const found = `found ${matching.length === JOURNAL_LENGTH ? `${String(JOURNAL_LENGTH)} or more` : String(matching.length)}`
  const others = uncertain === 0 ? '' : `, and ${String(uncertain)} with a body that was cut off`
  const head = `Expected ${timesText(expected.times)} ${callText(expected)}; ${found}${others}.`
  if (matching.length > 0) {
    return [head, 'Matching calls, newest first:', ...matching.slice(0, MAX_NEAREST).map(lineOf)].join('\n')
  }
  const nearest = await nearestCalls(list, expected)
  if (nearest.length > 0) return [head, 'Nearest calls:', ...nearest].join('\n')
  const foreign = (await unmatched()).map(
    ({ method, path, status }) => `  ${method} ${path} ${String(status)}`,
  )
  return [
    `${head} The journal of the workspace has no calls.`,
    ...(foreign.length === 0 ? [] : ['Newest calls with another key, or to an unknown path:', ...foreign]),
  ].join('\n')
}

/** Returns the calls with the fewest differences, each with its differences. */
async function nearestCalls(list: List, expected: Verification): Promise<string[]> {
  const given = FILTERS.filter((name) => expected[name] !== undefined)
  const limit = 200
  const [all, ...matching] = await Promise.all([
    list({ limit }),
    // The server decides what a path pattern and a class of statuses match.
    ...given.map((name) => list({ ...filterOf(expected, [name]), limit: JOURNAL_LENGTH })),
  ])
  const idsOf = new Map(given.map((name, index) => [name, new Set(matching[index]?.map(({ id }) => id))]))
  const scored = all.map((entry) => ({
    entry,
    differences: [
      ...given
        .filter((name) => idsOf.get(name)?.has(entry.id) === false)
        .map((name) => `${name} is ${shown(fieldOf(entry, name))}, expected ${shown(expected[name])}`),
      ...PARTS.map((part) => differenceOf(part, expected, entry)).filter((each) => each !== null),
    ],
  }))
  return scored
    .toSorted((one, other) => one.differences.length - other.differences.length)
    .slice(0, MAX_NEAREST)
    .map(({ entry, differences }) => `${lineOf(entry)}: ${differences.join('; ')}`)
}

const fieldOf = (entry: Entry, name: (typeof FILTERS)[number]): unknown =>
  name === 'caller' ? (entry.caller?.name ?? null) : entry[name]

const lineOf = ({ id, method, path, status }: Entry): string => `  ${id} ${method} ${path} ${String(status)}`

function timesText(times: Times = { min: 1 }): string {
  if (times === 0) return 'no calls'
  if (typeof times === 'number') return `exactly ${counted(times, 'call')}`
  const { min = 0, max } = times
  if (max === undefined) return `${String(min)} or more calls`
  return min === 0 ? `at most ${counted(max, 'call')}` : `${String(min)} to ${String(max)} calls`
}

function callText(expected: Verification): string {
  const { interface: of, operation, method, path, status, caller } = expected
  const call = [method, path].filter((each) => each !== undefined).join(' ')
  const parts = PARTS.filter((part) => expected[part] !== undefined).map(
    (part) => `${part} ${shown(expected[part])}`,
  )
  return [
    of === undefined ? '' : `of ${of}`,
    operation === undefined ? '' : `of operation ${operation}`,
    caller === undefined ? '' : `by ${caller}`,
    call === '' ? '' : `to ${call}`,
    status === undefined ? '' : `with status ${status}`,
    parts.length === 0 ? '' : `with ${parts.join(' and ')}`,
  ]
    .filter((each) => each !== '')
    .join(' ')
}
