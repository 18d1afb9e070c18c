/**
 * Drives the Chromium of this machine over its debugging protocol, for tests of pages. It can reach only this
 * machine. Requests to other hosts and console errors fail the test.
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

/** CHROMIUM_PATH, or the first known name on the PATH; null if there is none. */
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

/** Registers tests that need Chromium. Without it they are skipped, except with CI=true, where they fail. */
export function describeInBrowser(what: string, tests: () => void): void {
  describe.skipIf(executablePath === null)(what, tests)
}

/** One browser for all files of this process. */
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

/** This machine, and the files of the browser itself, such as its PDF viewer. */
const LOCAL =
  /^(?:data:|about:|blob:|chrome:|chrome-extension:|https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\/)/

/** Chromium logs this for every page with an error status, which these pages send on purpose. */
const EXPECTED = /the server responded with a status of 4\d\d/

export interface TabOptions extends BrowserContextOptions {
  /** Console messages that the test causes on purpose. */
  readonly expected?: RegExp
}

/** Opens a tab with a new browser profile. It is closed after the test, which must leave no console errors. */
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
  // Only a hanging page takes this long: a busy machine may be ten times as slow as a quiet one.
  page.setDefaultTimeout(120_000)
  return page
}

/** Runs an action that leads to another page, and waits until that page has its styles and has run its script. */
export async function navigate(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()])
}

/**
 * The accessibility violations that axe finds on the page. Only the full run uses axe, because it doubles the time of
 * a page test.
 */
export async function accessibilityViolationsOn(page: Page): Promise<string[]> {
  if (!IS_FULL) return []
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(', ')})`,
  )
}

/** A phone in portrait orientation. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const

/** What makes the page hard to use on a phone. */
export async function phoneProblemsOn(page: Page): Promise<string[]> {
  const isWider = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  return [
    ...(isWider ? [`${await page.title()} is wider than the screen`] : []),
    ...(await smallTargets(page)),
  ]
}

/** Targets that are too small for a finger, and inputs that make the phone zoom in. */
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
