/** Drift of the values of a field: words of enumerations, texts, times, numbers and ids. */
import { timesHundred, toUnknownWord } from '@suite-sim/mutate/changes'
import { changeAt, isObject, nameOf, valuesAt } from '../json.ts'
import { isSuccess, withJson, type Drifting, type Kind } from '../kind.ts'
import { hasCounterpart, isReport, recordOperationOf, type Field, type Readable } from '../readable.ts'
import type { Probed } from '../subject.ts'
import { fieldKind, fieldsWith, isTime } from './fields.ts'

/** The words of an enumeration; none for other fields. A constant is no list. */
function wordsOf({ schema }: Field): string[] {
  const alternatives = [schema, ...((schema['anyOf'] ?? schema['oneOf'] ?? []) as Record<string, unknown>[])]
  const words = alternatives.flatMap((each) => (each['enum'] ?? []) as unknown[])
  return words.filter((word): word is string => typeof word === 'string')
}

/** A kind that changes one word of an enumeration: "/data/*\/status=active". */
const wordKind = (
  name: string,
  drift: string,
  change: (word: string, words: readonly string[]) => string,
  suits: (probed: Probed) => boolean = () => true,
): Kind => ({
  name,
  drift,
  places: (probed) => {
    const { readable, values } = probed
    if (!suits(probed)) return []
    return readable.fields.flatMap((field) => {
      const words = wordsOf(field)
      const used = new Set(values(field.place))
      return words
        .filter((word) => used.has(word) && change(word, words) !== word)
        .map((word) => `${field.place}=${word}`)
    })
  },
  apply({ answer, at, readable }) {
    if (!isSuccess(answer)) return answer
    const [place = '', word = ''] = at.split('=')
    const field = readable.fields.find((each) => each.place === place)
    const words = field ? wordsOf(field) : []
    return withJson(
      answer,
      changeAt(answer.json, place, (value) => (value === word ? change(word, words) : value)),
    )
  },
})

const otherCase = (word: string): string =>
  word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase()

/** A text that people wrote, without a form of its own. */
const isFreeText = (values: readonly unknown[], field: Field): boolean =>
  wordsOf(field).length === 0 &&
  field.schema['format'] === undefined &&
  !/(id|url|uuid|email|currency|code|key|slug|rfc)$/i.test(field.place) &&
  values.some((value) => typeof value === 'string' && value.trim().includes(' ') && !isTime(value))

const FRACTION = /\.\d{3}(?=Z|[+-]\d\d:\d\d$)/

/** Seconds since 1970, in a field that is named like a time. */
const isEpoch = (value: unknown, place: string): value is number =>
  typeof value === 'number' && value > 1e9 && value < 4e9 && /(_at|since|date|time)$/i.test(nameOf(place))

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** A field with money, in whole units or cents. */
const isMoney = (values: readonly unknown[], { place }: Field): boolean =>
  /(amount|value|price|balance|revenue|fees|total|importe|monto|income)$/i.test(nameOf(place)) &&
  values.some((value) => typeof value === 'number' && value !== 0)

const timeKind = (name: string, drift: string, change: (value: string) => string | number): Kind =>
  fieldKind({
    name,
    drift,
    suits: (values) => values.some((value) => isTime(value) && change(value) !== value),
    change: (value) => (isTime(value) ? change(value) : value),
  })

/** Where a list says how many rows and pages it has. */
export const isTotal = (place: string, { rows }: Readable): boolean =>
  rows !== null &&
  !place.startsWith(`${rows}/`) &&
  /^(total|count|[a-z]+_count|total_pages)$/.test(nameOf(place))

const isCount = (values: readonly unknown[], { place }: Field, { readable }: Probed): boolean =>
  !isReport(readable.path) &&
  !isTotal(place, readable) &&
  /(_count|Count|^total_\w+|^count)$/.test(nameOf(place)) &&
  values.some((value) => typeof value === 'number')

const plusOne = (value: unknown): unknown => (typeof value === 'number' ? value + 1 : value)

const NEW_FORM = 'v2-'

export const VALUE_KINDS: readonly Kind[] = [
  wordKind('word-unknown', 'A value is outside its list (`active` becomes `active_v2`)', toUnknownWord),
  wordKind('word-case', 'A value of a list has other letter case (`active` becomes `ACTIVE`)', otherCase),
  wordKind(
    'word-swapped',
    'One value of a list is sent in place of another',
    (word, words) => words[(words.indexOf(word) + 1) % words.length] ?? word,
    ({ readable, all }) => hasCounterpart(readable, all),
  ),
  fieldKind({
    name: 'text-uppercase',
    drift: 'A text is in capitals',
    suits: (values, field, probed) =>
      hasCounterpart(probed.readable, probed.all) && isFreeText(values, field),
    change: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  }),
  {
    name: 'row-shortened',
    drift: 'A text is shorter in the rows of a list than in its record',
    places: (probed) =>
      probed.readable.rows !== null && recordOperationOf(probed.readable, probed.all)
        ? fieldsWith(probed, isFreeText)
        : [],
    apply: ({ answer, at }) =>
      isSuccess(answer)
        ? withJson(
            answer,
            changeAt(answer.json, at, (value) =>
              typeof value === 'string' ? `${value.slice(0, 6)}…` : value,
            ),
          )
        : answer,
  },
  timeKind('time-without-fraction', 'A time has no milliseconds', (value) => value.replace(FRACTION, '')),
  timeKind('time-in-microseconds', 'A time has six decimals', (value) =>
    value.replace(FRACTION, (fraction) => `${fraction}000`),
  ),
  timeKind('time-with-offset', 'A time ends in +00:00 instead of Z', (value) =>
    value.replace(/Z$/, '+00:00'),
  ),
  timeKind('time-without-zone', 'A time has no time zone', (value) =>
    value.replace(/(Z|[+-]\d\d:\d\d)$/, ''),
  ),
  timeKind('time-as-day', 'A time is only a day', (value) => value.slice(0, 10)),
  timeKind('time-in-seconds', 'A time is a number of seconds', (value) =>
    Math.floor(Date.parse(value) / 1000),
  ),
  {
    name: 'seconds-as-time',
    drift: 'A number of seconds is a time with date',
    places: (probed) =>
      fieldsWith(probed, (values, { place }) => values.some((value) => isEpoch(value, place))),
    apply: ({ answer, at }) =>
      isSuccess(answer)
        ? withJson(
            answer,
            changeAt(answer.json, at, (value) =>
              isEpoch(value, at) ? new Date(value * 1000).toISOString() : value,
            ),
          )
        : answer,
  },
  fieldKind({
    name: 'day-as-time',
    drift: 'A day has a time',
    suits: (values) => values.some(isDay),
    change: (value) => (isDay(value) ? `${value}T00:00:00.000Z` : value),
  }),
  fieldKind({
    name: 'decimals-rounded',
    drift: 'A number has lost its decimals',
    suits: (values) => values.some((value) => typeof value === 'number' && !Number.isInteger(value)),
    change: (value) => (typeof value === 'number' ? Math.round(value) : value),
  }),
  fieldKind({
    name: 'decimals-trimmed',
    drift: 'A decimal in a string has no trailing zeros (`"7.00"` becomes `"7"`)',
    suits: (values) => values.some((value) => typeof value === 'string' && /^\d+\.\d*0$/.test(value)),
    change: (value) =>
      typeof value === 'string' && /^\d+\.\d+$/.test(value) ? String(Number(value)) : value,
  }),
  fieldKind({
    name: 'money-in-cents',
    drift: 'An amount is a hundred times as large',
    suits: isMoney,
    change: (value) => (typeof value === 'number' ? timesHundred(value) : value),
  }),
  fieldKind({
    name: 'figure-off',
    drift: 'A figure of a report is off by one',
    suits: (values, { place }, { readable }) =>
      isReport(readable.path) &&
      !isTotal(place, readable) &&
      values.some((value) => typeof value === 'number'),
    change: plusOne,
  }),
  fieldKind({
    name: 'count-off',
    drift: 'A number that a record derives is off by one',
    suits: isCount,
    change: plusOne,
  }),
  {
    name: 'id-form',
    drift: 'The ids of a resource have another form, in lists, records and requests',
    places: ({ readable, values }) =>
      values(`${readable.record}/id`).some((value) => typeof value === 'string')
        ? [`${readable.record}/id`]
        : [],
    covers: (other, readable) =>
      other.interface === readable.interface &&
      parentPath(other) === parentPath(readable) &&
      (other.rows !== null || readable.rows !== null),
    restoreRequest: (text) => text.replaceAll(NEW_FORM, ''),
    apply: ({ answer, readable }) => (isSuccess(answer) ? withNewIds({ answer, readable }) : answer),
  },
]

/** The path of the list to which a list or a record belongs. */
const parentPath = ({ path }: Readable): string => path.replace(/\/\{[^}]+\}$/, '')

function withNewIds({ answer, readable }: Pick<Drifting, 'answer' | 'readable'>) {
  for (const record of valuesAt(answer.json, readable.record)) {
    if (isObject(record) && typeof record['id'] === 'string') record['id'] = NEW_FORM + record['id']
  }
  return answer
}
