/** The application form of a vacancy: renders and reads it. The specification does not show it; all of it is assumed. */
import { contentTypeOfUpload } from '../../http/uploads/contentTypes.ts'
import {
  fileField,
  problemSummary,
  readEmail,
  selectField,
  textField,
  type Typed,
} from '../../http/webPages/formFields.ts'
import { html, type Markup } from '../../http/webPages/html.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { Upload } from '../../http/uploads/uploads.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { wordsOf } from '../../http/definition/words.ts'
import { countriesIn, isCountry } from '../../state/shared/countries.ts'
import type { NewCandidate } from '../../state/recruiting/applications.ts'
import type { PageProblem } from '../../state/model/refusal.ts'
import type { Text } from '../../state/text/languages.ts'
import type { IncomingFile } from '../../state/shared/storedFiles.ts'
import { APPLY_TEXTS } from './jobTexts.ts'
import { Words } from './shapes/common.ts'

/** The maximum size of a résumé: 5 MiB. */
export const MAX_CV_SIZE = 5 * 1024 * 1024

/** The content types of a résumé, detected from the content. */
const CV_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/rtf',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/x-cfb',
  'text/plain',
])

export interface ShownForm {
  /** The values to fill in again. Browsers do not allow this for files. */
  readonly typed?: Typed
  readonly problems?: readonly PageProblem[]
}

/** The names of the form fields. */
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

/** Renders the form below a summary of its errors. */
export function applyForm({ typed = () => '', problems = [] }: ShownForm): Markup {
  const field = (options: Omit<Parameters<typeof textField>[0], 'value'>): Markup =>
    textField({ ...options, value: typed(options.name) }, problems)
  return html`${problems.length > 0 && problemSummary(problems)}
    <form method="post" enctype="multipart/form-data" novalidate>
      <fieldset>
        <legend>${APPLY_TEXTS.apply}</legend>
        ${field({ name: 'name', label: PAGE_TEXTS.name, autocomplete: 'name', maxlength: LIMITS.name })}
        ${field({ name: 'email', label: PAGE_TEXTS.email, type: 'email', inputmode: 'email', autocomplete: 'email', maxlength: 254 })}
        ${field({ name: 'phone', label: APPLY_TEXTS.phone, isOptional: true, type: 'tel', inputmode: 'tel', autocomplete: 'tel', maxlength: LIMITS.phone })}
        ${selectField(
          {
            name: 'country',
            label: APPLY_TEXTS.country,
            isOptional: true,
            autocomplete: 'country',
            value: typed('country'),
            options: (language) =>
              countriesIn(language).map(({ code, name }) => ({ value: code, label: name })),
          },
          problems,
        )}
        ${field({ name: 'city', label: APPLY_TEXTS.city, isOptional: true, autocomplete: 'address-level2', maxlength: LIMITS.city })}
        ${field({ name: 'experience_years', label: APPLY_TEXTS.years, isOptional: true, inputmode: 'decimal', autocomplete: 'off', maxlength: LIMITS.experience_years })}
        ${field({ name: 'skills', label: APPLY_TEXTS.skills, hint: APPLY_TEXTS.skillsHint, isOptional: true, autocomplete: 'off', maxlength: LIMITS.skills })}
        ${fileField(
          {
            name: 'cv',
            label: APPLY_TEXTS.cv,
            hint: APPLY_TEXTS.cvHint,
            isOptional: true,
            accept: '.pdf,.doc,.docx,.odt,.rtf,.txt',
          },
          problems,
        )}
      </fieldset>
      <button type="submit">${APPLY_TEXTS.send}</button>
    </form>`
}

/** A valid application. */
export interface ReadApplication {
  readonly fields: NewCandidate
  readonly cv: IncomingFile | null
}

interface Read {
  readonly typed: Typed
  /** The application, or its errors in the order of the form. */
  readonly read: ReadApplication | readonly PageProblem[]
}

/** Reads the submitted form: strings and files by field name. */
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
    text('name') === '' && problem('name', 'required', APPLY_TEXTS.nameRequired),
    ...(['name', 'phone', 'city'] as const).map(
      (name) =>
        text(name).length > LIMITS[name] &&
        problem(name, 'too_long', PAGE_TEXTS.tooLong(String(LIMITS[name]))),
    ),
    email === undefined
      ? problem('email', 'required', APPLY_TEXTS.emailRequired)
      : typeof email === 'object' && email,
    text('country') !== '' &&
      !isCountry(text('country')) &&
      problem('country', 'not_allowed', APPLY_TEXTS.countryUnknown),
    typeof years === 'object' && years,
    problemsOf(skillsShape, skills).length > 0 && problem('skills', 'invalid', APPLY_TEXTS.skillsInvalid),
    cv !== null && 'message' in cv && cv,
  ].filter((each) => each !== false)
  if (
    problems.length > 0 ||
    typeof email !== 'string' ||
    typeof years === 'object' ||
    (cv !== null && 'message' in cv)
  ) {
    return { typed, read: problems }
  }
  const optional = (name: 'phone' | 'country' | 'city') => text(name) !== '' && { [name]: text(name) }
  const fields: NewCandidate = {
    name: text('name'),
    email,
    ...optional('phone'),
    ...optional('country'),
    ...optional('city'),
    ...(years !== undefined && { experienceYears: years }),
    ...(skills.length > 0 && { technicalSkills: skills }),
  }
  return { typed, read: { fields, cv } }
}

const skillsShape = Words(50, ['sewing'])

const problem = (field: string, code: string, message: Text): PageProblem => ({ field, code, message })

function readYears(text: string): number | undefined | PageProblem {
  if (text === '') return undefined
  const years = /^\d{1,2}([.,]\d)?$/.test(text) ? Number(text.replace(',', '.')) : NaN
  if (years <= 80) return years
  return problem('experience_years', 'invalid', APPLY_TEXTS.yearsInvalid)
}

/** Returns null if no file was chosen: browsers then send an empty file without a name. */
async function readCv(sent: unknown): Promise<IncomingFile | null | PageProblem> {
  if (!(sent instanceof Upload) || sent.size === 0) return null
  const contentType = await contentTypeOfUpload(sent)
  if (!CV_TYPES.has(contentType)) {
    return problem('cv', 'unsupported_type', APPLY_TEXTS.cvInvalid)
  }
  return { name: sent.filename === '' ? 'cv' : sent.filename, contentType, source: sent.source }
}
