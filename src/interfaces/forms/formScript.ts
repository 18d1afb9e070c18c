/**
 * What the pages of a form do where scripts run: they ask conditional fields only where these are asked, tell how far one
 * has come, count time and changes, ask one question at a time in the conversational mode, and tell the page that frames
 * them how high they are ({type: "sim_form_height", height} in CSS pixels, {type: "sim_form_submitted"} at the end). The
 * messages are assumed. Plain JavaScript, served as it stands.
 */
export const FORM_SCRIPT = `'use strict'
{
  const tellParent = (message) => {
    // Says nothing that the page which frames this one could not see.
    if (window.parent !== window) window.parent.postMessage(message, '*')
  }
  let told = 0
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    if (height !== told) tellParent({ type: 'sim_form_height', height: (told = height) })
  }).observe(document.body)
  if (document.getElementById('answered')) tellParent({ type: 'sim_form_submitted' })

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
      isAsked: true,
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
      const given = other && other.isAsked ? answerOf(other) : ''
      const isSame = Array.isArray(given)
        ? given.length === 1 && given[0] === value
        : (other?.type === 'boolean' ? String(given === 'true') : given) === String(value ?? '')
      if (operator === 'answered') return given.length > 0
      if (operator === 'equals') return isSame
      if (operator === 'not_equals') return !isSame
      return Array.isArray(given)
        ? given.includes(String(value))
        : given.toLowerCase().includes(String(value).toLowerCase())
    }

    const checkChoices = (question) => {
      const [first] = question.controls
      if (question.type !== 'multi_select' || !first) return
      const box = question.element.querySelector('[data-min], [data-max]')
      const count = answerOf(question).length
      const least = Number(box?.dataset.min ?? 0)
      const most = Number(box?.dataset.max ?? Infinity)
      first.setCustomValidity(
        count === 0
          ? question.isRequired
            ? 'Choose at least one.'
            : ''
          : count < least
            ? 'Choose at least ' + least + '.'
            : count > most
              ? 'Choose at most ' + most + '.'
              : '',
      )
    }

    const bar = document.getElementById('progress')
    const barText = document.getElementById('progress-text')
    if (bar) bar.parentElement.hidden = false

    const asked = () => questions.filter((question) => question.isAsked)

    const update = () => {
      for (const question of questions) {
        question.isAsked = question.condition === null || holds(question.condition)
        for (const control of question.controls) {
          control.disabled = !question.isAsked
          const isBox = control.type === 'checkbox' && question.type === 'multi_select'
          if (question.isRequired && !isBox) control.required = true
        }
        if (!isStepping) question.element.hidden = !question.isAsked
        checkChoices(question)
      }
      if (!bar) return
      const all = asked()
      const answered = all.filter(isAnswered).length
      bar.max = Math.max(all.length, 1)
      bar.value = answered
      const text = answered + ' of ' + all.length + ' answered'
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
      // Counted from the beginning then.
    }

    // ------------------------------------------------ one question at a time
    update()
    const submitButton = form.querySelector('button[type=submit]')
    let step = questions[0]
    const show = (question, isMoved) => {
      step = question
      for (const each of questions) each.element.hidden = each !== question
      const all = asked()
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
      const all = asked()
      const target = all[all.indexOf(step) + by]
      if (target && (by < 0 || isFine(step))) show(target, true)
    }
    const button = (label, kind, act) => {
      const made = document.createElement('button')
      made.type = 'button'
      made.textContent = label
      made.className = kind
      made.addEventListener('click', act)
      return made
    }
    const next = button('Next', 'next', () => move(1))
    const back = button('Back', 'back', () => move(-1))
    if (isStepping) {
      form.elements.namedItem('mode').value = 'conversational'
      // A question that is not shown can not say what is wrong with it.
      form.noValidate = true
      submitButton.before(next)
      submitButton.after(back)
      const wrong = questions.find(({ element }) => element.querySelector('[aria-invalid], .problem'))
      show(wrong ?? asked()[0] ?? questions[0], false)
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
        const all = asked()
        // Enter in a question leads to the next.
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
