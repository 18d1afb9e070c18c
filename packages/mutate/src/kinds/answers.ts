/** Answers as a whole: statuses, errors, pages, orders. */
import type { Answer, MetAnswer, Mutation } from '../mutation.ts'
import type { MetInterface } from '../met.ts'
import { changeAt, isObject } from '../places.ts'
import { rowsAtOf, rowsIn } from '@suite-sim/verify/model/list'
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

/** A target for each list that had so many rows. */
const forLists =
  (min: number) =>
  ({ operations }: MetInterface): Target[] =>
    operations.flatMap(({ operation, answers }) => {
      const rowsAt = rowsAtOf(operation)
      const hasRows = (answer: MetAnswer): boolean =>
        rowsAt !== null && isSuccess(answer) && (rowsIn({ rowsAt }, answer.json)?.length ?? 0) >= min
      if (rowsAt === null || !answers.some(hasRows)) return []
      const { id } = operation
      const at = rowsAt.map((name) => `/${name}`).join('')
      return [{ subject: id, operations: [id], places: [{ operation: id, at }] }]
    })

function changedRows(
  answer: Answer,
  { places: [place] }: Mutation,
  change: (rows: unknown[]) => unknown[],
): Answer {
  if (!isSuccess(answer) || !place) return answer
  const changed = (rows: unknown): unknown => (Array.isArray(rows) ? change(rows) : rows)
  return { ...answer, json: changeAt(answer.json, place.at, changed) }
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
    answer: (answer, mutation) => {
      const changed = changedRows(answer, mutation, (rows) => rows.slice(0, -1))
      return isSuccess(answer) ? { ...changed, json: withoutNext(changed.json) } : answer
    },
  },
  {
    name: 'order-reversed',
    half: 'harmful',
    words: 'has the opposite order',
    rank: 2,
    targets: forLists(2),
    answer: (answer, mutation) => changedRows(answer, mutation, (rows) => rows.toReversed()),
  },
]
