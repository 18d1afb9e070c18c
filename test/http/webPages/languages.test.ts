/** The language of pages: which one a reader gets, and that no text is missing or left in English. */
import { readdirSync, readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { amountInWords, momentInWords } from '../../../src/http/schemas/wording.ts'
import { acceptedLanguage, readerOf } from '../../../src/http/webPages/languages.ts'
import * as shared from '../../../src/http/webPages/texts.ts'
import * as paying from '../../../src/http/webPages/payTexts.ts'
import { PAY_SCRIPT } from '../../../src/http/webPages/payScript.ts'
import * as checkout from '../../../src/interfaces/integration-payments/checkoutTexts.ts'
import { CHECKOUT_SCRIPT } from '../../../src/interfaces/integration-payments/checkoutScript.ts'
import * as payments from '../../../src/interfaces/payments/payTexts.ts'
import * as invoices from '../../../src/interfaces/lite-invoicing/invoiceTexts.ts'
import * as jobs from '../../../src/interfaces/recruiting/jobTexts.ts'
import * as talking from '../../../src/interfaces/conversations/emailTexts.ts'
import * as widget from '../../../src/interfaces/conversations/widgetTexts.ts'
import { WIDGET_SCRIPT } from '../../../src/interfaces/conversations/widgetScript.ts'
import * as forms from '../../../src/interfaces/forms/formTexts.ts'
import { FORM_SCRIPT } from '../../../src/interfaces/forms/formScript.ts'
import * as player from '../../../src/interfaces/signage/playerTexts.ts'
import { PLAYER_SCRIPT } from '../../../src/interfaces/signage/playerScript.ts'
import * as recipient from '../../../src/interfaces/tax-invoicing/recipientTexts.ts'
import * as answers from '../../../src/state/forms/answerTexts.ts'
import * as joining from '../../../src/interfaces/meetings/joinTexts.ts'
import * as invoicing from '../../../src/state/lite-invoicing/emailTexts.ts'
import * as inviting from '../../../src/state/meetings/emailTexts.ts'
import * as hiring from '../../../src/state/recruiting/emailTexts.ts'
import * as cards from '../../../src/state/shared/payTexts.ts'
import { LANGUAGES, say, spoken, textIn, type Spoken } from '../../../src/state/text/languages.ts'
import { freshApp } from '../../support/app.ts'

/** The tables of texts, by their files in src. */
const TABLES: Readonly<Record<string, object>> = {
  'http/webPages/payTexts.ts': paying,
  'http/webPages/texts.ts': shared,
  'interfaces/conversations/emailTexts.ts': talking,
  'interfaces/conversations/widgetTexts.ts': widget,
  'interfaces/forms/formTexts.ts': forms,
  'interfaces/integration-payments/checkoutTexts.ts': checkout,
  'interfaces/lite-invoicing/invoiceTexts.ts': invoices,
  'interfaces/meetings/joinTexts.ts': joining,
  'interfaces/payments/payTexts.ts': payments,
  'interfaces/recruiting/jobTexts.ts': jobs,
  'interfaces/signage/playerTexts.ts': player,
  'interfaces/tax-invoicing/recipientTexts.ts': recipient,
  'state/forms/answerTexts.ts': answers,
  'state/lite-invoicing/emailTexts.ts': invoicing,
  'state/meetings/emailTexts.ts': inviting,
  'state/recruiting/emailTexts.ts': hiring,
  'state/shared/payTexts.ts': cards,
}

describe('the accepted language', () => {
  test.each([
    ['es', 'es'],
    ['es-MX', 'es'],
    ['ES-pa', 'es'],
    ['es-419;q=0.3', 'es'],
    ['en', 'en'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['es;q=0.8,en;q=0.9', 'en'],
    ['fr, es;q=0.5, en;q=0.4', 'es'],
    ['es, en', 'es'],
    ['en, es', 'en'],
    ['es;q=0, *', 'en'],
    ['es;q=0', 'en'],
    ['*', 'en'],
    ['*;q=0.5, es;q=0.6', 'es'],
    ['fr', 'en'],
    ['est', 'en'],
    ['es;q=2', 'en'],
    ['es;q=x', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    [`${'fr,'.repeat(5000)}es`, 'en'],
  ] as const)('of %j is %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language)
  })

  test.each([
    ['/x?lang=es', 'en', 'es', true],
    ['/x?lang=es-PA&a=b', undefined, 'es', true],
    ['/x?lang=en', 'es', 'en', true],
    ['/x?lang=fr', 'es', 'es', false],
    ['/x?lang=', undefined, 'en', false],
    ['/x?%E0%A4%A&lang=es', undefined, 'es', true],
    ['/x', 'es', 'es', false],
  ] as const)('of %s with %s is %s', (url, header, language, isChosen) => {
    expect(readerOf({ url, headers: { 'accept-language': header } })).toEqual({ language, isChosen })
  })
})

describe('each text', () => {
  test('is in a table that this test knows', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    const own = files.filter(
      (file) => file.endsWith('.ts') && readFileSync(`src/${file}`, 'utf8').includes('= spoken('),
    )
    expect(own.sort()).toEqual(Object.keys(TABLES).sort())
  })

  test.each(Object.entries(TABLES))(
    'of %s is translated, with the same parts and Spanish marks',
    (_file, table) => {
      for (const [name, text] of entriesOf(table)) {
        const [english, spanish] = [textIn(text, 'en'), textIn(text, 'es')]
        const isSame = english === spanish
        expect([name, isSame && !SAME.has(english)]).toEqual([name, false])
        expect([name, partsOf(spanish)]).toEqual([name, partsOf(english)])
        if (spanish.includes('?')) expect(spanish).toContain('¿')
        if (spanish.includes('!')) expect(spanish).toContain('¡')
        // Both are sentences, or both are labels.
        expect([name, /[.,:…?]$/.test(spanish)]).toEqual([name, /[.,:…?]$/.test(english)])
        // One word for each thing, and the quotation marks of Mexico.
        expect(spanish).not.toMatch(/\b(?:ligas?|links?|e-?mails?|clics?|clicks?|celular)\b|[«»]/i)
        // The polite form of address.
        expect(spanish).not.toMatch(/\b(?:tu|tus|tú|ti|contigo|te|vos|vosotros)\b/i)
      }
    },
  )
})

/** Words that are the same in both languages. */
const SAME = new Set(['Cheque', 'Error: ', 'Subtotal', 'Total'])

/** The texts of a table with their names. Each part of a sentence is its number in braces. */
function entriesOf(table: object, path = ''): [string, Spoken][] {
  return Object.entries(table as Readonly<Record<string, unknown>>).flatMap(([key, value]) => {
    const name = `${path}${key}`
    if (typeof value === 'string') return []
    if (typeof value === 'object') return entriesOf(value ?? {}, `${name}.`)
    const text = value as (...parts: string[]) => unknown
    return [[name, (typeof text('en') === 'function' ? text('{0}', '{1}', '{2}') : text) as Spoken]]
  })
}

const partsOf = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).sort()

test('sentences take texts as parts, in the language of the whole', () => {
  const table = spoken({
    en: { paid: (what) => `Paid: ${what}`, deep: { card: 'card' } },
    es: { paid: (what) => `Pagado: ${what}`, deep: { card: 'tarjeta' } },
  })
  const whole = say`${table.paid(table.deep.card)} – ${'Ana'}`
  expect(LANGUAGES.map(whole)).toEqual(['Paid: card – Ana', 'Pagado: tarjeta – Ana'])
})

test('amounts and dates are written as in Mexico and Panama', () => {
  const amounts = ['MXN', 'USD', 'PAB', 'XX'].map((currency) => amountInWords(125_000, currency)('es'))
  expect(amounts).toEqual(['$1,250.00', 'USD\u00a01,250.00', 'B/.\u00a01,250.00', '1,250.00 XX'])
  const moment = momentInWords(Date.UTC(2026, 10, 22, 14, 30), 'America/Mexico_City')('es')
  expect(moment.replaceAll(/\s/g, ' ')).toBe('22 de noviembre de 2026 a las 8:30 a.m. GMT-6')
})

test.each([
  ['payments', PAY_SCRIPT],
  ['integration-payments', CHECKOUT_SCRIPT],
  ['conversations', WIDGET_SCRIPT],
  ['forms', FORM_SCRIPT],
  ['signage', PLAYER_SCRIPT],
])('the script of %s is valid in each language', (_name, script) => {
  const [english, spanish] = LANGUAGES.map(script)
  for (const text of [english, spanish]) expect(() => new Script(text ?? '')).not.toThrow()
  expect(spanish).not.toBe(english)
})

describe('an error page', () => {
  test('speaks Spanish, and English with the message of the refusal', async () => {
    const { call, workspace } = await freshApp()
    const path = `/pay/links/${workspace.id}/none`
    const spanish = await call('GET', path, { headers: { 'accept-language': 'es' } })
    expect(spanish.headers).toMatchObject({ 'content-language': 'es', vary: 'Accept-Language' })
    expect(spanish.text).toContain('<html lang="es">')
    expect(spanish.text).toContain('<p>No hay ninguna página en esta dirección.</p>')
    const english = await call('GET', path)
    expect(english.text).toContain('<h1>Page not found</h1>')
    expect(english.text).toContain('<a href="?lang=es" hreflang="es" lang="es">Español</a>')
  })
})
