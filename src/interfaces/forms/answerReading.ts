/** What was typed into the page of a form, as answers to its fields. */
import { contentTypeOfUpload } from '../../http/contentTypes.ts'
import type { Typed } from '../../http/formFields.ts'
import { Upload } from '../../http/uploads.ts'
import { parseWritten } from '../../state/clock.ts'
import { SentFile, type Sent } from '../../state/forms/answers.ts'
import type { Field } from '../../state/forms/fields.ts'
import type { Form } from '../../state/forms/forms.ts'
import type { Submission } from '../../state/forms/submissions.ts'

/** How the answer to a field is called in the page. */
export const nameOfAnswer = (fieldId: string): string => `answer_${fieldId}`

/** All that the page sends. */
export const namesOf = ({ fields }: Form): string[] => [
  'started',
  'mode',
  'timing',
  ...fields.map(({ id }) => nameOfAnswer(id)),
]

type Body = Readonly<Record<string, unknown>>

/** `typed` gives back what stood in the page; of several choices one a line. */
export async function readAnswers(
  { fields }: Form,
  body: unknown,
): Promise<{ readonly typed: Typed; readonly submission: Submission }> {
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Body
  const typed: Typed = (name) => textsOf(sent, name).join('\n')
  const timing = timingIn(typed('timing'))
  const answers = new Map<string, Sent>()
  for (const field of fields) {
    const [timeSeconds, revisions] = timing(field.id)
    answers.set(field.id, { value: await valueOf(field, sent), timeSeconds, revisions })
  }
  const submission: Submission = {
    mode: typed('mode') === 'conversational' ? 'conversational' : 'classic',
    startedAt: parseWritten(typed('started')),
    respondentEmail: null,
    sent: answers,
  }
  return { typed, submission }
}

function textsOf(sent: Body, name: string): string[] {
  const value = Object.hasOwn(sent, name) ? sent[name] : ''
  return [value].flat().filter((each) => typeof each === 'string')
}

async function valueOf(field: Field, sent: Body): Promise<unknown> {
  const name = nameOfAnswer(field.id)
  const texts = textsOf(sent, name)
  const [text = ''] = texts
  switch (field.type) {
    case 'number':
    case 'rating':
      return text.trim() === '' ? null : numberIn(text.trim())
    case 'select':
      return text
    case 'multi_select':
      // Of boxes none of which is ticked a browser sends nothing.
      return texts.filter((each) => each !== '')
    case 'boolean':
      return text === 'true'
    case 'file':
      return fileIn(sent[name])
    case 'long_text':
      return text.replaceAll('\r\n', '\n')
    default:
      return text.trim()
  }
}

/** As browsers write a number, also with a comma. */
const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i

/** Characters that a number may have. */
const LONGEST_NUMBER = 400

/** The text itself where it is no number, for that to be told. */
function numberIn(text: string): number | string {
  const isWritten = text.length <= LONGEST_NUMBER && NUMBER.test(text)
  const number = isWritten ? Number(text.replace(',', '.')) : NaN
  return Number.isNaN(number) ? text : number
}

/** Browsers send an empty file without a name where none was chosen. */
async function fileIn(sent: unknown): Promise<SentFile | null> {
  if (!(sent instanceof Upload) || sent.size === 0) return null
  const contentType = await contentTypeOfUpload(sent)
  const name = sent.filename === '' ? 'file' : sent.filename
  return new SentFile({ name, contentType, source: sent.source }, sent.size)
}

const LONGEST_TIMING = 10_000

/** Seconds and changes by field, which the page's script counts: {"rating":[12.5,1]}; 0 where there is no script. */
function timingIn(text: string): (fieldId: string) => readonly [number, number] {
  let told: unknown = null
  try {
    told = text.length > LONGEST_TIMING ? null : JSON.parse(text)
  } catch {
    // Written by nobody but the script.
  }
  const byField = new Map(typeof told === 'object' && told !== null ? Object.entries(told) : [])
  return (fieldId) => {
    const [seconds, changes] = [byField.get(fieldId)].flat() as unknown[]
    return [bounded(seconds), Math.floor(bounded(changes))]
  }
}

const bounded = (number: unknown): number =>
  typeof number === 'number' && number >= 0 && number <= 1e9 ? Math.round(number * 10) / 10 : 0
