/** The built site of the guide: its links, its look in a real browser, and its search. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { dashboardServer } from '../../packages/dashboard/test/dashboardServer.ts'
import { accessibilityViolationsOn, describeInBrowser, openTab, PHONE } from '../support/browser.ts'
import { buildGuide, ROOT, scratchFolder } from '../support/process.ts'

beforeAll(buildGuide)

const SITE = join(ROOT, 'dist/guide')
const BASE = '/_sim/guide/'

const pages = (folder = SITE): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))

const textOf = (page: string, folder = SITE): string => readFileSync(join(folder, page), 'utf8')

describe('site', () => {
  test('has a page for each page of docs, with content', () => {
    const sources = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.md') && !name.includes('['),
    )
    expect(pages()).toEqual(expect.arrayContaining(sources.map((name) => name.replace(/\.md$/, '.html'))))
    const empty = pages().filter((page) => page !== '404.html' && !textOf(page).includes('</h1>'))
    expect(empty).toEqual([])
  })

  test('has each page in its sidebar', () => {
    const names = readdirSync(join(ROOT, 'docs')).filter(
      (name) => name.endsWith('.md') && name !== 'index.md',
    )
    const index = textOf('index.html')
    const missing = names.filter((name) => !index.includes(`href="${BASE}${name.replace(/md$/, 'html')}"`))
    expect(missing, 'must be listed in docs/index.md').toEqual([])
  })

  test('has only links that lead to a page and a heading of it', () => {
    const ids = new Map(
      pages().map((page) => [
        page,
        new Set([...textOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    )
    const broken = pages().flatMap((page) =>
      [...textOf(page).matchAll(/<a [^>]*href="([^"]+)"/g)].flatMap(([, href = '']) => {
        if (/^https?:/.test(href)) return []
        const [path = '', hash] = href.split('#')
        const absolute = path.startsWith(BASE)
          ? path.slice(BASE.length)
          : path === ''
            ? page
            : posix.join(posix.dirname(page), path)
        const file = absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute
        const known = ids.get(file)
        const isFound = known
          ? hash === undefined || known.has(decodeURIComponent(hash))
          : existsSync(join(SITE, file))
        return isFound ? [] : [`${page}: ${href}`]
      }),
    )
    expect(broken).toEqual([])
  })

  test('has no inline scripts and no resources of other hosts', () => {
    for (const page of pages()) {
      expect(textOf(page), page).not.toMatch(
        /<script(?![^>]*\bsrc=)|\son\w+="|(?:src|<link[^>]* href)="https?:/,
      )
    }
  })

  test('is published at another path with --base and --out', () => {
    const out = join(scratchFolder(), 'site')
    const build = (...args: string[]) =>
      spawnSync(process.execPath, [join(ROOT, 'scripts/guide.mjs'), '--out', out, ...args], {
        encoding: 'utf8',
      })
    const wrong = build('--base', 'help')
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      '--base must begin and end with a slash, such as /guide/; got "help".\n',
    ])
    expect(existsSync(out)).toBe(false)

    const { status, stderr } = build('--base', '/help/')
    expect(status, stderr).toBe(0)
    expect(pages(out).sort()).toEqual(pages().sort())
    expect(textOf('recipes.html', out)).toMatch(/src="\/help\/assets\//)
    expect(textOf('recipes.html', out)).not.toContain(BASE)

    const again = build('--base', '/help/')
    expect([again.status, again.stderr]).toEqual([
      2,
      `--out must be a folder that does not exist yet; ${out} does.\n`,
    ])
  })
})

describeInBrowser('guide', () => {
  const opened = async (options: Parameters<typeof openTab>[0] = {}) => {
    const { url } = await dashboardServer({ fixtures: 'none' })
    const tab = await openTab(options)
    const goTo = async (page: string): Promise<void> => {
      await tab.goto(`${url}${BASE}${page}`)
      await tab.locator('h1').first().waitFor()
    }
    return { tab, url, goTo }
  }

  test.each(['light', 'dark'] as const)('has no barriers in %s', async (colorScheme) => {
    const { tab, goTo } = await opened({ colorScheme })
    for (const page of ['', 'recipes.html', 'reference/payments.html']) {
      await goTo(page)
      expect(await accessibilityViolationsOn(tab), page).toEqual([])
    }
  })

  test('fits on a phone', async () => {
    const { tab, goTo } = await opened(PHONE)
    for (const page of ['', 'recipes.html', 'reference/payments.html', 'troubleshooting.html']) {
      await goTo(page)
      const isWider = await tab.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')
      expect({ page, isWider }).toEqual({ page, isWider: false })
    }
  })

  test('finds the recipe for a retry', async () => {
    const { tab, goTo } = await opened()
    await goTo('')
    await tab.getByRole('button', { name: 'Search' }).first().click()
    await tab.getByRole('searchbox').fill('retry')
    await tab.getByRole('option', { name: 'Test a retry' }).first().click()
    await tab.waitForURL(`**${BASE}recipes.html#test-a-retry`)
    await tab.getByRole('heading', { name: 'Test a retry' }).waitFor()
  })

  test('leads from one page to the next without a new load of the site', async () => {
    const { tab, goTo } = await opened()
    await goTo('getting-started.html')
    await tab.getByRole('main').getByRole('link', { name: 'Recipes' }).first().click()
    await tab.getByRole('heading', { level: 1, name: 'Recipes' }).waitFor()
    expect(tab.url()).toContain(`${BASE}recipes.html`)
  })

  test('shows its own page for an unknown address', async () => {
    const { tab, url } = await opened()
    const response = await tab.goto(`${url}${BASE}none.html`)
    expect(response?.status()).toBe(404)
    await tab.getByText('PAGE NOT FOUND').waitFor()
  })
})
