/** Drift of whole answers: statuses, media types, headers, documents, and how errors look. */
import { hashOf, isObject, wordOf, type JsonObject } from '../json.ts'
import { isSuccess, withJson, type Answer, type Drifting, type Kind } from '../kind.ts'
import type { Probed } from '../subject.ts'

const whole = (): string[] => ['']

const withHeader = (answer: Answer, name: string, value: string): Answer => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
})

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  'application/json': 'text/plain',
  'application/xml': 'text/xml',
}

function otherMediaType(type: string): string {
  const [essence = ''] = type.split(';')
  return MEDIA_TYPES[essence] ?? 'application/octet-stream'
}

/** Headers that are part of an interface, as opposed to those that every server sends. */
const OWN_HEADERS = /^(content-disposition|x-ratelimit-.*|link|location|etag)$/

const errorStatuses = ({ statuses }: Probed): string[] =>
  statuses.filter((status) => status >= 400).map(String)

/** A kind that changes the errors of one status. */
const errorKind = (name: string, drift: string, change: (answer: Answer) => Answer): Kind => ({
  name,
  drift,
  places: errorStatuses,
  apply: ({ answer, at }) => (String(answer.status) === at ? change(answer) : answer),
})

/** What another service would answer in place of a status. */
const OTHER_STATUS: Readonly<Record<number, number>> = { 400: 422, 422: 400, 404: 400 }

/** The word that programs compare: `code`, or `error` if that is a word. */
function changeCode(json: unknown): unknown {
  if (!isObject(json)) return json
  const holder = isObject(json['error']) ? json['error'] : json
  const name = ['code', 'error'].find((each) => /^\w+$/.test(wordOf(holder[each])))
  if (name !== undefined) holder[name] = `${wordOf(holder[name])}_error`
  return json
}

const messageOf = (json: unknown): unknown =>
  isObject(json) ? (json['message'] ?? (json['error'] as JsonObject | undefined)?.['message']) : undefined

/** Repeats the call without the parameter, as if the service ignored it. */
const sendWithout = ({ call, send }: Drifting, ...names: readonly string[]): Promise<Answer> => {
  const query = new URLSearchParams(call.query)
  for (const name of names) query.delete(name)
  return send(call.path, query)
}

export const ANSWER_KINDS: readonly Kind[] = [
  {
    name: 'success-status',
    drift: 'Success has another status (202 instead of 200)',
    places: whole,
    apply: ({ answer }) => (answer.status === 200 ? { ...answer, status: 202 } : answer),
  },
  {
    name: 'media-type',
    drift: 'The media type is another one',
    places: whole,
    apply: ({ answer }) =>
      isSuccess(answer)
        ? withHeader(answer, 'content-type', otherMediaType(answer.headers['content-type'] ?? ''))
        : answer,
  },
  {
    name: 'header-removed',
    drift: 'A header of the interface is no longer sent',
    places: ({ plain }) => Object.keys(plain.headers).filter((name) => OWN_HEADERS.test(name)),
    apply({ answer, at }) {
      const { [at]: _, ...headers } = answer.headers
      return { ...answer, headers }
    },
  },
  {
    name: 'document-empty',
    drift: 'A file has no content',
    places: ({ plain }) => (plain.json === undefined && plain.raw.length > 0 ? [''] : []),
    apply: ({ answer }) =>
      isSuccess(answer) && answer.json === undefined ? { ...answer, raw: Buffer.alloc(0) } : answer,
  },
  {
    name: 'format-version',
    drift: 'An XML file has another version of its format',
    places: ({ plain }) => (plain.raw.subarray(0, 5).toString() === '<?xml' ? [''] : []),
    apply: ({ answer }) => ({
      ...answer,
      raw: Buffer.from(answer.raw.toString().replace(/( Version=")\d+\.\d+/, '$13.3')),
    }),
  },
  errorKind('error-status', 'An error has another status (404 becomes 400, 422 becomes 400)', (answer) => ({
    ...answer,
    status: OTHER_STATUS[answer.status] ?? 400,
  })),
  errorKind('error-code', 'An error has another code', (answer) => withJson(answer, changeCode(answer.json))),
  errorKind('error-shape', 'Errors have another shape', (answer) =>
    withJson(answer, { errors: [{ title: messageOf(answer.json) ?? 'Error', status: answer.status }] }),
  ),
  errorKind('error-as-text', 'An error is plain text', (answer) =>
    withHeader(
      { ...answer, json: undefined, raw: Buffer.from(wordOf(messageOf(answer.json)) || 'Error') },
      'content-type',
      'text/plain',
    ),
  ),
  {
    name: 'unknown-id-accepted',
    drift: 'An unknown id gets an empty object instead of an error',
    places: ({ statuses }) => (statuses.includes(404) ? ['404'] : []),
    apply: ({ answer }) => (answer.status === 404 ? withJson({ ...answer, status: 200 }, {}) : answer),
  },
  {
    name: 'bad-value-accepted',
    drift: 'A wrong value of a parameter is ignored instead of refused',
    places: ({ readable }) => readable.query.filter(({ isRequired }) => !isRequired).map(({ name }) => name),
    apply: (drifting) =>
      drifting.answer.status >= 400 && drifting.call.query.has(drifting.at)
        ? sendWithout(drifting, drifting.at)
        : drifting.answer,
  },
  {
    name: 'parameter-refused',
    drift: 'A parameter is no longer accepted',
    places: ({ readable }) => readable.query.map(({ name }) => name),
    apply({ call, answer, at, readable, send }) {
      if (!isSuccess(answer) || !call.query.has(at)) return answer
      return refusalOf(readable, call, send)
    },
  },
  {
    name: 'setting-ignored',
    drift: 'A parameter of a report has no effect',
    places: ({ readable }) =>
      readable.query
        .filter(({ role, isRequired }) => role === 'setting' && !isRequired)
        .map(({ name }) => name),
    apply: (drifting) =>
      isSuccess(drifting.answer) && drifting.call.query.has(drifting.at)
        ? sendWithout(drifting, drifting.at)
        : drifting.answer,
  },
  {
    name: 'record-lost',
    drift: 'Some records of a list can not be read one by one',
    places: ({ readable, statuses }) => (readable.path.endsWith('}') && statuses.includes(404) ? [''] : []),
    apply: ({ call, answer, send }) =>
      isSuccess(answer) && hashOf(call.path) % 2 === 0
        ? send(call.path.replace(/[^/]+$/, UNKNOWN_ID), new URLSearchParams())
        : answer,
  },
]

/** An id that no record has, of a form that numbers and words accept. */
export const UNKNOWN_ID = '999999999'

/** What the interface answers to a wrong value; without a parameter that can be wrong, an answer of the same form. */
export async function refusalOf(
  { query }: Drifting['readable'],
  call: Drifting['call'],
  send: Drifting['send'],
): Promise<Answer> {
  const strict = query.find(({ schema }) => schema['type'] === 'integer' || schema['enum'] !== undefined)
  const changed = new URLSearchParams(call.query)
  if (strict) changed.set(strict.name, 'no such value')
  const answer = await send(call.path, changed)
  return answer.status >= 400 ? answer : { ...answer, status: 400, json: { error: 'bad_request' } }
}
