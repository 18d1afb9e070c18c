/** The calls after the plain reads: pages, page sizes, sorts, unknown ids and bad values. */
import type { Exchange, Probe, Purpose } from '../exchanges/exchange.ts'
import { valueAt } from '../model/list.ts'
import type { Operation, Parameter } from '../model/operation.ts'
import type { Answers } from './answers.ts'

/** Pages that are read of one list. */
const MAX_PAGES = 3

/** Values of a closed list that are requested. */
export const MAX_VALUES = 4

const again = (of: Exchange, query: Readonly<Record<string, string>>, purpose: Purpose): Probe => ({
  ...of.probe,
  query: { ...of.probe.query, ...query },
  purpose,
})

/** Returns pages that together show the beginning of the list. */
export function* pageProbes(
  operation: Operation,
  of: Exchange | undefined,
  answers: Answers,
): Generator<Probe> {
  const list = answers.listOf(operation)
  if (!of || !list?.position) return
  const { length } = answers.rows(of)
  const { kind, name } = list.position
  // Without a size, the second page shows whether the position has an effect.
  const size = list.size ? Math.max(1, Math.min(Math.ceil(length / MAX_PAGES), 10)) : length
  const count = list.size ? Math.min(MAX_PAGES, Math.ceil(length / size)) : 1
  const first = list.size ? 0 : 1
  for (let index = first; index < first + count; index++) {
    const query: Record<string, string> = list.size ? { [list.size.name]: String(size) } : {}
    if (kind === 'page') query[name] = String(index + 1)
    else if (kind === 'offset') query[name] = String(index * size)
    else if (index > 0) {
      const before = answers
        .of(operation, 'page')
        .find(
          ({ probe: { purpose } }) =>
            purpose.kind === 'page' && purpose.of === of && purpose.index === index - 1,
        )
      const cursor = list.nextAt && valueAt(before?.body, list.nextAt)
      if (typeof cursor !== 'string') return
      query[name] = cursor
    }
    yield again(of, query, { kind: 'page', of, size, index })
  }
}

/** Pages of the largest size that are read of one list. */
const MAX_WHOLE_PAGES = 20

/** Returns the pages of the largest size that show all rows of a list. */
export function* wholeProbes(of: Exchange, answers: Answers): Generator<Probe> {
  const { operation, query } = of.probe
  const list = answers.listOf(operation)
  const { length } = answers.rows(of)
  if (!list?.position || length === 0) return
  const total = list.totalAt ? valueAt(of.body, list.totalAt) : undefined
  if (total === length) return
  const { kind, name } = list.position
  const size = list.size ? largestSize(operation, answers, length) : length
  const requested = list.size ? { [list.size.name]: String(size) } : {}
  let before: Exchange | undefined = list.size ? undefined : of
  for (let index = before ? 1 : 0; index < MAX_WHOLE_PAGES; index++) {
    const cursor = kind === 'cursor' && before && list.nextAt ? valueAt(before.body, list.nextAt) : undefined
    if (before && (kind === 'cursor' ? typeof cursor !== 'string' : isShort(before, answers, size))) return
    const position =
      kind === 'page'
        ? String(index + 1)
        : kind === 'offset'
          ? String(index * size)
          : (cursor as string | undefined)
    const own: Record<string, string> = { ...requested, ...(position !== undefined && { [name]: position }) }
    yield { ...of.probe, query: { ...query, ...own }, purpose: { kind: 'whole', of, index } }
    before = answers.of(operation, 'whole').at(-1)
  }
}

/** Returns the largest size of a page that the service accepted, or the number of rows of its default page. */
function largestSize(operation: Operation, answers: Answers, length: number): number {
  const accepted = answers
    .of(operation, 'size')
    .filter(({ status }) => status < 300)
    .flatMap(({ probe: { purpose } }) =>
      purpose.kind === 'size' && purpose.size <= purpose.maximum ? [purpose.size] : [],
    )
  return Math.max(length, ...accepted)
}

const isShort = (exchange: Exchange, answers: Answers, size: number): boolean =>
  answers.rows(exchange).length < size

/** Returns calls with the smallest, the largest and a too large size of pages. */
export function* sizeProbes(
  operation: Operation,
  of: Exchange | undefined,
  answers: Answers,
): Generator<Probe> {
  const size = answers.listOf(operation)?.size
  if (!of || !size) return
  const maximum = numberIn(size, 'maximum')
  if (maximum === undefined) return
  const probe = (requested: number): Probe =>
    again(of, { [size.name]: String(requested) }, { kind: 'size', of, size: requested, maximum })
  yield probe(maximum)
  if ((answers.of(operation, 'size').at(-1)?.status ?? 0) >= 400) {
    // The service allows less: find the largest size that it accepts.
    let [accepted, refused] = [1, maximum]
    while (refused - accepted > 1) {
      const middle = Math.floor((accepted + refused) / 2)
      yield probe(middle)
      if ((answers.of(operation, 'size').at(-1)?.status ?? 0) >= 400) refused = middle
      else accepted = middle
    }
  } else yield probe(maximum + 1)
  yield probe(1)
}

/** Returns a call for each field by which the list can be sorted, in both directions. */
export function* sortProbes(
  operation: Operation,
  of: Exchange | undefined,
  answers: Answers,
): Generator<Probe> {
  const sort = answers.listOf(operation)?.sort
  if (!of || !sort) return
  for (const value of valuesOf(sort.parameter)) {
    if (!sort.direction) {
      const direction = value.startsWith('-') ? 'desc' : 'asc'
      yield again(of, { [sort.parameter.name]: value }, { kind: 'sort', of, field: value, direction })
      continue
    }
    for (const direction of ['asc', 'desc'] as const) {
      const query = { [sort.parameter.name]: value, [sort.direction.name]: direction }
      yield again(of, query, { kind: 'sort', of, field: value, direction })
    }
  }
}

/** Returns a call for an id of the same form that no record has. */
export function unknownIdProbe(operation: Operation, of: Exchange | undefined): Probe | null {
  const last = operation.inPath.at(-1)
  const id = last && of?.probe.path[last.name]
  if (!of || !last || id === undefined) return null
  return { ...of.probe, path: { ...of.probe.path, [last.name]: unlike(id) }, purpose: { kind: 'unknown_id' } }
}

/** Replaces the last letters and digits by others, so that the form of the id stays. */
const unlike = (id: string): string =>
  /^\d{1,9}$/.test(id)
    ? '987654321'
    : id.replace(/[\da-z]{1,8}$/i, (end) =>
        end.replaceAll(/\d/g, '9').replaceAll(/[a-f]/g, 'e').replaceAll(/[g-z]/g, 'x'),
      )

/** Returns calls with values that the document does not allow. */
export function* badValueProbes(
  operation: Operation,
  of: Exchange | undefined,
  answers: Answers,
): Generator<Probe> {
  if (!of) return
  const bad = (parameter: string, value: string): Probe =>
    again(of, { [parameter]: value }, { kind: 'bad_value', parameter, value })
  const list = answers.listOf(operation)
  if (list?.size) yield bad(list.size.name, '0')
  const closed = operation.inQuery.find((parameter) => valuesOf(parameter).length > 0)
  if (closed) yield bad(closed.name, 'no-such-value')
  if (list?.position?.kind === 'page') yield bad(list.position.name, '0')
  const time = operation.inQuery.find(({ name }) => /^(?:from|to|.*_from|.*_to)$/.test(name))
  if (time) yield bad(time.name, 'not-a-date')
}

/** Returns the first values of a closed list. */
export const valuesOf = ({ schema }: Parameter): string[] =>
  ((schema['enum'] ?? []) as readonly unknown[]).slice(0, MAX_VALUES).map(String)

export function numberIn({ schema }: Parameter, word: string): number | undefined {
  const value = schema[word]
  return typeof value === 'number' ? value : undefined
}
