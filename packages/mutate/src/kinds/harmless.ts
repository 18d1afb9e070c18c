/** Changes that a vendor may make at any time, in all answers of an interface. */
import { withReversedKeys } from '../changes.ts'
import type { MetInterface } from '../met.ts'
import type { Mutation, Place } from '../mutation.ts'
import { changeAt, isObject, parentOf, type JsonObject } from '../places.ts'
import type { Kind, Target } from './kind.ts'

const whole = ({ name, operations }: MetInterface): Target[] =>
  operations.length === 0
    ? []
    : [{ subject: name, operations: operations.map(({ operation }) => operation.id), places: [] }]

/** The objects that have declared fields: free ones, such as metadata, have what callers sent. */
function withPlaces(met: MetInterface): Target[] {
  const all = met.fields.flatMap(({ places }) =>
    places.map((place): Place => ({ ...place, at: parentOf(place.at) })),
  )
  const places = [...new Map(all.map((place) => [JSON.stringify(place), place])).values()]
  return whole(met).map((target) => ({ ...target, places }))
}

const NEW_FIELD = 'vendor_added'

const withField = (root: unknown, places: readonly Place[], isOwn: (place: Place) => boolean): unknown =>
  places
    .filter(isOwn)
    .reduce(
      (json, { at }) =>
        changeAt(json, at, (value) =>
          isObject(value) && !(NEW_FIELD in value) ? { ...value, [NEW_FIELD]: 'new' } : value,
        ),
      root,
    )

const isOfOperation =
  (id: string) =>
  (place: Place): boolean =>
    'operation' in place && place.operation === id

export const HARMLESS_KINDS: readonly Kind[] = [
  {
    name: 'field-more',
    half: 'harmless',
    words: 'has a field more in each object',
    rank: 1,
    targets: withPlaces,
    answer: (answer, { places }: Mutation) =>
      answer.status >= 300
        ? answer
        : { ...answer, json: withField(answer.json, places, isOfOperation(answer.operation)) },
    event: (sending, { places }) => ({
      ...sending,
      data: withField(
        sending.data,
        places,
        (place) => 'event' in place && place.event === sending.event,
      ) as JsonObject,
    }),
  },
  {
    name: 'header-more',
    half: 'harmless',
    words: 'has a header more',
    rank: 1,
    targets: whole,
    answer: (answer) => ({ ...answer, headers: { ...answer.headers, 'x-vendor-added': 'new' } }),
  },
  {
    name: 'keys-reversed',
    half: 'harmless',
    words: 'has the fields of each object in another order',
    rank: 1,
    targets: whole,
    answer: (answer) => ({ ...answer, json: withReversedKeys(answer.json) }),
    event: (sending) => ({ ...sending, data: withReversedKeys(sending.data) as JsonObject }),
  },
  {
    name: 'ids-longer',
    half: 'harmless',
    words: 'has longer ids for new records',
    rank: 1,
    targets: whole,
    isEarly: true,
  },
]
