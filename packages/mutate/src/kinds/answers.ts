/** Answers as a whole: statuses, errors, pages, orders. */
import type { Answer, MetAnswer, Mutation } from '../mutation.ts'
import type { MetInterface } from '../met.ts'
import { changeAt, isObject, valuesAt } from '../places.ts'
import type { Kind, Target } from './kind.ts'

const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status < 300

/** A target for each operation with such an answer. */
const forOperations =
  (suits: (answer: MetAnswer) => boolean) =>
  ({ operations }: MetInterface): Target[] =>
    operations
      .filter(({ answers }) => answers.some(suits))
      .map(({ operation: { id } }) => ({
        subject: id,
        operations: [id],
        places: [{ operation: id, at: '' }],
      }))

/** A target for each operation and refused status. */
const forRefusals = ({ operations }: MetInterface): Target[] =>
  operations.flatMap(({ operation: { id }, answers }) =>
    [...new Set(answers.filter((each) => !isSuccess(each)).map(({ status }) => status))]
      .toSorted((one, other) => one - other)
      .map((status) => ({
        subject: `${id} ${String(status)}`,
        operations: [id],
        places: [{ operation: id, at: '' }],
        from: String(status),
        to: OTHER_STATUS[status] ?? (status < 500 ? 400 : 500),
      })),
  )

/** Another status that a vendor could mean the same with. */
const OTHER_STATUS: Readonly<Record<number, number>> = {
  400: 422,
  401: 403,
  402: 400,
  403: 404,
  404: 410,
  409: 422,
  422: 400,
  429: 503,
  503: 500,
}

const isRefused = ({ status }: Answer, { from }: Mutation): boolean => status === Number(from)

/** The place of the rows of a list: the first list of objects, at most two levels deep. */
function rowsIn(json: unknown): string | null {
  if (Array.isArray(json)) return json.some(isObject) ? '' : null
  for (const [name, value] of isObject(json) ? Object.entries(json) : []) {
    if (Array.isArray(value) && value.some(isObject)) return `/${name}`
    const inner = isObject(value) ? Object.entries(value).find(([, each]) => Array.isArray(each)) : undefined
    if (inner && (inner[1] as unknown[]).some(isObject)) return `/${name}/${inner[0]}`
  }
  return null
}

const LISTING = /^(?:list|search|find|filter)/i

/** The rows of a list, and not a list within a record. */
const isList = (answer: MetAnswer, min: number): boolean => {
  const rows = isSuccess(answer) && LISTING.test(answer.operation) ? rowsIn(answer.json) : null
  return rows !== null && (valuesAt(answer.json, rows)[0] as unknown[]).length >= min
}

const forLists = (min: number): ((met: MetInterface) => Target[]) =>
  forOperations((answer) => isList(answer, min))

function changedRows(answer: Answer, change: (rows: unknown[]) => unknown[]): Answer {
  const rows = isSuccess(answer) ? rowsIn(answer.json) : null
  if (rows === null) return answer
  return { ...answer, json: changeAt(answer.json, rows, (value) => change(value as unknown[])) }
}

/** Says that no page follows, with a cursor or the number of pages. */
function withoutNext(json: unknown): unknown {
  for (const meta of isObject(json) ? Object.values(json).filter(isObject) : []) {
    if ('hasMore' in meta) Object.assign(meta, { hasMore: false, nextCursor: null })
    if ('total_pages' in meta) Object.assign(meta, { total_pages: meta['current_page'] ?? 1 })
  }
  return json
}

export const ANSWER_KINDS: readonly Kind[] = [
  {
    name: 'answer-fails',
    half: 'harmful',
    words: 'answers 500, although the call had its effect',
    rank: 1,
    targets: forOperations(isSuccess),
    answer: (answer) => (isSuccess(answer) ? { ...answer, status: 500, json: answer.failure() } : answer),
  },
  {
    name: 'status-other',
    half: 'harmful',
    words: 'is refused with another status',
    rank: 1,
    targets: forRefusals,
    answer: (answer, mutation) =>
      isRefused(answer, mutation) ? { ...answer, status: Number(mutation.to) } : answer,
  },
  {
    name: 'error-form',
    half: 'harmful',
    words: 'is refused with an error in another form',
    rank: 2,
    targets: forRefusals,
    answer: (answer, mutation) =>
      isRefused(answer, mutation) && isObject(answer.json)
        ? { ...answer, json: { errors: [{ detail: answer.json }] } }
        : answer,
  },
  {
    name: 'page-ends',
    half: 'harmful',
    words: 'has a page that ends one row early',
    rank: 2,
    targets: forLists(1),
    answer: (answer) => {
      const changed = changedRows(answer, (rows) => rows.slice(0, -1))
      return changed === answer ? answer : { ...changed, json: withoutNext(changed.json) }
    },
  },
  {
    name: 'order-reversed',
    half: 'harmful',
    words: 'has the opposite order',
    rank: 2,
    targets: forLists(2),
    answer: (answer) => changedRows(answer, (rows) => rows.toReversed()),
  },
]
