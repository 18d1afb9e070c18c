/** The dashboard in a real browser, of servers in the test's process. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { AppOptions } from '../../../src/app.ts'
import { freshApp } from '../../../test/support/app.ts'
import {
  NO_VIOLATIONS,
  openTab,
  violationsInBothModesOn,
  type TabOptions,
} from '../../../test/support/browser.ts'
import { listenTo } from '../../../test/support/payers.ts'
import { HEAVY_THREAD } from '../../../test/support/process.ts'
import { loadBuilt } from '../../../test/support/subject.ts'

/** Calls a server about one workspace, and opens its dashboard. */
function dashboardOf(url: string, workspace: string, key: string) {
  const ask = async <Answer = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }
  return {
    url,
    workspace,
    key,
    ask,
    /** Calls the control plane for the workspace: `sim('POST', '/clock/advance', {...})`. */
    sim: <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> =>
      ask(method, `/_sim/workspaces/${workspace}${path}`, body),
    call: <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> =>
      ask(method, path, body, { authorization: `Bearer ${key}` }),
    /** Opens a page of the dashboard: `open('calls?status=4xx')`. */
    async open(page: string, options: TabOptions = {}): Promise<Page> {
      const tab = await openTab(options)
      await tab.goto(`${url}/_sim/#/${page}`)
      return tab
    },
  }
}

type Start = Pick<AppOptions, 'fixtures' | 'adminToken'>

/** The servers of this process, by their options. */
const servers = new Map<string, Promise<string>>()

let built: ReturnType<typeof loadBuilt> | undefined

async function startBuilt(options: Start): Promise<string> {
  // Once for the process, because even a check of the build takes as long as several tests.
  const { buildApp } = await (await (built ??= loadBuilt())).exports.app()
  const app = await buildApp({ heavyThread: HEAVY_THREAD, ...options })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/**
 * The dashboard of the built server, reset to its initial state; by default that of the demo. Its workspace is `demo`.
 * The test files of a process share the server.
 */
export async function dashboardServer(options: Start = {}) {
  const start = { fixtures: 'demo', ...options }
  const name = JSON.stringify(start)
  let server = servers.get(name)
  if (!server) servers.set(name, (server = startBuilt(start)))
  const url = await server
  const headers = start.adminToken ? { authorization: `Bearer ${start.adminToken}` } : {}
  const { status } = await fetch(`${url}/_sim/reset`, { method: 'POST', headers })
  if (status >= 300) throw new Error(`the reset of the server answered ${String(status)}`)
  return dashboardOf(url, 'demo', 'demo-key')
}

/**
 * The dashboard of the app in this process that the tests of the file share, and a new workspace with the small
 * fixture. What has no workspace, such as unmatched calls, is shared.
 */
export async function dashboardHere() {
  const fresh = await freshApp()
  const url = await listenTo(fresh)
  const created = await dashboardOf(url, '', '').ask<{ workspace: { id: string }; key: string }>(
    'POST',
    '/_sim/workspaces',
    { name: 'Office', fixtures: 'small' },
  )
  const { id } = created.workspace
  const dashboard = dashboardOf(url, id, created.key)
  return {
    ...dashboard,
    /** Opens a page about the workspace: `open('calls?status=4xx')`. */
    open: (page: string, options?: TabOptions): Promise<Page> =>
      dashboard.open(`${page}${page.includes('?') ? '&' : '?'}workspace=${id}`, options),
  }
}

/** Opens the contacts of a new workspace with this many of them, named "Person 0" and on. */
export async function openContacts(count: number): Promise<Page> {
  const { open, sim, ask } = await dashboardServer({ fixtures: 'small' })
  const { format, crm } = await sim<{ format: unknown; crm: { contacts: object[] } }>('GET', '/snapshot')
  const contacts = Array.from({ length: count }, (_, index) => ({
    ...crm.contacts[0],
    id: `con_${String(index).padStart(20, '0')}`,
    name: `Person ${String(index)}`,
    email: `person${String(index)}@example.com`,
  }))
  const { workspace } = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', {
    fixtures: { format, crm: { contacts } },
  })
  return open(`records?section=crm.contacts&workspace=${workspace.id}`)
}

/** Opens another page in the same tab, without state of the previous one. */
export async function openPage(tab: Page, page: string): Promise<void> {
  const [base = ''] = tab.url().split('#')
  await tab.goto('about:blank')
  await tab.goto(`${base}#/${page}`)
}

/** Goes to another page as a link does, which is several times as fast as opening it. */
export async function goTo(tab: Page, page: string): Promise<void> {
  const nameIn = (address: string): string => /^\w*/.exec(address)?.[0] ?? ''
  const go = async (to: string): Promise<void> => {
    const title = await tab.title()
    await tab.evaluate(`location.hash = ${JSON.stringify(`#/${to}`)}`)
    await expect.poll(() => tab.title()).not.toBe(title)
  }
  // A page that is still starting changes its title by itself.
  await expect.poll(() => tab.title()).toContain('\u00B7')
  // Another address of the same page would keep its state.
  const name = nameIn(page)
  if (nameIn(tab.url().split('#/')[1] ?? '') === name) await go(name === 'clock' ? 'emails' : 'clock')
  await go(page)
}

/** The accessibility violations of the page in each mode, and whether it is wider than the screen. */
export async function barriersOn(tab: Page) {
  const isWide = () => tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
  const desktop = tab.viewportSize() ?? { width: 1280, height: 720 }
  const screen = { violations: await violationsInBothModesOn(tab), isWide: await isWide() }
  await tab.setViewportSize({ width: 390, height: 844 })
  const phone = { violations: await violationsInBothModesOn(tab), isWide: await isWide() }
  await tab.setViewportSize(desktop)
  return { screen, phone }
}

export const NO_BARRIERS = {
  screen: { violations: NO_VIOLATIONS, isWide: false },
  phone: { violations: NO_VIOLATIONS, isWide: false },
}

/** Waits until the page shows its content or that it is empty or unknown. */
export async function untilShown(tab: Page): Promise<void> {
  await tab.locator('main h1').waitFor()
  await tab
    .locator('main')
    .locator('.rows, .empty, .problem, .sections, .detail, table, p')
    .filter({ visible: true })
    .first()
    .waitFor()
}

/** The row of a list with this text. */
export const row = (tab: Page, words: string | RegExp) =>
  tab.locator('.rows').getByRole('listitem').filter({ hasText: words }).first().getByRole('link')

export const detail = (tab: Page) => tab.getByRole('region', { name: 'Details' })
