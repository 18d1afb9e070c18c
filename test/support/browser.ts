/**
 * Drives the Chromium of this machine over its debugging protocol, for tests of pages. It can reach only this
 * machine. Requests to other hosts and console errors fail the test.
 */
import { accessSync, constants, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type { AxeResults } from 'axe-core'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'

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

export interface TabOptions extends Pick<
  BrowserContextOptions,
  'colorScheme' | 'hasTouch' | 'isMobile' | 'javaScriptEnabled' | 'viewport'
> {
  readonly permissions?: string[]
  /** Console messages that the test causes on purpose. */
  readonly expected?: RegExp
}

/** Options that a profile has from its start. The others are set for each tab. */
type Fixed = Pick<BrowserContextOptions, 'hasTouch' | 'isMobile' | 'javaScriptEnabled'>

/**
 * A browser profile. Between tests it is emptied, because opening a page in a new one takes three times as long: its
 * renderer is a new process.
 */
interface Profile {
  readonly context: BrowserContext
  /** A page of 127.0.0.1 that keeps the renderer process running. */
  readonly keeper: Page
  /** Whether a test has installed a clock, which stays in all pages of the profile. */
  hasClock: boolean
}

/** Profiles that no test uses, by their fixed options. */
const idle = new Map<string, Profile[]>()

const KEEPER = 'http://127.0.0.1/'

async function createProfile(fixed: Fixed): Promise<Profile> {
  browser ??= launch()
  const context = await (await browser).newContext({ reducedMotion: 'reduce', ...fixed })
  const keeper = await context.newPage()
  await keeper.route(KEEPER, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Keeper</title>' }),
  )
  await keeper.goto(KEEPER)
  const profile = { context, keeper, hasClock: false }
  const install = context.clock.install.bind(context.clock)
  context.clock.install = (options) => {
    profile.hasClock = true
    return install(options)
  }
  return profile
}

/** Closes the tabs, and deletes what pages of these origins have stored. */
async function empty({ context, keeper }: Profile, origins: Iterable<string>): Promise<void> {
  const tabs = context.pages().filter((page) => page !== keeper)
  await Promise.all(tabs.map((tab) => tab.close()))
  const session = await context.newCDPSession(keeper)
  for (const origin of origins)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
  await context.clearCookies()
  await context.clearPermissions()
}

/** Opens a tab with an empty browser profile. It is closed after the test, which must leave no console errors. */
export async function openTab(options: TabOptions = {}): Promise<Page> {
  const { expected, colorScheme, permissions, viewport, ...fixed } = options
  const kind = JSON.stringify(Object.entries(fixed).sort())
  const profile = idle.get(kind)?.pop() ?? (await createProfile(fixed))
  const { context } = profile
  const complaints: string[] = []
  const origins = new Set<string>()
  const watched = {
    console: (message: ConsoleMessage): void => {
      const text = message.text()
      if (message.type() === 'error' && !EXPECTED.test(text) && !expected?.test(text)) complaints.push(text)
    },
    weberror: (error: WebError): void => void complaints.push(String(error.error())),
    // The browser resolves no other hosts. Intercepting the requests would switch off its cache.
    request: (request: Request): void => {
      if (!LOCAL.test(request.url())) complaints.push(`asked for ${request.url()}`)
      else if (request.isNavigationRequest()) origins.add(new URL(request.url()).origin)
    },
  }
  context.on('console', watched.console)
  context.on('weberror', watched.weberror)
  context.on('request', watched.request)
  onTestFinished(async () => {
    if (profile.hasClock) await context.close()
    else {
      await empty(profile, origins)
      idle.set(kind, [...(idle.get(kind) ?? []), profile])
    }
    context.off('console', watched.console)
    context.off('weberror', watched.weberror)
    context.off('request', watched.request)
    expect(complaints).toEqual([])
  })
  if (permissions) await context.grantPermissions(permissions)
  const page = await context.newPage()
  if (viewport) await page.setViewportSize(viewport)
  if (colorScheme) await page.emulateMedia({ colorScheme })
  // Only a hanging page takes this long: a busy machine may be ten times as slow as a quiet one.
  page.setDefaultTimeout(120_000)
  return page
}

/** Runs an action that leads to another page, and waits until that page has its styles and has run its script. */
export async function navigate(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()])
}

let axe: string | undefined

/** The accessibility violations that axe finds on the page, of all rules or of these. */
export async function accessibilityViolationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) {
    axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    await page.evaluate(axe)
  }
  // Frames have no axe, and it would wait for their answers.
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], iframes: false, ...(rules && { runOnly: rules }) })})`,
  )
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(', ')})`,
  )
}

/** The accessibility violations in light and in dark mode, on which only colors depend. */
export async function violationsInBothModesOn(page: Page): Promise<{ light: string[]; dark: string[] }> {
  const light = await accessibilityViolationsOn(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await accessibilityViolationsOn(page, ['color-contrast', 'link-in-text-block'])
  await page.emulateMedia({ colorScheme: 'light' })
  return { light, dark }
}

export const NO_VIOLATIONS = { light: [], dark: [] }

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

/** The problems on a usual phone and on the smallest one. */
export async function problemsOnPhones(page: Page): Promise<string[]> {
  const usual = await phoneProblemsOn(page)
  await page.setViewportSize({ width: 320, height: 568 })
  const smallest = await phoneProblemsOn(page)
  await page.setViewportSize(PHONE.viewport)
  return [...usual, ...smallest]
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
