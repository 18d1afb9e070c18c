/**
 * The script of form pages, plain JavaScript: shows conditional fields, progress and one question at a time in the
 * conversational mode, counts time and changes, and posts {type: "sim_form_height", height} in CSS pixels and
 * {type: "sim_form_submitted"} to the embedding page. The messages are assumed.
 */
import type { Spoken } from '../../state/text/languages.ts'
import { FORM_TEXTS } from './formTexts.ts'

export const FORM_SCRIPT: Spoken = (language) => `'use strict'
{
  const postToParent = (message) => {
    // Sends nothing that the embedding page could not see.
    if (window.parent !== window) window.parent.postMessage(message, '*')
  }
  let sentHeight = 0
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    if (height !== sentHeight) postToParent({ type: 'sim_form_height', height: (sentHeight = height) })
  }).observe(document.body)
  if (document.getElementById('answered')) postToParent({ type: 'sim_form_submitted' })

  const form = document.getElementById('answers')
  if (form) {
    const questions = [...form.querySelectorAll('.question')].map((element) => ({
      element,
      id: element.dataset.field,
      type: element.dataset.type,
      isRequired: element.dataset.required === 'true',
      condition: element.dataset.if ? JSON.parse(element.dataset.if) : null,
      controls: [...element.querySelectorAll('input, select, textarea')],
      seconds: 0,
      revisions: 0,
      wasAnswered: false,
      isVisible: true,
    }))
    for (const hint of form.querySelectorAll('.unscripted')) hint.hidden = true

    const isStepping = form.dataset.mode === 'conversational' && questions.length > 0
    const byId = new Map(questions.map((question) => [question.id, question]))

    const answerOf = ({ type, controls }) => {
      if (type === 'multi_select') return controls.filter((each) => each.checked).map((each) => each.value)
      if (type === 'rating') return controls.find((each) => each.checked)?.value ?? ''
      if (type === 'boolean') return controls[0].checked ? 'true' : ''
      return type === 'select' ? controls[0].value : controls[0].value.trim()
    }
    const isAnswered = (question) => answerOf(question).length > 0

    const holds = ({ fieldId, operator, value }) => {
      const other = byId.get(fieldId)
      const answer = other && other.isVisible ? answerOf(other) : ''
      const isSame = Array.isArray(answer)
        ? answer.length === 1 && answer[0] === value
        : (other?.type === 'boolean' ? String(answer === 'true') : answer) === String(value ?? '')
      if (operator === 'answered') return answer.length > 0
      if (operator === 'equals') return isSame
      if (operator === 'not_equals') return !isSame
      return Array.isArray(answer)
        ? answer.includes(String(value))
        : answer.toLowerCase().includes(String(value).toLowerCase())
    }

    const checkChoices = (question) => {
      const [first] = question.controls
      if (question.type !== 'multi_select' || !first) return
      const box = question.element.querySelector('[data-min], [data-max]')
      const count = answerOf(question).length
      const min = Number(box?.dataset.min ?? 0)
      const max = Number(box?.dataset.max ?? Infinity)
      first.setCustomValidity(
        count === 0
          ? question.isRequired
            ? '${FORM_TEXTS.chooseOne(language)}'
            : ''
          : count < min
            ? '${FORM_TEXTS.chooseMin("' + min + '")(language)}'
            : count > max
              ? '${FORM_TEXTS.chooseMax("' + max + '")(language)}'
              : '',
      )
    }

    const bar = document.getElementById('progress')
    const barText = document.getElementById('progress-text')
    if (bar) bar.parentElement.hidden = false

    const visibleQuestions = () => questions.filter((question) => question.isVisible)

    const update = () => {
      for (const question of questions) {
        question.isVisible = question.condition === null || holds(question.condition)
        for (const control of question.controls) {
          control.disabled = !question.isVisible
          const isBox = control.type === 'checkbox' && question.type === 'multi_select'
          if (question.isRequired && !isBox) control.required = true
        }
        if (!isStepping) question.element.hidden = !question.isVisible
        checkChoices(question)
      }
      if (!bar) return
      const all = visibleQuestions()
      const answered = all.filter(isAnswered).length
      bar.max = Math.max(all.length, 1)
      bar.value = answered
      const text = '${FORM_TEXTS.of("' + answered + '", "' + all.length + '")(language)}'
      if (barText.textContent !== text) barText.textContent = text
    }

    // ------------------------------------------------ time and changes
    let current = null
    let since = 0
    const dwellOn = (question) => {
      const now = performance.now()
      if (current) current.seconds += (now - since) / 1000
      current = question
      since = now
    }
    form.addEventListener('focusin', ({ target }) => {
      const question = questions.find(({ element }) => element.contains(target))
      if (question && question !== current) dwellOn(question)
    })
    form.addEventListener('change', ({ target }) => {
      const question = questions.find(({ element }) => element.contains(target))
      if (!question) return
      if (question.wasAnswered) question.revisions += 1
      question.wasAnswered = true
    })
    form.addEventListener('input', update)
    form.addEventListener('change', update)

    const timing = form.elements.namedItem('timing')
    const keepTiming = () => {
      dwellOn(current)
      const counted = questions.map(({ id, seconds, revisions }) => [id, [Math.round(seconds * 10) / 10, revisions]])
      timing.value = JSON.stringify(Object.fromEntries(counted))
    }
    try {
      for (const [id, [seconds, revisions]] of Object.entries(JSON.parse(timing.value || '{}'))) {
        const question = byId.get(id)
        if (question) Object.assign(question, { seconds, revisions, wasAnswered: isAnswered(question) })
      }
    } catch {
      // Starts counting at 0.
    }

    // ------------------------------------------------ one question at a time
    update()
    const submitButton = form.querySelector('button[type=submit]')
    let step = questions[0]
    const show = (question, isMoved) => {
      step = question
      for (const each of questions) each.element.hidden = each !== question
      const all = visibleQuestions()
      const isLast = all[all.length - 1] === question
      submitButton.hidden = !isLast
      next.hidden = isLast
      back.hidden = all[0] === question
      if (isMoved) question.controls.find((each) => each.checked || each.type !== 'radio')?.focus()
      if (isMoved && question.type === 'rating') (question.controls.find((each) => each.checked) ?? question.controls[0])?.focus()
    }
    const isFine = (question) =>
      question.controls.every((control) => control.checkValidity()) ||
      (question.controls.find((control) => !control.checkValidity())?.reportValidity(), false)
    const move = (by) => {
      update()
      const all = visibleQuestions()
      const target = all[all.indexOf(step) + by]
      if (target && (by < 0 || isFine(step))) show(target, true)
    }
    const button = (label, kind, act) => {
      const element = document.createElement('button')
      element.type = 'button'
      element.textContent = label
      element.className = kind
      element.addEventListener('click', act)
      return element
    }
    const next = button('${FORM_TEXTS.next(language)}', 'next', () => move(1))
    const back = button('${FORM_TEXTS.back(language)}', 'back', () => move(-1))
    if (isStepping) {
      form.elements.namedItem('mode').value = 'conversational'
      // A hidden question cannot show its validation message.
      form.noValidate = true
      submitButton.before(next)
      submitButton.after(back)
      const wrong = questions.find(({ element }) => element.querySelector('[aria-invalid], .problem'))
      show(wrong ?? visibleQuestions()[0] ?? questions[0], false)
      for (const link of document.querySelectorAll('.alert a')) {
        link.addEventListener('click', () => {
          const target = document.getElementById(link.hash.slice(1))
          const question = questions.find(({ element }) => element.contains(target))
          if (question) show(question, true)
        })
      }
    }
    form.addEventListener('submit', (event) => {
      update()
      if (isStepping) {
        const all = visibleQuestions()
        // Enter in a question moves to the next one.
        if (step !== all[all.length - 1]) {
          event.preventDefault()
          move(1)
          return
        }
        const wrong = all.find((question) => question.controls.some((control) => !control.checkValidity()))
        if (wrong) {
          event.preventDefault()
          show(wrong, true)
          isFine(wrong)
          return
        }
      }
      keepTiming()
    })
  }
}
`
