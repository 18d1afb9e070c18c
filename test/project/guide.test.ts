/** The pages of the guide: where docs/index.md lists them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOfPage } from '../support/guide.ts'
import { ROOT } from '../support/root.ts'

/** All pages, such as "webhooks.md" and "fidelity/crm.md". Decision records have a form of their own. */
const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !name.includes('[') && !/^decisions\/\d/.test(name),
)

test('docs/index.md lists each page once, with what it is for', () => {
  const listed = [...textOfPage('index.md').matchAll(/^- \[[^\]]+\]\(([^)]+)\): .+$/gm)].map(
    ([, page]) => page,
  )
  // The pages of the interfaces are below these two.
  const expected = PAGES.filter((page) => page !== 'index.md' && !page.startsWith('fidelity/'))
  expect(listed.sort()).toEqual(expected.sort())
})
