/**
 * A server as users start it, and its dashboard in a real browser. The tests of a file share the server and reset it.
 */
import type { Page } from 'playwright-core'
import { openTab, type TabOptions } from '../support/browser.ts'
import { sharedServer } from '../support/process.ts'

export async function dashboardServer(...flags: string[]) {
  const server = await sharedServer(flags, adminTokenIn(flags))
  const ask = async <Answer = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }
  return {
    ...server,
    ask,
    /** Calls the control plane for the workspace `demo`: `sim('POST', '/clock/advance', {...})`. */
    sim: <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> =>
      ask(method, `/_sim/workspaces/demo${path}`, body),
    call: <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> =>
      ask(method, path, body, { authorization: 'Bearer demo-key' }),
    /** Opens a page of the dashboard: `open('calls?status=4xx')`. */
    async open(page: string, options: TabOptions = {}): Promise<Page> {
      const tab = await openTab(options)
      await tab.goto(`${server.url}/_sim/#/${page}`)
      return tab
    },
  }
}

/** Opens the contacts of a new workspace with this many of them, named "Person 0" and on. */
export async function openContacts(count: number): Promise<Page> {
  const { open, sim, ask } = await dashboardServer('--fixtures', 'small')
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

const adminTokenIn = (flags: readonly string[]): string | undefined => {
  const at = flags.indexOf('--admin-token')
  return at < 0 ? undefined : flags[at + 1]
}

/** Opens another page in the same tab, without state of the previous one. */
export async function openPage(tab: Page, page: string): Promise<void> {
  const [base = ''] = tab.url().split('#')
  await tab.goto('about:blank')
  await tab.goto(`${base}#/${page}`)
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
