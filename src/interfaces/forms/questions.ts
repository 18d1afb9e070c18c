/** Renders the fields of a form. They work without scripts; data-* attributes are for the script. */
import { idOf, labelled, problemAt, problemIn, type Typed } from '../../http/webPages/formFields.ts'
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { boundsOf } from '../../state/forms/answers.ts'
import { LONGEST_ANSWER, type Field, type FieldCondition } from '../../state/forms/fields.ts'
import type { PageProblem } from '../../state/model/refusal.ts'
import { nameOfAnswer } from './answerReading.ts'
import { FORM_TEXTS } from './formTexts.ts'

type Problems = readonly PageProblem[]

/** Renders a field with its label, its problem and its condition. */
export function questionOf(field: Field, all: readonly Field[], typed: Typed, problems: Problems): Markup {
  const { id, type, visibleIf, required } = field
  return html`<div
    class="question"
    data-field="${id}"
    data-type="${type}"
    ${required && html`data-required="true"`}
    ${visibleIf && html`data-if="${JSON.stringify(visibleIf)}"`}
  >
    ${visibleIf && conditionInWords(visibleIf, all)} ${controlOf(field, typed, problems)}
  </div>`
}

/** Renders the condition of a field for readers without scripts, who see every field. */
function conditionInWords({ fieldId, operator, value }: FieldCondition, all: readonly Field[]): Markup {
  const label = all.find(({ id }) => id === fieldId)?.label ?? ''
  const { onlyIf, conditions } = FORM_TEXTS
  const words = operator === 'answered' ? conditions.answered : conditions[operator](String(value))
  return html`<p class="hint unscripted">${onlyIf(label, words)}</p>`
}

function controlOf(field: Field, typed: Typed, problems: Problems): Markup {
  switch (field.type) {
    case 'multi_select':
      return choices(field, typed, problems)
    case 'rating':
      return scale(field, typed, problems)
    case 'boolean':
      return checkbox(field, typed, problems)
    default:
      return labelled(
        {
          name: nameOfAnswer(field.id),
          isOptional: !field.required,
          ...(field.description !== null && { hint: field.description }),
        },
        problems,
        (attributes) => oneControl(field, typed(nameOfAnswer(field.id)), attributes),
        field.label,
      )
  }
}

/** Returns the required attribute. A conditional field has none, because only the script knows if it is visible. */
const requiredAttribute = ({ required, visibleIf }: Field): Content =>
  required && visibleIf === null && html`required`

const attribute = (name: 'min' | 'max' | 'minlength' | 'maxlength' | 'pattern', value: Content): Content => {
  if (value === null || value === undefined) return null
  switch (name) {
    case 'min':
      return html`min="${value}"`
    case 'max':
      return html`max="${value}"`
    case 'minlength':
      return html`minlength="${value}"`
    case 'maxlength':
      return html`maxlength="${value}"`
    case 'pattern':
      return html`pattern="${value}"`
  }
}

const INPUTS: Readonly<Partial<Record<Field['type'], readonly [type: string, autocomplete: string]>>> = {
  email: ['email', 'email'],
  phone: ['tel', 'tel'],
  url: ['url', 'url'],
  number: ['number', 'off'],
  date: ['date', 'off'],
}

function oneControl(field: Field, value: string, attributes: Markup): Markup {
  const { id, type, placeholder, validations, options } = field
  const name = nameOfAnswer(id)
  const hint = placeholder !== null && html`placeholder="${placeholder}"`
  const required = requiredAttribute(field)
  // Browsers count code units, of which an emoji has two. The server counts characters.
  const longest = 2 * Math.min(validations.maxLength ?? Infinity, LONGEST_ANSWER[type] ?? 2048)
  const lengths = html`${attribute('minlength', validations.minLength)} ${attribute('maxlength', longest)}`
  switch (type) {
    case 'long_text':
      return html`<textarea name="${name}" rows="4" ${hint} ${required} ${lengths} ${attributes}>
${value}</textarea>`
    case 'select':
      return html`<select name="${name}" ${required} ${attributes}>
        <option value="">${placeholder ?? '–'}</option>
        ${options.map(
          (option) =>
            html`<option value="${option}" ${option === value && html`selected`}>${option}</option>`,
        )}
      </select>`
    case 'file':
      return html`<input name="${name}" type="file" ${required} ${attributes} />`
    case 'number': {
      const [min, max] = boundsOf(field)
      return html`<input
        name="${name}"
        type="number"
        step="any"
        value="${value}"
        ${hint}
        ${required}
        ${attribute('min', min)}
        ${attribute('max', max)}
        ${attributes}
      />`
    }
    case 'date':
      return html`<input
        name="${name}"
        type="date"
        value="${value}"
        ${required}
        ${attribute('min', validations.minDate)}
        ${attribute('max', validations.maxDate)}
        ${attributes}
      />`
    default: {
      const [inputType, autocomplete] = INPUTS[type] ?? ['text', 'off']
      return html`<input
        name="${name}"
        type="${inputType}"
        value="${value}"
        autocomplete="${autocomplete}"
        ${hint}
        ${required}
        ${lengths}
        ${attribute('pattern', validations.pattern)}
        ${attributes}
      />`
    }
  }
}

/** Renders several inputs under one question. */
function group(field: Field, problems: Problems, kind: string, inputs: Content): Markup {
  const name = nameOfAnswer(field.id)
  const id = idOf(name)
  const problem = problemIn(problems, name)
  const describedBy = [field.description !== null && `${id}-hint`, problem && `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return html`<fieldset class="${kind}" ${describedBy !== '' && html`aria-describedby="${describedBy}"`}>
    <legend>
      ${field.label}${!field.required && html` <span class="quiet">${PAGE_TEXTS.optional}</span>`}
    </legend>
    ${field.description !== null && html`<p class="hint" id="${id}-hint">${field.description}</p>`}
    ${problemAt(id, problem)} ${inputs}
  </fieldset>`
}

/** Returns the id of an input. The first has the id of the field, which the problem summary links to. */
const idOfInput = (name: string, index: number): string =>
  index === 0 ? idOf(name) : `${idOf(name)}-${String(index)}`

function choices(field: Field, typed: Typed, problems: Problems): Markup {
  const name = nameOfAnswer(field.id)
  const chosen = new Set(typed(name).split('\n'))
  const { min, max } = field.validations
  const inputs = field.options.map((option, index) => {
    const id = idOfInput(name, index)
    return html`<div class="choice">
      <input
        type="checkbox"
        id="${id}"
        name="${name}"
        value="${option}"
        ${chosen.has(option) && html`checked`}
      />
      <label for="${id}">${option}</label>
    </div>`
  })
  return group(
    field,
    problems,
    'choices',
    html`<div ${min !== null && html`data-min="${min}"`} ${max !== null && html`data-max="${max}"`}>
      ${inputs}
    </div>`,
  )
}

function scale(field: Field, typed: Typed, problems: Problems): Markup {
  const name = nameOfAnswer(field.id)
  const [min, max] = boundsOf(field)
  const first = min ?? 1
  const inputs = Array.from({ length: Math.max(0, (max ?? 0) - first + 1) }, (_, index) => {
    const id = idOfInput(name, index)
    const value = String(first + index)
    return html`<div class="point">
      <input
        type="radio"
        id="${id}"
        name="${name}"
        value="${value}"
        ${typed(name) === value && html`checked`}
        ${requiredAttribute(field)}
      />
      <label for="${id}">${value}</label>
    </div>`
  })
  return group(field, problems, 'scale', html`<div class="points">${inputs}</div>`)
}

function checkbox(field: Field, typed: Typed, problems: Problems): Markup {
  const name = nameOfAnswer(field.id)
  const id = idOf(name)
  const problem = problemIn(problems, name)
  const describedBy = [field.description !== null && `${id}-hint`, problem && `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return html`<div class="choices">
    ${problemAt(id, problem)}
    <div class="choice">
      <input
        type="checkbox"
        id="${id}"
        name="${name}"
        value="true"
        ${typed(name) === 'true' && html`checked`}
        ${requiredAttribute(field)}
        ${describedBy !== '' && html`aria-describedby="${describedBy}"`}
        ${problem && html`aria-invalid="true"`}
      />
      <label for="${id}"
        >${field.label}${!field.required && html` <span class="quiet">${PAGE_TEXTS.optional}</span>`}${
          field.description !== null && html`<span class="hint" id="${id}-hint">${field.description}</span>`
        }</label
      >
    </div>
  </div>`
}
