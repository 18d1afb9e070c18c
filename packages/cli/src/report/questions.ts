/** Questions to the vendor in plain words, and what a wrong assumption costs. */
import type { Operation } from '@suite-sim/verify/model/operation'
import type { Cost, SubjectKind } from './part.ts'

/** What a question is about. */
export interface Subject {
  readonly kind: SubjectKind
  readonly key: string
  readonly place: string
  readonly operation?: Operation
  readonly status?: number
  /** The value, the default, or the name of the parameter. */
  readonly detail?: string
  /** The message of a refusal. */
  readonly message?: string
  /** The title of a record, an event or a reading. */
  readonly title?: string
  readonly from?: string
  readonly to?: string
  readonly by?: string
  readonly alternatives?: readonly string[]
  /** Whether an answer had the field. Otherwise a call sent it. */
  readonly isRead?: boolean
}

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

/** "Refund a transaction (`POST /transactions/{transaction_id}/refund`)" */
const nameOf = ({ operation, place }: Subject): string => {
  const [method = '', path = ''] = place.split(' ')
  if (!operation) return code(`${method} ${path}`)
  const { summary } = operation.published as { readonly summary?: string }
  return summary === undefined ? code(operation.address) : `"${summary}" (${code(operation.address)})`
}

/** Ends the message of a refusal before the end of the question. */
const said = (message: string | undefined): string =>
  message === undefined ? '' : `, for the reason "${message.replaceAll('"', "'").replace(/\.$/, '')}"`

interface PartOf {
  /** "`data` in answers of `GET /pipelines`", in two parts. */
  readonly name: string
  readonly messages: string
}

/** Names a part of calls, answers or webhooks: of one operation, of one event, or of all that have a schema. */
function partAt({ place, isRead }: Subject): PartOf {
  const [, address = '', status, name = ''] = /^([A-Z]+ \S+) (?:body|(\d{3}))\.(.+)$/.exec(place) ?? []
  if (name !== '')
    return { name, messages: `${status === undefined ? 'calls' : 'answers'} of ${code(address)}` }
  // Schemas begin with a capital letter.
  const isOfEvent = /^[a-z]/.test(place)
  return { name: place, messages: isOfEvent ? 'webhooks' : isRead === true ? 'answers' : 'calls' }
}

function questionAboutField(subject: Subject): string {
  const { name, messages } = partAt(subject)
  if (name.endsWith('[]')) return `What do the entries of ${code(name.slice(0, -2))} have in ${messages}?`
  return subject.isRead === true
    ? `Do ${messages} have the field ${code(name)}?`
    : `Can ${messages} have the field ${code(name)}, and what does it mean?`
}

const QUESTIONS: Readonly<Record<SubjectKind, (subject: Subject) => string>> = {
  operation: (subject) => `Does ${nameOf(subject)} exist, and what does it answer?`,
  request: (subject) => `What can be sent with ${nameOf(subject)}?`,
  response: (subject) =>
    subject.place === 'Error'
      ? `What do errors look like, such as those of ${nameOf(subject)}?`
      : `What does ${nameOf(subject)} answer with the status ${String(subject.status ?? '')}?`,
  field: questionAboutField,
  value: (subject) => {
    const { place, detail = '' } = subject
    const [address = '', parameter] = place.split(' ?')
    if (parameter !== undefined)
      return `Can ${code(address)} be called with ${code(`${parameter}=${detail}`)}?`
    const { name, messages } = partAt(subject)
    return `Can ${code(name)} be ${code(detail)}${name === place ? '' : ` in ${messages}`}?`
  },
  default: (subject) => {
    const { place, detail = '' } = subject
    const [address = '', parameter] = place.split(' ?')
    if (parameter !== undefined)
      return `Is ${code(address)} without ${code(parameter)} the same as with ${code(`${parameter}=${detail}`)}?`
    const { name, messages } = partAt(subject)
    return `Is ${code(name)} ${code(detail)} if ${messages} leave it out?`
  },
  parameter: (subject) => `Does ${nameOf(subject)} have the query parameter ${code(subject.detail ?? '')}?`,
  status: (subject) => `Does ${nameOf(subject)} answer with the status ${String(subject.status ?? '')}?`,
  refusal: (subject) =>
    `Does ${nameOf(subject)} answer ${String(subject.status ?? '')}${said(subject.message)}?`,
  move: ({ title = '', from = '', to = '', by = '' }) =>
    from === to
      ? `Does the record "${title}" stay ${code(to)} after this: ${by}?`
      : `Does the record "${title}" go from ${code(from)} to ${code(to)} by this: ${by}?`,
  event: ({ place, title = '' }) => `Is the event ${code(place)} sent when this happens: ${title}?`,
  payload: ({ place }) => `What do webhooks look like, such as ${code(place)}?`,
  reading: ({ title = '', alternatives = [] }) =>
    `${title}: which is right? ${alternatives.map((each, index) => `(${String.fromCodePoint(97 + index)}) ${each}`).join(' ')}`,
}

export const questionAbout = (subject: Subject): string => QUESTIONS[subject.kind](subject)

/** Names and messages of errors: people read them, and programs can do without. */
const WORDING = /^Error\.|(?:^|[.\s])(?:message|detail|title|type_label)\b/

/** By the words of an interface and a place. The first that matches counts. */
const WORDS: readonly (readonly [Cost, RegExp])[] = [
  ['security', /\b40[13]\b|scope|secret|signature|permission|api.?key/i],
  // An amount on an invoice is both; a tax authority is stricter than a customer.
  ['fiscal', /^(?:tax|lite)-invoicing|cfdi|stamp|fiscal|retention/i],
  [
    'money',
    /amount|price|total|currenc|refund|payment|transaction|settle|balance|revenue|discount|exchange_rate/i,
  ],
]

/** What decides how a program goes on. */
const STATE_KINDS: readonly SubjectKind[] = ['move', 'reading', 'refusal', 'operation', 'event']

interface Priced {
  readonly interface: string
  readonly kind: SubjectKind
  readonly place: string
}

export function costOf({ interface: of, kind, place }: Priced): Cost {
  if (WORDING.test(place)) return 'wording'
  // Pages, orders and formats of a list change what it shows, and no record.
  if (place.includes(' ?')) return 'data'
  const named = WORDS.find(([, words]) => words.test(`${of} ${place}`))?.[0]
  return named ?? (STATE_KINDS.includes(kind) || /stat(?:e|us)/i.test(place) ? 'state' : 'data')
}

const WEIGHTS: Readonly<Record<Cost, number>> = {
  money: 8,
  fiscal: 8,
  security: 6,
  state: 6,
  data: 3,
  wording: 0.1,
}

/** A wrong move, reading or refusal changes what a program does, a wrong field only what it has. */
const factorOf = (kind: SubjectKind): number =>
  STATE_KINDS.includes(kind) ? 1.5 : kind === 'value' ? 1.2 : 1

/** Ranks by cost, and then by how often the run relied on it; ten times as often is worth half of the cost more. */
export const weightOf = (priced: Priced & { readonly count: number }): number =>
  WEIGHTS[costOf(priced)] * factorOf(priced.kind) * (1 + Math.log10(priced.count) / 2)
