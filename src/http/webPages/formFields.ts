/**
 * The fields of HTML forms, and their errors. Each field has a label; an error is next to its field, linked
 * to it for screen readers, and again in the summary above the form.
 */
import type { PageProblem } from '../../state/model/refusal.ts'
import type { Language, Spoken, Text } from '../../state/text/languages.ts'
import { FORMATS } from '../schemas/validation.ts'
import { html, type Content, type Markup } from './html.ts'
import { PAGE_TEXTS } from './texts.ts'

/** Returns the text in a field; '' if it is empty. */
export type Typed = (field: string) => string

/** Checks whether a parsed value is a list of errors. */
export const areProblems = (read: object): read is readonly PageProblem[] => Array.isArray(read)

export interface TextField {
  /** The name of the field in the form data. */
  readonly name: string
  readonly label: Text
  /** "text" by default. */
  readonly type?: 'text' | 'email' | 'tel'
  readonly inputmode?: 'decimal' | 'numeric' | 'tel' | 'email'
  /** The browser's autofill type: "cc-number". */
  readonly autocomplete: string
  readonly maxlength: number
  readonly value?: string
  /** A sentence under the label. */
  readonly hint?: Text
  readonly isOptional?: boolean
  /** A text before the input: a currency. */
  readonly prefix?: string
  /** True for a field of half width. */
  readonly isShort?: boolean
  /** True for a value that is never filled in again, even by the browser's Back. */
  readonly isSecret?: boolean
}

/** Returns the id of a field, to which the error summary links. */
export const idOf = (name: string): string => `field-${name}`

export const problemIn = (problems: readonly PageProblem[], name: string): PageProblem | undefined =>
  problems.find(({ field }) => field === name)

/** Renders a text field of one line. */
export function textField(field: TextField, problems: readonly PageProblem[]): Markup {
  const { name, hint, type = 'text', inputmode, value = '', prefix } = field
  const id = idOf(name)
  const problem = problemIn(problems, name)
  const describedBy = [hint !== undefined && `${id}-hint`, problem && `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return html`<div class="field${field.isShort && ' short'}">
    <label for="${id}"
      >${field.label}${field.isOptional && html` <span class="quiet">${PAGE_TEXTS.optional}</span>`}</label
    >
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${problemAt(id, problem)}
    <div class="input">
      ${prefix !== undefined && html`<span class="prefix" aria-hidden="true">${prefix}</span>`}
      <input
        id="${id}"
        name="${name}"
        type="${type}"
        value="${value}"
        maxlength="${field.maxlength}"
        autocomplete="${field.autocomplete}"
        ${inputmode !== undefined && html`inputmode="${inputmode}"`}
        ${describedBy !== '' && html`aria-describedby="${describedBy}"`}
        ${problem && html`aria-invalid="true"`}
        ${field.isSecret && html`data-secret`}
      />
    </div>
  </div>`
}

export interface SelectField extends Pick<TextField, 'name' | 'label' | 'hint' | 'value' | 'isOptional'> {
  readonly autocomplete: string
  readonly options: (language: Language) => readonly { readonly value: string; readonly label: string }[]
}

/** Renders a select field that allows no choice. */
export function selectField(field: SelectField, problems: readonly PageProblem[]): Markup {
  const { name, label, value = '', options } = field
  const choices = (language: Language): Markup[] =>
    options(language).map(
      (option) =>
        html`<option value="${option.value}" ${option.value === value && html`selected`}>
          ${option.label}
        </option>`,
    )
  return labelled(
    field,
    problems,
    (attributes) =>
      html`<select name="${name}" autocomplete="${field.autocomplete}" ${attributes}>
        <option value="">–</option>
        ${choices}
      </select>`,
    label,
  )
}

export interface FileField extends Pick<TextField, 'name' | 'label' | 'hint' | 'isOptional'> {
  /** The accepted file types: ".pdf,.txt". */
  readonly accept: string
}

/** Renders a file field; the form must be `multipart/form-data`. */
export const fileField = (field: FileField, problems: readonly PageProblem[]): Markup =>
  labelled(
    field,
    problems,
    (attributes) => html`<input name="${field.name}" type="file" accept="${field.accept}" ${attributes} />`,
    field.label,
  )

/** Renders a field with its label, hint and error, and the attributes that link them. */
export function labelled(
  { name, hint, isOptional }: Pick<TextField, 'name' | 'hint' | 'isOptional'>,
  problems: readonly PageProblem[],
  control: (attributes: Markup) => Markup,
  label: Text,
): Markup {
  const id = idOf(name)
  const problem = problemIn(problems, name)
  const describedBy = [hint !== undefined && `${id}-hint`, problem && `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return html`<div class="field">
    <label for="${id}"
      >${label}${isOptional && html` <span class="quiet">${PAGE_TEXTS.optional}</span>`}</label
    >
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${problemAt(id, problem)}
    <div class="input">
      ${control(
        html`id="${id}" ${describedBy !== '' && html`aria-describedby="${describedBy}"`}
        ${problem && html`aria-invalid="true"`}`,
      )}
    </div>
  </div>`
}

export const problemAt = (id: string, problem: PageProblem | undefined): Content =>
  problem && html`<p class="problem" id="${id}-problem">${problem.message}</p>`

/** Renders an e-mail field, which is optional unless `isRequired`. */
export const emailField = (value: string, problems: readonly PageProblem[], isRequired = false): Markup =>
  textField(
    {
      name: 'email',
      label: PAGE_TEXTS.email,
      isOptional: !isRequired,
      type: 'email',
      inputmode: 'email',
      autocomplete: 'email',
      maxlength: 254,
      value,
    },
    problems,
  )

/** Returns the address from `emailField`; undefined if it is empty and optional. */
export function readEmail(typed: Typed, isRequired = false): string | undefined | PageProblem {
  const email = typed('email').trim()
  if (email === '') {
    return isRequired ? { field: 'email', code: 'required', message: PAGE_TEXTS.emailRequired } : undefined
  }
  if (FORMATS['email']?.check(email)) return email
  const message = isRequired ? PAGE_TEXTS.emailInvalid : PAGE_TEXTS.emailInvalidOrEmpty
  return { field: 'email', code: 'invalid', message }
}

export interface Choice {
  readonly value: string
  readonly label: Text
  /** The text under the label. */
  readonly hint?: Text
  /** The fields for this choice. */
  readonly fields: Content
}

/**
 * Renders a choice of several options, each with its own fields; only those of the chosen option are visible.
 * With a single option, only its fields are shown.
 */
export function choiceOf(
  name: string,
  legend: Text,
  choices: readonly Choice[],
  chosen: string,
  problems: readonly PageProblem[],
): Markup {
  const [only, ...others] = choices
  if (only && others.length === 0) {
    return html`<fieldset>
      <legend>${only.label}</legend>
      <input type="hidden" name="${name}" value="${only.value}" />
      ${only.fields}
    </fieldset>`
  }
  const problem = problemIn(problems, name)
  const id = idOf(name)
  return html`<fieldset class="choices" ${problem && html`aria-describedby="${id}-problem"`}>
    <legend>${legend}</legend>
    ${problemAt(id, problem)}
    ${choices.map(({ value, label, hint, fields }, index) => {
      const choiceId = index === 0 ? id : `${id}-${value}`
      return html`<div class="choice">
        <input
          type="radio"
          id="${choiceId}"
          name="${name}"
          value="${value}"
          ${value === chosen && html`checked`}
        />
        <label for="${choiceId}"
          >${label}${hint !== undefined && html`<span class="hint">${hint}</span>`}</label
        >
        <div class="chosen" role="group" aria-label="${label}">${fields}</div>
      </div>`
    })}
  </fieldset>`
}

/** Renders the errors above the form. The page scrolls there when it comes back. */
export const problemSummary = (problems: readonly PageProblem[]): Markup =>
  alert(
    PAGE_TEXTS.checkInput,
    html`<ul>
      ${problems.map(({ field, message }) => html`<li><a href="#${idOf(field)}">${message}</a></li>`)}
    </ul>`,
  )

/** Renders an important message, which screen readers announce first. */
export const alert = (heading: Spoken, content: Content): Markup =>
  html`<div class="alert" role="alert" tabindex="-1" autofocus>
    <h2>${heading}</h2>
    ${content}
  </div>`
