/** The site of the guide. `npm run docs:build` builds it (scripts/guide.mjs). */
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress'
import { moveInlineScripts } from './inlineScripts.mts'
import { referencePages } from './reference.mts'

const docs = fileURLToPath(new URL('..', import.meta.url))

const interfaces = referencePages()

/** The pages below a page of the sidebar. */
const BELOW: Readonly<Record<string, string>> = { FIDELITY: 'fidelity/', 'reference/': 'reference/' }

/** The groups and pages of docs/index.md, which lists all pages. */
const sidebar = readFileSync(join(docs, 'index.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((group): DefaultTheme.SidebarItem => {
    const pages = [...group.matchAll(/^- \[(.+?)\]\((.+?)(?:index)?\.md\)/gm)]
    return {
      text: group.split('\n', 1)[0] ?? '',
      items: pages.map(([, text = '', name = '']) => ({ ...page(text, name), ...below(name) })),
    }
  })

function page(text: string, link: string): DefaultTheme.SidebarItem {
  return { text, link: `/${link}` }
}

function below(name: string): DefaultTheme.SidebarItem {
  const folder = BELOW[name]
  if (folder === undefined) return {}
  return { collapsed: true, items: interfaces.map((each) => page(each.title, folder + each.name)) }
}

/**
 * The pages are also read in the repository. There, comments are hidden and links can lead out of docs/; on the site,
 * raw HTML is text, comments are left out, and such a link is its text.
 */
const markdown: MarkdownOptions = {
  html: false,
  // Braces are text, such as the parameters of a path.
  attrs: { disable: true },
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  config: (md) => {
    // Vue would evaluate {{...}}.
    const textOf = (content = ''): string => md.utils.escapeHtml(content).replaceAll('{{', '&#123;&#123;')
    md.renderer.rules.text = (tokens, index) => textOf(tokens[index]?.content)
    md.renderer.rules.code_inline = (tokens, index) => `<code>${textOf(tokens[index]?.content)}</code>`
    md.core.ruler.before('normalize', 'leave_out_comments', (state) => {
      state.src = state.src.replace(/^<!--[^]*?-->$/gm, '')
    })
    md.core.ruler.push('leave_out_links', (state) => {
      const { path = docs } = state.env as { readonly path?: string }
      let isOutside = false
      for (const token of state.tokens) {
        token.children &&= token.children.filter((child) => {
          if (!child.type.startsWith('link_')) return true
          const href = child.attrGet('href')
          if (href !== null) isOutside = href.startsWith('.') && !isInside(resolve(dirname(path), href))
          return !isOutside
        })
      }
    })
  },
}

function isInside(file: string): boolean {
  return !relative(docs, file).startsWith('..')
}

export default defineConfig({
  title: 'Suite Simulator',
  description: 'How to build and test an integration without the suite.',
  lang: 'en-US',
  base: '/_sim/guide/',
  cacheDir:
    process.env['GUIDE_CACHE'] ?? fileURLToPath(new URL('../../node_modules/.cache/guide', import.meta.url)),
  cleanUrls: false,
  // Files instead of inline scripts, so that the Content-Security-Policy can refuse these.
  metaChunk: true,
  transformHtml: moveInlineScripts,
  lastUpdated: false,
  markdown,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // These are for those who change the simulator.
        _render: (source, env, md) =>
          /^(?:decisions\/|BENCHMARKS|reliability-runs|verify-score)/.test(env.relativePath)
            ? ''
            : md.render(source, env),
      },
    },
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    externalLinkIcon: false,
  },
})
