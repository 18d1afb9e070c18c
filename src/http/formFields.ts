/**
 * The fields of a form that a person fills in, and what is wrong with them. Each field has a label; a problem stands
 * at its field, tied to it for those who listen to the page, and once more in the summary above the form.
 */
import type { FieldProblem } from '../state/refusal.ts'
import { FORMATS } from './validation.ts'
import { html, type Content, type Markup } from './html.ts'

/** What was typed into a field; '' where it is empty. */
export type Typed = (field: string) => string

/** Whether something is wrong with what was typed. */
export const areProblems = (read: object): read is readonly FieldProblem[] => Array.isArray(read)

export interface TextField {
  /** Its name in the form that is sent. */
  readonly name: string
  readonly label: string
  /** "text" unless told otherwise. */
  readonly type?: 'text' | 'email' | 'tel'
  readonly inputmode?: 'decimal' | 'numeric' | 'tel' | 'email'
  /** What a browser may fill in: "cc-number". */
  readonly autocomplete: string
  readonly maxlength: number
  readonly value?: string
  /** A sentence under the label. */
  readonly hint?: string
  readonly isOptional?: boolean
  /** Stands before what is typed: a currency. */
  readonly prefix?: string
  /** A field that takes half a row. */
  readonly isShort?: boolean
  /** What is never filled in again, not by the browser's Back either. */
  readonly isSecret?: boolean
}

/** Where the summary of problems leads to. */
export const idOf = (name: string): string => `field-${name}`

export const problemIn = (problems: readonly FieldProblem[], name: string): FieldProblem | undefined =>
  problems.find(({ field }) => field === name)

/** One line to type into. */
export function textField(field: TextField, problems: readonly FieldProblem[]): Markup {
  const { name, hint, type = 'text', inputmode, value = '', prefix } = field
  const id = idOf(name)
  const problem = problemIn(problems, name)
  const describedBy = [hint !== undefined && `${id}-hint`, problem && `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return html`<div class="field${field.isShort && ' short'}">
    <label for="${id}"
      >${field.label}${field.isOptional && html` <span class="quiet">(optional)</span>`}</label
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
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** One of many, of which none may be chosen. */
export function selectField(field: SelectField, problems: readonly FieldProblem[]): Markup {
  const { name, label, value = '', options } = field
  const choices = options.map(
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
  /** What the browser offers to choose: ".pdf,.txt". */
  readonly accept: string
}

/** A file to be sent along; the form has to be `multipart/form-data`. */
export const fileField = (field: FileField, problems: readonly FieldProblem[]): Markup =>
  labelled(
    field,
    problems,
    (attributes) => html`<input name="${field.name}" type="file" accept="${field.accept}" ${attributes} />`,
    field.label,
  )

/** A field with its label, its hint and its problem, and what ties these to it. */
export function labelled(
  { name, hint, isOptional }: Pick<TextField, 'name' | 'hint' | 'isOptional'>,
  problems: readonly FieldProblem[],
  control: (attributes: Markup) => Markup,
  label: string,
): Markup {
  const id = idOf(name)
  const problem = problemIn(problems, name)
  const describedBy = [hint !== undefined && `${id}-hint`, problem && `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return html`<div class="field">
    <label for="${id}">${label}${isOptional && html` <span class="quiet">(optional)</span>`}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${problemAt(id, problem)}
    <div class="input">
      ${control(
        html`id="${id}" ${describedBy !== '' && html`aria-describedby="${describedBy}"`}
        ${problem && html`aria-invalid="true"`}`,
      )}
    </div>
  </div>`
}

export const problemAt = (id: string, problem: FieldProblem | undefined): Content =>
  problem && html`<p class="problem" id="${id}-problem">${problem.message}</p>`

/** An e-mail address, which may be left out unless it is required. */
export const emailField = (value: string, problems: readonly FieldProblem[], isRequired = false): Markup =>
  textField(
    {
      name: 'email',
      label: 'E-mail address',
      isOptional: !isRequired,
      type: 'email',
      inputmode: 'email',
      autocomplete: 'email',
      maxlength: 254,
      value,
    },
    problems,
  )

/** The address in `emailField`; undefined where there is none and none is needed. */
export function readEmail(typed: Typed, isRequired = false): string | undefined | FieldProblem {
  const email = typed('email').trim()
  if (email === '') {
    return isRequired ? { field: 'email', code: 'required', message: 'Give an e-mail address.' } : undefined
  }
  if (FORMATS['email']?.check(email)) return email
  const message = `Give an e-mail address such as name@example.com${isRequired ? '' : ', or leave it empty'}.`
  return { field: 'email', code: 'invalid', message }
}

export interface Choice {
  readonly value: string
  readonly label: string
  /** Shown under the label. */
  readonly hint?: string
  /** What is to be filled in when it is chosen. */
  readonly fields: Content
}

/**
 * One of several, each with its own fields, of which those of the chosen one are seen. A single choice is made
 * already, and only its fields are shown.
 */
export function choiceOf(
  name: string,
  legend: string,
  choices: readonly Choice[],
  chosen: string,
  problems: readonly FieldProblem[],
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
    ${choices.map(({ value, label, hint, fields }, place) => {
      const choiceId = place === 0 ? id : `${id}-${value}`
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

/** What is wrong, above the form, where the reader is taken when the page comes back. */
export const problemSummary = (problems: readonly FieldProblem[]): Markup =>
  alert(
    'Please check what you typed',
    html`<ul>
      ${problems.map(({ field, message }) => html`<li><a href="#${idOf(field)}">${message}</a></li>`)}
    </ul>`,
  )

/** Something that has to be known before anything else is read. */
export const alert = (heading: string, content: Content): Markup =>
  html`<div class="alert" role="alert" tabindex="-1" autofocus>
    <h2>${heading}</h2>
    ${content}
  </div>`
