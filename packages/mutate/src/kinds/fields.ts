/** Fields that are gone, empty, or have other values, in every answer and webhook that has them. */
import {
  isAmount,
  isCurrency,
  plusSmallest,
  remove,
  timesHundred,
  toNull,
  toOtherCurrency,
  toOtherType,
  toUnknownWord,
  type Change,
} from '../changes.ts'
import type { Answer, Mutation, Sending } from '../mutation.ts'
import { wordsOf, type MetField, type MetInterface } from '../met.ts'
import { changeAt, type JsonObject } from '../places.ts'
import { operationsIn, type Kind, type Target } from './kind.ts'

/** Changes the values of an answer at the places of a mutation. */
function changedAnswer(answer: Answer, { places }: Mutation, change: Change): Answer {
  if (answer.status >= 300 || answer.json === undefined) return answer
  let json: unknown = answer.json
  for (const place of places) {
    if ('operation' in place && place.operation === answer.operation) json = changeAt(json, place.at, change)
  }
  return { ...answer, json }
}

/** Changes the values of a webhook at the places of a mutation. */
function changedEvent(sending: Sending, { places }: Mutation, change: Change): Sending {
  let data: unknown = sending.data
  for (const place of places) {
    if ('event' in place && place.event === sending.event) data = changeAt(data, place.at, change)
  }
  return { ...sending, data: data as JsonObject }
}

interface FieldKind {
  readonly name: string
  readonly words: string
  readonly rank: number
  /** The mutations of a field: one without words, one for each pair of words, or none. */
  readonly of: (field: MetField, fields: readonly MetField[]) => readonly Pick<Target, 'from' | 'to'>[]
  readonly change: (mutation: Mutation) => Change
}

const fieldKind = ({ name, words, rank, of, change }: FieldKind): Kind => ({
  name,
  half: 'harmful',
  words,
  rank,
  targets: ({ fields }) =>
    fields.flatMap((field) =>
      of(field, fields).map((target) => ({
        subject: target.from === undefined ? field.key : `${field.key}=${target.from}`,
        operations: operationsIn(field.places),
        places: field.places,
        ...target,
      })),
    ),
  answer: (answer, mutation) => changedAnswer(answer, mutation, change(mutation)),
  event: (sending, mutation) => changedEvent(sending, mutation, change(mutation)),
})

/** A kind with one mutation for each field that has a value which the change applies to. */
const valueKind = (
  name: string,
  words: string,
  rank: number,
  change: Change,
  suits: (value: unknown, field: MetField, fields: readonly MetField[]) => boolean,
): Kind =>
  fieldKind({
    name,
    words,
    rank,
    of: (field, fields) => (field.values.some((value) => suits(value, field, fields)) ? [{}] : []),
    change: () => change,
  })

const MONEY = /(?:amount|price|balance|revenue|cost|fees?|income|importe|monto|subtotal|_value)$/i

/** Names that mean money beside a currency, and otherwise also counts. */
const MAYBE_MONEY = /^(?:total|value|paid|due|tax)$|_(?:total|paid|due|tax)$/i

const CURRENCY = /currency|moneda$/i

const recordOf = (key: string): string => key.slice(0, key.lastIndexOf('.'))

function isMoney(value: unknown, { name, key }: MetField, fields: readonly MetField[]): boolean {
  if (!isAmount(value)) return false
  const hasCurrency = (): boolean =>
    fields.some((other) => CURRENCY.test(other.name) && recordOf(other.key) === recordOf(key))
  return MONEY.test(name) || (MAYBE_MONEY.test(name) && hasCurrency())
}

const isState = ({ name }: MetField): boolean => /(?:status|state|stage)$/i.test(name)

/** The words of a state that the run met, in the order of the published list. */
const metStates = (field: MetField): string[] =>
  isState(field) ? wordsOf(field.schema).filter((word) => field.values.includes(word)) : []

const isWord = (value: unknown, { schema }: MetField): boolean =>
  typeof value === 'string' && wordsOf(schema).includes(value)

/** Shows one state as another. */
const asOther =
  ({ from, to }: Mutation): Change =>
  (value) =>
    value === from ? to : value

export const FIELD_KINDS: readonly Kind[] = [
  valueKind('amount-times-100', 'is a hundred times as large', 1, timesHundred, isMoney),
  valueKind('amount-cent', 'is larger by one cent', 1, plusSmallest, isMoney),
  valueKind(
    'currency-other',
    'is another currency',
    1,
    toOtherCurrency,
    (value, { name }) => CURRENCY.test(name) && isCurrency(value),
  ),
  fieldKind({
    name: 'state-never',
    words: 'is never reached: the state before it is shown',
    rank: 1,
    of: (field) => {
      const states = metStates(field)
      return states.slice(1).map((from, index) => ({ from, to: states[index] ?? from }))
    },
    change: asOther,
  }),
  fieldKind({
    name: 'state-early',
    words: 'is left too early: the state after it is shown',
    rank: 1,
    of: (field) => {
      const states = metStates(field)
      return states.slice(0, -1).map((from, index) => ({ from, to: states[index + 1] ?? from }))
    },
    change: asOther,
  }),
  valueKind('field-gone', 'is no longer sent', 2, remove, (value) => value !== null),
  valueKind(
    'enum-new',
    'has a value that no list has',
    2,
    (value) => (typeof value === 'string' ? toUnknownWord(value) : value),
    isWord,
  ),
  valueKind('field-null', 'is null', 3, toNull, (value) => value !== null),
  valueKind('field-type', 'has another type', 3, toOtherType, (value) => toOtherType(value) !== value),
]

/** The places of a field in webhooks, if answers have it as well: otherwise the field is gone from both. */
function webhookFields({ fields }: MetInterface): Target[] {
  return fields.flatMap(({ key, places }) => {
    const sent = places.filter((place) => 'event' in place)
    return sent.length === 0 || sent.length === places.length
      ? []
      : [{ subject: key, operations: operationsIn(sent), places: sent }]
  })
}

const forEvents = ({ events }: MetInterface): Target[] =>
  events.map(({ name }) => ({ subject: name, operations: [name], places: [{ event: name, at: '' }] }))

export const WEBHOOK_KINDS: readonly Kind[] = [
  {
    name: 'webhook-never',
    half: 'harmful',
    words: 'is never sent',
    rank: 1,
    targets: forEvents,
    event: (sending) => ({ ...sending, times: 0 }),
  },
  {
    name: 'webhook-field-gone',
    half: 'harmful',
    words: 'is no longer sent in webhooks',
    rank: 3,
    targets: webhookFields,
    event: (sending, mutation) => changedEvent(sending, mutation, remove),
  },
  {
    name: 'webhook-twice',
    half: 'harmless',
    words: 'is sent twice with the same id',
    rank: 1,
    targets: forEvents,
    event: (sending) => ({ ...sending, times: 2 }),
  },
]
