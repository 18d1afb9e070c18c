/** Reads the fields of a submitted page as answers to a form. */
import type { HeavyWork } from '../../http/files/heavyWork/index.ts'
import { storedTypeOfUpload } from '../../http/uploads/contentTypes.ts'
import type { Typed } from '../../http/webPages/formFields.ts'
import { Upload } from '../../http/uploads/uploads.ts'
import { parseOffsetInstant } from '@suite-sim/kit/time/instants'
import { SentFile, type SentAnswer } from '../../state/forms/answers.ts'
import type { Field } from '../../state/forms/fields.ts'
import type { Form } from '../../state/forms/forms.ts'
import type { Submission } from '../../state/forms/submissions.ts'

/** Returns the name of the answer to a field in the page. */
export const nameOfAnswer = (fieldId: string): string => `answer_${fieldId}`

/** Returns the names of all fields that the page sends. */
export const namesOf = ({ fields }: Form): string[] => [
  'started',
  'mode',
  'timing',
  ...fields.map(({ id }) => nameOfAnswer(id)),
]

type Body = Readonly<Record<string, unknown>>

/** Returns the submission, and `typed` for showing the values again; several choices are one per line. */
export async function readAnswers(
  { fields }: Form,
  body: unknown,
  heavyWork: HeavyWork,
): Promise<{ readonly typed: Typed; readonly submission: Submission }> {
  const values = (typeof body === 'object' && body !== null ? body : {}) as Body
  const typed: Typed = (name) => textsOf(values, name).join('\n')
  const timing = timingIn(typed('timing'))
  const answers = new Map<string, SentAnswer>()
  for (const field of fields) {
    const [timeSeconds, revisions] = timing(field.id)
    answers.set(field.id, { value: await valueOf(field, values, heavyWork), timeSeconds, revisions })
  }
  const submission: Submission = {
    mode: typed('mode') === 'conversational' ? 'conversational' : 'classic',
    startedAt: parseOffsetInstant(typed('started')),
    respondentEmail: null,
    sent: answers,
  }
  return { typed, submission }
}

function textsOf(sent: Body, name: string): string[] {
  const value = Object.hasOwn(sent, name) ? sent[name] : ''
  return [value].flat().filter((each) => typeof each === 'string')
}

async function valueOf(field: Field, sent: Body, heavyWork: HeavyWork): Promise<unknown> {
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
      // A browser sends nothing if no box is checked.
      return texts.filter((each) => each !== '')
    case 'boolean':
      return text === 'true'
    case 'file':
      return fileIn(sent[name], heavyWork)
    case 'long_text':
      return text.replaceAll('\r\n', '\n')
    default:
      return text.trim()
  }
}

/** A number as browsers write it, also with a comma. */
const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i

/** The maximum length of a number. */
const MAX_NUMBER_LENGTH = 400

/** Returns the number, or the string itself so that the error can show it. */
function numberIn(text: string): number | string {
  const isWritten = text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text)
  const number = isWritten ? Number(text.replace(',', '.')) : NaN
  return Number.isNaN(number) ? text : number
}

/** Returns the uploaded file; null for the empty file without a name that browsers send if no file was chosen. */
async function fileIn(sent: unknown, heavyWork: HeavyWork): Promise<SentFile | null> {
  if (!(sent instanceof Upload) || sent.size === 0) return null
  const contentType = await storedTypeOfUpload(sent, heavyWork)
  const name = sent.filename === '' ? 'file' : sent.filename
  return new SentFile({ name, contentType, source: sent.source }, sent.size)
}

const MAX_TIMING_LENGTH = 10_000

/**
 * Reads the seconds and changes of each field, which the page's script counts: {"rating":[12.5,1]}; 0 without
 * scripts.
 */
function timingIn(text: string): (fieldId: string) => readonly [number, number] {
  let parsed: unknown = null
  try {
    parsed = text.length > MAX_TIMING_LENGTH ? null : JSON.parse(text)
  } catch {
    // Only the page's script writes valid JSON here.
  }
  const byField = new Map(typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [])
  return (fieldId) => {
    const [seconds, changes] = [byField.get(fieldId)].flat() as unknown[]
    return [bounded(seconds), Math.floor(bounded(changes))]
  }
}

const bounded = (number: unknown): number =>
  typeof number === 'number' && number >= 0 && number <= 1e9 ? Math.round(number * 10) / 10 : 0
