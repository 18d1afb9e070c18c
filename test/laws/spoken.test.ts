/**
 * Every page for people speaks English and Spanish. No sentence is in one language only: each is in a table of texts
 * (test/http/webPages/languages.test.ts). Types let no title and no e-mail have one language.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { escapeHtml } from '@suite-sim/kit/text/escaping'
import fastify from 'fastify'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { INTERFACES } from '../../src/app.ts'
import { mountPages } from '../../src/http/webPages/webPages.ts'
import { freshApp, type Call, type FreshApp } from '../support/app.ts'
import { inSpanish } from '../support/languages.ts'
import { asForm, nextOf } from '../support/payers.ts'

type Rows = readonly Readonly<Record<string, string>>[]

/** The records of the demo workspace by interface and list. */
type Demo = Readonly<Record<string, Readonly<Record<string, Rows>>>>

/** Where the last part of an address comes from: the field of each record of a list. */
type Source = readonly [records: `${string}.${string}`, field: string]

/** The pages by their routes. The demo has a record in each state that a page shows. */
const PAGES: Readonly<Record<string, Source | null>> = {
  '/chat/widget/:workspace/:inbox': ['conversations.inboxes', 'id'],
  '/chat/widget/:workspace/:inbox/:token': null,
  '/einvoice-external/invoices/:workspace/:cufe': ['lite-invoicing.invoices', 'cufe'],
  '/einvoicing/recipient/:workspace/:uuid': ['tax-invoicing.invoices', 'uuid'],
  '/forms/f/:slug': ['forms.forms', 'slug'],
  '/forms/f/:slug/done': ['forms.forms', 'slug'],
  '/forms/embed/:slug': ['forms.forms', 'slug'],
  '/forms/embed/:slug/done': ['forms.forms', 'slug'],
  '/grid/player/:workspace': null,
  '/grid/player/:workspace/': null,
  '/grid/player/:workspace/codes/:id': ['signage.pairingCodes', 'id'],
  '/grid/player/:workspace/screens/:screen_id': ['signage.screens', 'id'],
  '/integration-pay/checkout/:workspace/:hashUrl': ['integration-payments.links', 'hashUrl'],
  '/integration-pay/checkout/:workspace/:hashUrl/cancelled': ['integration-payments.links', 'hashUrl'],
  '/integration-pay/checkout/:workspace/:hashUrl/done': ['integration-payments.links', 'hashUrl'],
  '/meetings/meet/:workspace/:publicMeetingId': ['meetings.meetings', 'publicMeetingId'],
  '/pay/links/:workspace/:link_id': ['payments.links', 'id'],
  '/pay/links/:workspace/receipts/:transaction_id': ['payments.transactions', 'id'],
  '/recruiting/jobs/:workspace/:slug': ['recruiting.vacancies', 'slug'],
  '/recruiting/jobs/:workspace/:slug/applied': ['recruiting.vacancies', 'slug'],
  '/recruiting/jobs/:workspace/rooms/:interview_id': ['recruiting.interviews', 'id'],
}

/** The routes of pages, without their styles and scripts. */
async function routesOf({ app, definition }: FreshApp): Promise<string[]> {
  const routes = new Set<string>()
  for (const { name } of INTERFACES) {
    const server = fastify()
    server.decorate('workspaces', app.workspaces)
    server.addHook('onRoute', ({ method, url }) => {
      if (method === 'GET' && !/\.(?:css|js)$/.test(url)) routes.add(url)
    })
    mountPages(server, await definition(name), app.workspaces, (_request, _reply, done) => {
      done()
    })
    await server.ready()
    await server.close()
  }
  return [...routes]
}

const demoApp = () => freshApp({ fixtures: 'demo' })

test('each page is known here', async () => {
  expect((await routesOf(await demoApp())).sort()).toEqual(Object.keys(PAGES).sort())
})

/** Every text of the records, as it is in markup. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string')
    return value.length > 1 ? [escapeHtml(value.replaceAll(/\s+/g, ' ').trim())] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** The number of records from which one of each status is enough. */
const MANY = 20

/** The addresses of the pages at a route. */
async function addressesOf(call: Call, route: string, demo: Demo): Promise<string[]> {
  if (route.endsWith('/:token')) {
    const path = route.replace('/:token', '').replace(':inbox', '1').replace(':workspace', 'demo')
    return [nextOf(await call('POST', path, asForm({ name: 'Ana' })), path)]
  }
  const [records = '', field = ''] = PAGES[route] ?? []
  const [section = '', list = ''] = records.split('.')
  const rows = demo[section]?.[list] ?? [{ [field]: '' }]
  const chosen = rows.length <= MANY ? rows : [...new Map(rows.map((row) => [row['status'], row])).values()]
  const values = chosen.map((row) => String(row[field]))
  return values.map((value) =>
    route
      .replace(':slug/', ':slug--demo/')
      .replace(/:slug$/, ':slug--demo')
      .replace(':workspace', 'demo')
      .replace(/:[a-z]\w*/i, encodeURIComponent(value)),
  )
}

test.each(Object.keys(PAGES))('%s speaks both languages, in each state', async (route) => {
  const { call } = await demoApp()
  const demo = (await call('GET', '/_sim/workspaces/demo/snapshot')).body as Demo
  const texts = [...new Set(textsOf(demo))].sort((one, other) => other.length - one.length)
  const addresses = await addressesOf(call, route, demo)
  expect(addresses).not.toEqual([])
  for (const address of addresses) {
    const inLanguage = await call('GET', `${address}?lang=es`)
    if (inLanguage.status === 303) expect(nextOf(inLanguage, address)).toMatch(/\?(?:.*&)?lang=es$/)
    else await inSpanish(call, address, texts)
  }
})

// ---------------------------------------------------------------- sentences in the program

/** Names that both languages share. */
const NAMES = new Set(['Suite', 'Simulator', 'RUC', 'DV', 'ITBMS', 'CUFE', 'UUID', 'CFDI'])

const wordsIn = (text: string): string[] =>
  (text.match(/\p{L}{2,}/gu) ?? []).filter((word) => !NAMES.has(word))

const ATTRIBUTE = /[\w-]+="[^"]*"/g
const READ_ALOUD = /\b(?:aria-label|placeholder|alt|title)="([^"]*)"/g
/** An attribute without a value. */
const LONE = /^(?:selected|checked|required|data-secret)$/

/** The words of markup that people see or hear. */
function wordsOfMarkup(text: string): string[] {
  const heard = Array.from(text.matchAll(READ_ALOUD), ([, value = '']) => value)
  const seen = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(ATTRIBUTE, ' ')
    .trim()
  return wordsIn([LONE.test(seen) ? '' : seen, ...heard].join(' '))
}

/** Whether a text between quotes looks like one for people, and not like a value of the program. */
const isSaid = (text: string): boolean =>
  /^\s*\p{Lu}\p{Ll}|\p{L}\s\p{L}/u.test(text) && wordsIn(text).length > 0

/** The texts of an expression of markup, without those of markup in it. */
function textsIn(node: ts.Node): string[] {
  if (ts.isTaggedTemplateExpression(node)) return []
  if (ts.isStringLiteralLike(node)) return isSaid(node.text) ? [node.text] : []
  const found: string[] = []
  ts.forEachChild(node, (child) => {
    found.push(...textsIn(child))
  })
  return found
}

const isInTag = (before: string): boolean => before.lastIndexOf('<') > before.lastIndexOf('>')

/** The words that a template of markup or of a text has itself. */
function wordsOf({ tag, template }: ts.TaggedTemplateExpression): string[] {
  const isMarkup = tag.getText() === 'html'
  if (!isMarkup && tag.getText() !== 'say') return []
  if (ts.isNoSubstitutionTemplateLiteral(template)) {
    return isMarkup ? wordsOfMarkup(template.text) : wordsIn(template.text)
  }
  let text = template.head.text
  const inserted: string[] = []
  for (const { expression, literal } of template.templateSpans) {
    if (isMarkup && !isInTag(text)) inserted.push(...textsIn(expression))
    text += `\0${literal.text}`
  }
  return [...(isMarkup ? wordsOfMarkup(text) : wordsIn(text)), ...inserted]
}

/** The templates of a file that have words, with their places. */
function wordyTemplatesOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const words = ts.isTaggedTemplateExpression(node) ? wordsOf(node) : []
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    if (words.length > 0) found.push(`${file}:${String(line + 1)} ${words.join(' ')}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('markup and e-mails have no words outside of the tables of texts', () => {
  const files = ['http', 'interfaces', 'state'].flatMap((part) =>
    readdirSync(`src/${part}`, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.ts') ? [`src/${part}/${name}`] : [],
    ),
  )
  expect(files.flatMap(wordyTemplatesOf)).toEqual([])
})
