/**
 * Turns differences into entries of an overlay, which `suite-sim serve --observed` follows. A difference that no kind of
 * entry can express stays a difference.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Entry, Kind } from '../../../../src/published.ts'
import type { Exchange } from '../exchanges/exchange.ts'
import { redactedUrl } from '@suite-sim/kit/calls/redaction'
import { redactedText, redactedValue } from '../exchanges/redaction.ts'
import type { Tally } from '../checks/checks.ts'
import type { Claims } from '../model/claims.ts'
import { orderOf } from '../checks/invariants.ts'
import { jsonText } from '../report/values.ts'
import { camelOf } from '../crawl/rowValues.ts'
import type { CheckContext } from '../checks/context.ts'
import { refusalsOf } from './refusals.ts'
import { isSecretValue, sourceOf } from './sources.ts'

/** An entry, and the differences that it explains. */
export interface InferredEntry {
  readonly entry: Entry
  readonly tallies: readonly Tally[]
}

export interface InferenceOptions {
  readonly context: CheckContext
  /** Differences that are no flakes. */
  readonly deviating: readonly Tally[]
  /** Readings that explain differences. */
  readonly readings: ReadonlyMap<Tally, { readonly name: string; readonly value: string }>
  /** Texts that must not appear in evidence. */
  readonly secrets: readonly string[]
}

/** Characters of an answer and of a request in evidence. */
const MAX_EXCERPT = 1000
const MAX_REQUEST = 2000

type Part = Pick<Entry, 'interface' | 'claim' | 'fidelity' | 'observedAt' | 'samples' | 'evidence'>

export function inferEntries({ context, deviating, readings, secrets }: InferenceOptions): InferredEntry[] {
  const { claims } = context
  const common = (tallies: readonly Tally[]): Part => commonOf(context, claims, tallies, secrets)
  const inferred: InferredEntry[] = []
  const explained = new Set<Tally>()
  const add = (tallies: readonly Tally[], of: { readonly kind: Kind } & Record<string, unknown>): void => {
    if (tallies.length === 0 || hasSecret(of, secrets)) return
    inferred.push({ entry: { ...common(tallies), ...of } as unknown as Entry, tallies })
    for (const tally of tallies) explained.add(tally)
  }

  for (const [name, value] of new Map([...readings.values()].map((each) => [each.name, each.value]))) {
    add(
      [...readings].filter(([, each]) => each.name === name).map(([tally]) => tally),
      { kind: 'reading', name, value },
    )
  }
  const open = (): Tally[] => deviating.filter((tally) => !explained.has(tally))

  for (const { tallies, ...refusal } of refusalsOf(open(), secrets))
    add(tallies, { kind: 'refusal', ...refusal })
  for (const group of groups(
    open().filter(({ aspect }) => aspect === 'undocumented'),
    samePath,
  )) {
    const [tally] = group
    const [difference] = tally?.differences ?? []
    const source =
      tally && difference && sourceOf(context.answers.exchanges, difference.exchange, below(tally), secrets)
    if (tally && source)
      add(alsoAt(open(), group), {
        kind: 'field',
        operations: idsOf(group),
        path: pathOf(below(tally)),
        source,
      })
  }
  for (const group of groups(
    open().filter(isEmptiness),
    (tally) => `${samePath(tally)} ${emptiness(tally)}`,
  )) {
    const [tally] = group
    if (tally)
      add(alsoAt(open(), group), {
        kind: 'nullability',
        operations: idsOf(group),
        path: pathOf(below(tally)),
        is: emptiness(tally),
      })
  }
  for (const tally of open().filter(({ aspect }) => aspect === 'order')) {
    const [difference] = tally.differences
    const operation = difference?.exchange.probe.operation
    // Only a list that callers can sort has other orders.
    const sortable = operation && context.answers.listOf(operation)?.sort?.parameter.schema['enum']
    if (!operation || !Array.isArray(sortable)) continue
    const lists = context.answers.plain(operation).map((exchange) => context.answers.rows(exchange))
    const sort = sortable.map(String).flatMap((name) => {
      const field = camelOf(name)
      const order = orderOf(lists, [name, field])
      return order ? [{ field: name, direction: order.direction }] : []
    })[0]
    if (sort) add(alsoOf(open(), tally, ORDERED), { kind: 'order', operation: operation.id, sort: [sort] })
  }
  for (const tally of open().filter(({ aspect }) => aspect === 'default_size')) {
    const [difference] = tally.differences
    if (!difference) continue
    add(alsoOf(open(), tally, SIZED), {
      kind: 'page',
      operation: difference.exchange.probe.operation.id,
      default: difference.actual,
    })
  }
  for (const tally of open().filter(({ aspect }) => aspect === 'maximum_size')) {
    const [difference] = tally.differences
    if (!difference) continue
    add(alsoOf(open(), tally, SIZED), {
      kind: 'page',
      operation: difference.exchange.probe.operation.id,
      maximum: difference.actual,
    })
  }
  for (const tally of open().filter(({ aspect }) => aspect.startsWith('header_extra:'))) {
    const [difference] = tally.differences
    if (!difference) continue
    const operation = difference.exchange.probe.operation.id
    add([tally], {
      kind: 'header',
      operation,
      name: tally.aspect.slice('header_extra:'.length),
      value: difference.actual,
    })
  }
  for (const group of groups(
    open().filter(({ aspect }) => aspect === 'time_form'),
    (tally) => jsonText(timeForm(tally)),
  )) {
    const form = group[0] && timeForm(group[0])
    if (!form) continue
    for (const each of groups(group, samePath)) {
      const [tally] = each
      if (tally)
        add(alsoAt(open(), each), {
          kind: 'precision',
          operations: idsOf(each),
          path: pathOf(below(tally)),
          ...form,
        })
    }
  }
  for (const group of groups(
    open().filter(({ aspect }) => aspect === 'decimals'),
    samePath,
  )) {
    const [tally] = group
    const [, fraction] = /^-?\d+(?:\.(\d+))?$/.exec(String(tally?.differences[0]?.actual)) ?? []
    if (!tally || fraction === undefined) continue
    add(alsoAt(open(), group), {
      kind: 'precision',
      operations: idsOf(group),
      path: pathOf(below(tally)),
      decimals: fraction.length,
    })
  }
  for (const group of groups(
    open().filter(({ aspect }) => aspect === 'rate_limit'),
    ({ differences: [first] }) => jsonText(first?.actual),
  )) {
    const actual = group[0]?.differences[0]?.actual as { limit?: number; windowSeconds?: number } | undefined
    if (actual?.limit === undefined || actual.windowSeconds === undefined) continue
    for (const tally of group) {
      const operation = tally.differences[0]?.exchange.probe.operation.id
      add([tally], { kind: 'rateLimit', operation, limit: actual.limit, windowSeconds: actual.windowSeconds })
    }
  }
  return inferred
}

/** Aspects that follow from another order, or from another size of pages. */
const ORDERED: ReadonlySet<string> = new Set(['order', 'rows', 'body', 'page_rows', 'size'])
const SIZED: ReadonlySet<string> = new Set([
  'default_size',
  'maximum_size',
  'rows',
  'body',
  'total',
  'total_pages',
  'per_page',
  'page_rows',
  'page_overlap',
  'size',
  'page_size',
  'refusal',
  'accepted',
  'status',
])

/** Returns the differences at the same places, or below them, by any check; also records that differ from such rows. */
function alsoAt(open: readonly Tally[], group: readonly Tally[]): Tally[] {
  const places = group.map(({ place }) => place)
  const lists = new Set(group.map(({ differences: [first] }) => first?.exchange.probe.operation))
  const names = new Set(places.map(lastNameOf))
  return open.filter((tally) => {
    const { place, aspect } = tally
    if (places.some((each) => place === each || place.startsWith(`${each}.`) || place.startsWith(`${each}[`)))
      return true
    const purpose = tally.differences[0]?.exchange.probe.purpose
    return (
      aspect === 'row' &&
      purpose?.kind === 'record' &&
      lists.has(purpose.of?.probe.operation) &&
      names.has(lastNameOf(place))
    )
  })
}

/** True if an entry would repeat a credential or an address of the service: in a header, a value or the name of a place. */
const hasSecret = (of: Readonly<Record<string, unknown>>, secrets: readonly string[]): boolean =>
  !isDeepStrictEqual(redactedValue(of, secrets), of) ||
  (of['kind'] === 'header' && isSecretValue(of['value'], secrets, String(of['name'])))

const lastNameOf = (place: string): string => place.slice(place.lastIndexOf('.') + 1)

/** Returns the differences of the same operation with one of these aspects. */
function alsoOf(
  open: readonly Tally[],
  { differences: [first] }: Tally,
  aspects: ReadonlySet<string>,
): Tally[] {
  const operation = first?.exchange.probe.operation
  return open.filter(
    (tally) => aspects.has(tally.aspect) && tally.differences[0]?.exchange.probe.operation === operation,
  )
}

/** Both sides have no value, in two forms. A value that the service lacks can't be left out by an entry. */
const isEmptiness = ({ aspect, differences }: Tally): boolean =>
  aspect === 'body' &&
  differences.length > 0 &&
  differences.every(({ expected, actual }) => isNothing(expected) && isNothing(actual))

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''

function emptiness({ differences: [first] }: Tally): 'null' | 'absent' | 'empty' {
  return first?.actual === undefined ? 'absent' : first.actual === null ? 'null' : 'empty'
}

/** Returns the form of a time as an entry has it; null if no entry can have it. */
function timeForm({ differences: [first] }: Tally): { fraction: number; zone?: string } | null {
  const [, fraction = '', zone = ''] =
    /:\d{2}(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?$/.exec(String(first?.actual)) ?? []
  if (![0, 3, 6].includes(fraction.length) || !['Z', '+00:00'].includes(zone)) return null
  return { fraction: fraction.length, zone }
}

const samePath = (tally: Tally): string => below(tally)

const idsOf = (group: readonly Tally[]): string[] => [
  ...new Set(group.flatMap(({ differences: [first] }) => (first ? [first.exchange.probe.operation.id] : []))),
]

/** Returns the place below the response: ".data[].amount". */
export function below({ place, differences: [first] }: Tally): string {
  if (!first) return ''
  const { probe, status } = first.exchange
  return place.slice(`${probe.operation.address} ${String(status)}`.length)
}

/** Returns a place as entries have it: ".data[].amount" is "/data/*\/amount". */
export const pathOf = (place: string): string => place.replaceAll('[]', '/*').replaceAll('.', '/')

function groups(tallies: readonly Tally[], keyOf: (tally: Tally) => string): Tally[][] {
  const found = new Map<string, Tally[]>()
  for (const tally of tallies) {
    const key = keyOf(tally)
    const known = found.get(key)
    if (known) known.push(tally)
    else found.set(key, [tally])
  }
  return [...found.values()]
}

function commonOf(
  { name }: CheckContext,
  claims: Claims,
  tallies: readonly Tally[],
  secrets: readonly string[],
): Part {
  const [first] = tallies
  const claim = first && claims.get(first.claim)
  const differences = tallies
    .flatMap(({ place, differences: own }) => own.map((each) => ({ ...each, field: lastNameOf(place) })))
    .slice(0, 3)
  const fidelity = claim?.fidelity
  return {
    interface: name,
    // An observed claim has no label of the specification that an entry could contradict.
    ...(claim && fidelity !== undefined && fidelity !== 'observed' && { claim: claim.key, fidelity }),
    observedAt:
      tallies
        .map(({ lastSeen }) => lastSeen ?? '')
        .toSorted()
        .at(-1) ?? '',
    samples: {
      deviating: Math.max(...tallies.map(({ samples }) => samples.deviating)),
      total: Math.max(...tallies.map(({ samples }) => samples.total)),
    },
    evidence: differences.map(({ exchange, actual, field }) => ({
      request: redactedText(
        `${exchange.probe.operation.method} ${redactedUrl(pathnameOf(exchange))}`,
        secrets,
      ).slice(0, MAX_REQUEST),
      status: exchange.status,
      excerpt: redactedText(jsonText(redactedValue(actual ?? null, secrets, field)), secrets).slice(
        0,
        MAX_EXCERPT,
      ),
    })),
  }
}

function pathnameOf({ url }: Exchange): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
