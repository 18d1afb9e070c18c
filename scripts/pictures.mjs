/**
 * Takes pictures of the dashboard with the Chromium of this machine. It starts the built program and makes some calls.
 * `npm run pictures` takes the pictures of the documentation: each page and the reports, light, 1200 pixels wide, as WebP.
 * `npm run pictures -- --all DIR` takes all pages in all themes and widths as PNG, to look at after changes.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { chromium } from 'playwright-core'

const { values } = parseArgs({ options: { all: { type: 'string' } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = values.all ?? join(root, 'docs/pictures')

const OF_DOCS = { viewport: { width: 1200, height: 720 }, colorScheme: 'light', reducedMotion: 'reduce' }

/** Changes that the tests of packages/mutate notice, miss and wrongly refuse. */
const CHANGES = [
  ...['answer-fails', 'limit-stricter', 'status-other', 'error-form', 'webhook-never', 'webhook-twice'],
  ...['field-more', 'keys-reversed', 'ids-longer'],
  ...['Link.amount', 'Link.created_at', 'Link.currency', 'Link.description'],
]

const program = spawn(process.execPath, [join(root, 'dist/main.js'), '--db', ':memory:', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await addressOf(program)
  await makeCalls(url)
  await takePictures(url)
} finally {
  program.kill()
}

/** Returns the address that the program prints when it listens. */
async function addressOf({ stdout }) {
  let text = ''
  for await (const chunk of stdout) {
    text += String(chunk)
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    if (found) return found
  }
  throw new Error(`The program ended: ${text}`)
}

function client(url) {
  const ask = async (method, path, body, key = 'demo-key') => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json().catch(() => null)
  }
  const sim = (method, path, body) => ask(method, `/_sim/workspaces/demo${path}`, body)
  return { ask, sim }
}

/** Makes calls that succeed, are refused and fail, with webhooks and e-mails as their effects. */
async function makeCalls(url) {
  const { ask, sim } = client(url)
  await sim('POST', '/subscriptions', { interface: 'payments', url: `${url}/_sim/receiver` })
  await sim('POST', '/subscriptions', { interface: 'crm', url: `${url}/_sim/receiver` })
  await ask('GET', '/crm/v1/deals?status=open')
  await ask('GET', '/crm/v1/contacts?colour=red')
  const template = await sim('POST', '/triggers/crm.template.define', {
    name: 'Welcome',
    subject: 'Welcome to Almendro, {{contact.name}}',
    body: '<h1>Welcome, {{contact.name}}</h1><p>Your catalog and your prices are ready.</p>',
  })
  await ask('POST', '/crm/v1/automations', {
    name: 'Welcome new contacts',
    active: true,
    trigger: { event: 'contact.created', conditions: [] },
    actions: [{ type: 'send_email', config: { template_id: template.id, to: '{{contact.email}}' } }],
  })
  for (const name of ['Marisol Quintero', 'Tomás Arriaga', 'Inés Valdivia']) {
    const [first] = name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').split(' ')
    await ask('POST', '/crm/v1/contacts', { name, email: `${first}@example.com` })
  }
  await ask('POST', '/crm/v1/contacts', { name: 'No address', email: 'missing-at.example.com' })
  await ask('GET', '/crm/v1/contacts/con_unknown')
  await ask('GET', '/crm/v1/contacts', undefined, '')
  await ask('GET', '/crm/v2/contacts')
  await sim('POST', '/faults', { interface: 'crm', path: '/activities', status: 503, times: 2 })
  await ask('GET', '/crm/v1/activities')
  const recording = await sim('POST', '/recordings', { name: 'Checkout' })
  const { data } = await ask('POST', '/pay/v1/payment-links', {
    amount: 48900,
    currency: 'USD',
    description: 'Standing desk',
  })
  await sim('POST', '/triggers/payments.link.pay', { link_id: data.id })
  await sim('POST', `/recordings/${recording.id}/stop`)
  // Nothing listens on this port.
  await sim('POST', '/subscriptions', { interface: 'pos', url: 'http://127.0.0.1:9/hooks' })
  await sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
  await sim('GET', '/deliveries?status=delivered&interface=payments&wait=5&count=1')
}

/** The entry that is open in the picture of a page in the documentation. */
async function openedEntries(url) {
  const { sim } = client(url)
  const first = async (path) => (await sim('GET', path)).data[0]?.id
  return {
    now: [`open=${await first('/timeline?kind=trigger&limit=1')}`],
    calls: [`open=${await first('/requests?status=404')}`],
    webhooks: [`open=${await first('/deliveries?status=delivered')}`],
    recordings: [`open=${await first('/recordings')}`],
    inbox: [`open=${await first('/inbox')}`],
    emails: [`open=${await first('/emails')}`],
    triggers: ['open=payments.link.pay'],
    records: ['section=crm.deals&open=deal_demo0000000000000003', 'section=crm.contacts'],
  }
}

async function takePictures(url) {
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' })
  const entries = await openedEntries(url)
  const tab = await browser.newPage()
  await tab.goto(`${url}/_sim/`)
  await tab.getByRole('navigation').getByRole('link', { name: 'Now' }).waitFor()
  const pages = await tab
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link')
    .evaluateAll((links) => links.flatMap(({ hash }) => (hash ? [hash.slice(2).split('?')[0]] : [])))
  for (const shot of values.all === undefined ? ofDocs(pages, entries) : ofAll(pages, entries)) {
    const context = await browser.newContext(shot.options)
    const page = await context.newPage()
    await page.goto(`${url}/_sim/#/${shot.page}`)
    await page.locator('main h1').waitFor()
    if (shot.page.includes('open='))
      await page.getByRole('region', { name: 'Details' }).getByRole('heading', { level: 2 }).waitFor()
    // Its content comes from further calls.
    await page.waitForTimeout(1000)
    if (values.all === undefined) await keep(page, shot.name)
    else await page.screenshot({ path: join(folder, `${shot.name}.png`), fullPage: shot.isWhole })
    await context.close()
  }
  if (values.all === undefined) {
    await takeReport(browser, url)
    await takeMutate(browser)
    await takeReach(browser, url)
  }
  await browser.close()
}

/** Writes what a page shows to docs/pictures. As WebP it has half the size, and the guide is a part of the package. */
async function keep(page, name) {
  const png = await page.screenshot()
  // The policy of the dashboard's page forbids what a blank page may do.
  const blank = await page.context().browser().newPage()
  const webp = await blank.evaluate(toWebp, `data:image/png;base64,${png.toString('base64')}`)
  await blank.close()
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(webp.split(',')[1], 'base64'))
}

/** Runs in a page. Takes and returns a data URL. */
async function toWebp(png) {
  const { document, Image } = globalThis
  const image = Object.assign(new Image(), { src: png })
  await image.decode()
  const { width, height } = image
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', 0.9)
}

/** The page of `suite-sim report` on what the calls relied on. */
async function takeReport(browser, url) {
  const args = [join(root, 'dist/main.js'), 'report', '--url', url, '--format', 'html']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const page = await browser.newPage(OF_DOCS)
  await page.setContent(stdout)
  await keep(page, 'report')
}

/** The page of `suite-sim mutate` on tests with gaps. Takes about a minute, because each change is a run of the tests. */
async function takeMutate(browser) {
  const cwd = mkdtempSync(join(tmpdir(), 'suite-sim-pictures-'))
  const suite = join(root, 'packages/mutate/test/suite.mjs')
  const test = `node ${JSON.stringify(suite)} --strict --blind cent,currency,description,error-form`
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { test } }))
  const args = ['mutate', '--only', CHANGES.join(','), '--out', 'mutate.html', '--', 'npm', 'test']
  try {
    await promisify(execFile)(process.execPath, [join(root, 'dist/main.js'), ...args], { cwd })
  } catch (error) {
    // The exit code of over-strict tests, which the picture shows.
    if (error.code !== 1) throw error
  }
  const page = await browser.newPage({ ...OF_DOCS, viewport: { width: 1200, height: 900 } })
  await page.setContent(readFileSync(join(cwd, 'mutate.html'), 'utf8'))
  rmSync(cwd, { recursive: true })
  await keep(page, 'mutate')
}

/** The diagram of the states of refunds after a click on one of them. */
async function takeReach(browser, url) {
  const page = await browser.newPage({ ...OF_DOCS, viewport: { width: 1200, height: 764 } })
  await page.goto(`${url}/_sim/#/coverage?interface=payments`)
  const machine = page.getByRole('group').filter({ hasText: 'payments.refund' })
  await machine.locator('summary').click()
  await machine.getByRole('button', { name: 'failed' }).click()
  await machine.getByRole('button', { name: 'Library' }).click()
  await machine.getByText('fail ×1').waitFor()
  await keep(page, 'reach')
}

/** The pictures of the documentation: each page, with its entry open if it has one. */
function ofDocs(pages, entries) {
  return pages.map((name) => ({
    name,
    page: entries[name] ? `${name}?${entries[name][0]}` : name,
    options: OF_DOCS,
  }))
}

/** Each page, without and with an open entry, in both themes on three screens. */
function ofAll(pages, entries) {
  const screens = [
    [1440, { viewport: { width: 1440, height: 900 } }],
    [1024, { viewport: { width: 1024, height: 768 } }],
    [390, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ]
  return pages.flatMap((name) =>
    ['', ...(entries[name] ?? [])].flatMap((query, index) =>
      ['light', 'dark'].flatMap((colorScheme) =>
        screens.map(([width, options]) => ({
          name: `${name}${index === 0 ? '' : `-${index}`}-${width}-${colorScheme}`,
          page: query ? `${name}?${query}` : name,
          options: { ...options, colorScheme, reducedMotion: 'reduce' },
          isWhole: width === 390,
        })),
      ),
    ),
  )
}
