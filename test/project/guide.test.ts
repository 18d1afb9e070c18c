/** The pages of the guide: where docs/index.md lists them, and what each begins with. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { referencePage } from '../../scripts/guideReference.mjs'
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

describe('a page', () => {
  /** What a page must begin with: under its title a paragraph, of three lines at most, that says "you" to its reader. */
  const saysWhatYouCanDo = (text: string): boolean => {
    const [, paragraph = ''] = /^# .+\n\n([\p{L}`[][^]*?)\n(?:\n|$)/mu.exec(text) ?? []
    const isShort = paragraph.split('\n').length <= 3 && paragraph.length <= 400
    return isShort && /\byour?\b/i.test(paragraph)
  }

  test.each(PAGES)('%s begins with what its reader can do after it', (page) => {
    expect(saysWhatYouCanDo(textOfPage(page))).toBe(true)
  })

  test('of the reference does, too', () => {
    const document = { info: { title: 'CRM', description: 'Contacts.' }, paths: {}, components: {} }
    expect(saysWhatYouCanDo(referencePage({ name: 'crm', basePath: '/crm/v1', document }).text)).toBe(true)
  })

  test.each([
    '# A list\n\n- You can do this.\n\nYou can.\n',
    '# A table\n\n| you |\n| --- |\n\nYou can.\n',
    '# A section\n\n## Start\n\nYou can.\n',
    '# Long\n\nYou\ncan\ndo\nthis.\n',
    '# No reader\n\nThe server has a clock.\n\nYou can.\n',
  ])('is found that begins otherwise: %j', (text) => {
    expect(saysWhatYouCanDo(text)).toBe(false)
  })
})
