/**
 * A real Chromium for the tests of pages: the one that this machine has, driven over its debugging protocol. It
 * reaches nothing but this machine; what a page asks for elsewhere, and what the browser complains of, fails the test.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { IS_FULL } from './extent.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const MISSING =
  "No Chromium found: the browser tests did not run; install Debian's chromium or set CHROMIUM_PATH."

/** CHROMIUM_PATH, or the first of the usual names on the PATH; null where there is none. */
function findChromium(variables: NodeJS.ProcessEnv): string | null {
  const named = variables['CHROMIUM_PATH']
  if (named !== undefined && named !== '') return named
  const folders = (variables['PATH'] ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(canBeRun) ?? null
}

function canBeRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const executablePath = findChromium(process.env)

if (executablePath === null) {
  if (process.env['CI'] === 'true') throw new Error(MISSING)
  process.stderr.write(`${MISSING}\n`)
}

/** Tests that need a Chromium. They are skipped where there is none, except with CI=true, where that is a failure. */
export function describeInBrowser(what: string, tests: () => void): void {
  describe.skipIf(executablePath === null)(what, tests)
}

/** One for all files of this process. It ends with the process. */
let browser: Promise<Browser> | undefined

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executablePath ?? '',
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })

const LOCAL = /^(?:data:|about:|blob:|https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\/)/

/** Chromium says so of every page that comes with such a status; the pages mean it. */
const EXPECTED = /the server responded with a status of 4\d\d/

export interface TabOptions extends BrowserContextOptions {
  /** What the browser says of the pages, where a test has them do what it complains of. */
  readonly expected?: RegExp
}

/** A tab of a browser that knows nothing yet. It is closed after the test, which must have left no complaint. */
export async function openTab({ expected, ...options }: TabOptions = {}): Promise<Page> {
  browser ??= launch()
  const context = await (await browser).newContext({ reducedMotion: 'reduce', ...options })
  const complaints: string[] = []
  context.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !EXPECTED.test(text) && !expected?.test(text)) complaints.push(text)
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  await context.route('**/*', async (route) => {
    const url = route.request().url()
    if (LOCAL.test(url)) return route.continue()
    complaints.push(`asked for ${url}`)
    return route.abort()
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  const page = await context.newPage()
  // Only a page that hangs takes so long: a busy machine may take ten times as long as a quiet one.
  page.setDefaultTimeout(120_000)
  return page
}

/** Does what leads to another page, and waits until that is there, with its styles and after its script. */
export async function leave(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()])
}

/**
 * The accessibility problems that axe finds on the page. Only the full run asks axe, which takes as long as the rest of a
 * page's test.
 */
export async function barriersOn(page: Page): Promise<string[]> {
  if (!IS_FULL) return []
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(', ')})`,
  )
}

/** A phone that is held upright. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const

/** What makes the page as it stands hard to use on a phone. */
export async function phoneBarriersOn(page: Page): Promise<string[]> {
  const isWider = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  return [
    ...(isWider ? [`${await page.title()} is wider than the screen`] : []),
    ...(await smallTargets(page)),
  ]
}

/** What is too small to be hit with a finger, or to be typed into without the phone zooming in. */
const smallTargets = (page: Page): Promise<string[]> =>
  page
    .locator('input:not([type=hidden], [type=radio]), .choice > label, button, a.button')
    .filter({ visible: true })
    .evaluateAll((elements) =>
      elements
        .filter((element) => {
          const view = element.ownerDocument.defaultView
          const isTyped = element.tagName === 'INPUT'
          const size = parseFloat(view?.getComputedStyle(element).fontSize ?? '0')
          return element.getBoundingClientRect().height < 44 || (isTyped && size < 16)
        })
        .map((element) => `too small: ${String(element.outerHTML)}`),
    )
