/** The form by which a person applies for a vacancy: what it asks, and what was typed into it. Assumed as a whole. */
import { contentTypeOfUpload } from '../../http/contentTypes.ts'
import {
  fileField,
  problemSummary,
  readEmail,
  selectField,
  textField,
  type Typed,
} from '../../http/formFields.ts'
import { html, type Markup } from '../../http/html.ts'
import { Upload } from '../../http/uploads.ts'
import { problemsOf } from '../../http/validation.ts'
import { wordsOf } from '../../http/words.ts'
import { countries, isCountry } from '../../state/countries.ts'
import type { NewCandidate } from '../../state/recruiting/applications.ts'
import type { FieldProblem } from '../../state/refusal.ts'
import type { IncomingFile } from '../../state/storedFiles.ts'
import { Words } from './schemas/common.ts'

/** Bytes that a résumé may have: 5 MiB. */
export const LARGEST_CV = 5 * 1024 * 1024

/** What a résumé may be, by what it holds. */
const CV_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/rtf',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/x-cfb',
  'text/plain',
])

export interface ShownForm {
  /** What is filled in already; a file has to be chosen again. */
  readonly typed?: Typed
  readonly problems?: readonly FieldProblem[]
}

/** What the form asks. */
export const APPLY_FIELDS = [
  'name',
  'email',
  'phone',
  'country',
  'city',
  'experience_years',
  'skills',
  'cv',
] as const

const LIMITS = { name: 200, phone: 40, city: 100, experience_years: 5, skills: 500 } as const

/** The form as a person fills it in, below what was wrong with it. */
export function applyForm({ typed = () => '', problems = [] }: ShownForm): Markup {
  const field = (given: Omit<Parameters<typeof textField>[0], 'value'>): Markup =>
    textField({ ...given, value: typed(given.name) }, problems)
  return html`${problems.length > 0 && problemSummary(problems)}
    <form method="post" enctype="multipart/form-data" novalidate>
      <fieldset>
        <legend>Apply for this position</legend>
        ${field({ name: 'name', label: 'Name', autocomplete: 'name', maxlength: LIMITS.name })}
        ${field({ name: 'email', label: 'E-mail address', type: 'email', inputmode: 'email', autocomplete: 'email', maxlength: 254 })}
        ${field({ name: 'phone', label: 'Phone', isOptional: true, type: 'tel', inputmode: 'tel', autocomplete: 'tel', maxlength: LIMITS.phone })}
        ${selectField(
          {
            name: 'country',
            label: 'Country',
            isOptional: true,
            autocomplete: 'country',
            value: typed('country'),
            options: countries().map(({ code, name }) => ({ value: code, label: name })),
          },
          problems,
        )}
        ${field({ name: 'city', label: 'City', isOptional: true, autocomplete: 'address-level2', maxlength: LIMITS.city })}
        ${field({ name: 'experience_years', label: 'Years of experience', isOptional: true, inputmode: 'decimal', autocomplete: 'off', maxlength: LIMITS.experience_years })}
        ${field({ name: 'skills', label: 'Skills', hint: 'Separated by commas, for example sewing, leather', isOptional: true, autocomplete: 'off', maxlength: LIMITS.skills })}
        ${fileField(
          {
            name: 'cv',
            label: 'Résumé',
            hint: 'PDF, Word, OpenDocument, RTF or plain text, at most 5 MB',
            isOptional: true,
            accept: '.pdf,.doc,.docx,.odt,.rtf,.txt',
          },
          problems,
        )}
      </fieldset>
      <button type="submit">Send application</button>
    </form>`
}

/** An application that can be taken. */
export interface ReadApplication {
  readonly fields: NewCandidate
  readonly cv: IncomingFile | null
}

interface Read {
  readonly typed: Typed
  /** Or what is wrong with it, in the order of the form. */
  readonly read: ReadApplication | readonly FieldProblem[]
}

/** What was sent: texts and files by name. */
export async function readApplyForm(body: unknown): Promise<Read> {
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const typed: Typed = (name) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : ''
    return typeof value === 'string' ? value : ''
  }
  const text = (name: string): string => typed(name).trim()
  const email = readEmail(typed)
  const years = readYears(text('experience_years'))
  const skills = wordsOf(text('skills'))
  const cv = await readCv(sent['cv'])
  const problems = [
    text('name') === '' && problem('name', 'required', 'Give your name.'),
    ...(['name', 'phone', 'city'] as const).map(
      (name) =>
        text(name).length > LIMITS[name] &&
        problem(name, 'too_long', `Use at most ${String(LIMITS[name])} characters.`),
    ),
    email === undefined
      ? problem('email', 'required', 'Give your e-mail address.')
      : typeof email === 'object' && email,
    text('country') !== '' &&
      !isCountry(text('country')) &&
      problem('country', 'not_allowed', 'Choose a country of the list.'),
    typeof years === 'object' && years,
    problemsOf(skillsShape, skills).length > 0 &&
      problem(
        'skills',
        'invalid',
        'Name at most 50 skills of at most 50 characters each, separated by commas.',
      ),
    cv !== null && 'message' in cv && cv,
  ].filter((found) => found !== false)
  if (
    problems.length > 0 ||
    typeof email !== 'string' ||
    typeof years === 'object' ||
    (cv !== null && 'message' in cv)
  ) {
    return { typed, read: problems }
  }
  const told = (name: 'phone' | 'country' | 'city') => text(name) !== '' && { [name]: text(name) }
  const fields: NewCandidate = {
    name: text('name'),
    email,
    ...told('phone'),
    ...told('country'),
    ...told('city'),
    ...(years !== undefined && { experienceYears: years }),
    ...(skills.length > 0 && { technicalSkills: skills }),
  }
  return { typed, read: { fields, cv } }
}

const skillsShape = Words(50, ['sewing'])

const problem = (field: string, code: string, message: string): FieldProblem => ({ field, code, message })

function readYears(text: string): number | undefined | FieldProblem {
  if (text === '') return undefined
  const years = /^\d{1,2}([.,]\d)?$/.test(text) ? Number(text.replace(',', '.')) : NaN
  if (years <= 80) return years
  return problem('experience_years', 'invalid', 'Write the years in digits, such as 4 or 2.5.')
}

/** null where none was chosen: browsers send an empty file without a name then. */
async function readCv(sent: unknown): Promise<IncomingFile | null | FieldProblem> {
  if (!(sent instanceof Upload) || sent.size === 0) return null
  const contentType = await contentTypeOfUpload(sent)
  if (!CV_TYPES.has(contentType)) {
    return problem('cv', 'unsupported_type', 'Send a PDF, Word, OpenDocument, RTF or plain text file.')
  }
  return { name: sent.filename === '' ? 'cv' : sent.filename, contentType, source: sent.source }
}
