/**
 * The script of hosted payment pages: groups digits, fills in test values, prevents double submits, reloads a
 * pending page, and clears card data after the browser's Back. Plain JavaScript.
 */
import type { Spoken } from '../../state/text/languages.ts'
import { PAY_TEXTS } from './payTexts.ts'

export const PAY_SCRIPT: Spoken = (language) => `'use strict'
{
  const number = document.getElementById('field-card_number')
  const group = (digits) =>
    /^3[47]/.test(digits)
      ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)].filter(Boolean).join(' ')
      : (digits.match(/.{1,4}/g) ?? []).join(' ')

  number?.addEventListener('input', () => {
    if (!/^[\\d\\s-]*$/.test(number.value)) return
    // Keep the caret after the same digit.
    const before = number.value.slice(0, number.selectionStart ?? 0).replace(/\\D/g, '').length
    number.value = group(number.value.replace(/\\D/g, '').slice(0, 19))
    let caret = 0
    for (let digits = 0; digits < before && caret < number.value.length; caret++) {
      if (/\\d/.test(number.value[caret])) digits++
    }
    if (document.activeElement === number) number.setSelectionRange(caret, caret)
  })

  for (const row of document.querySelectorAll('tr[data-fill]')) {
    const digits = row.querySelector('.digits')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'digits fill'
    button.textContent = digits.textContent
    button.setAttribute('aria-label', '${PAY_TEXTS.fillIn(language)}' + digits.textContent + ', ' + row.dataset.outcome)
    digits.replaceWith(button)
    row.addEventListener('click', () => {
      for (const [name, value] of Object.entries(JSON.parse(row.dataset.fill))) {
        const field = document.getElementById('field-' + name)
        if (field) field.value = value
      }
      row.closest('details')?.removeAttribute('open')
      document.querySelector('form button[type=submit]')?.focus()
    })
  }

  const secrets = () => document.querySelectorAll('input[data-secret]')
  const forget = () => {
    for (const field of secrets()) field.value = ''
  }
  let isSent = false
  const ready = () => {
    isSent = false
    for (const button of document.querySelectorAll('button[aria-busy]')) {
      button.removeAttribute('aria-busy')
      button.textContent = button.dataset.label
    }
  }
  for (const form of document.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      if (isSent) {
        event.preventDefault()
        return
      }
      isSent = true
      const button = event.submitter ?? form.querySelector('button[type=submit]')
      if (!button) return
      button.dataset.label = button.textContent
      button.setAttribute('aria-busy', 'true')
      button.textContent = '${PAY_TEXTS.oneMoment(language)}'
    })
  }
  addEventListener('pageshow', ({ persisted }) => {
    const [visit] = performance.getEntriesByType('navigation')
    if (!persisted && visit?.type !== 'back_forward') return
    ready()
    forget()
    // Browsers restore form values after this event.
    setTimeout(forget, 0)
  })

  if (document.getElementById('processing')) setTimeout(() => location.reload(), 5000)
}
`
