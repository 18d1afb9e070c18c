/** A report as one HTML file: no scripts, nothing from elsewhere, light and dark, and for paper. */
import { escapeHtml } from '@suite-sim/kit/text/escaping'
import { pageOf, type Block, type Item, type Text } from './page.ts'
import type { RunReport } from './runReport.ts'

/** Tables scroll by themselves, so that the page has the width of the screen. */
const STYLE = `
:root { color-scheme: light dark; --ink: #2b323b; --ground: #fff; --raised: #f6f8fa; --muted: #586069; --line: #d5dbe1;
  --accent: #0b6e6e; --warn: #7a4b00; --warn-ground: #fdecc8; --plain: #444c56; --plain-ground: #e9ecef }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ccd2da; --ground: #13171f; --raised: #1a1f29; --muted: #9aa4b0; --line: #303843;
    --accent: #58c7c7; --warn: #ffd58a; --warn-ground: #412c05; --plain: #c3cad2; --plain-ground: #2a313b }
}
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--ground);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0.5rem 0 }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line) }
p { margin: 0.5rem 0 }
code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  background: var(--raised); border-radius: 0.25rem; padding: 0 0.2em }
ol, ul { margin: 0.5rem 0; padding-left: 2.25rem }
ol > li, ul > li { margin: 0 0 1rem }
ol > li::marker { color: var(--accent); font-weight: 600 }
strong { font-weight: 600 }
li p { margin: 0.125rem 0; color: var(--muted); font-size: 0.9375rem }
.cost { display: inline-block; border-radius: 0.75rem; padding: 0 0.6rem; margin-left: 0.25rem; font-size: 0.8125rem;
  color: var(--plain); background: var(--plain-ground) }
.money, .fiscal, .security { color: var(--warn); background: var(--warn-ground) }
.table { overflow-x: auto; margin: 0.75rem 0 }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; overflow-wrap: normal }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line) }
th { color: var(--muted); font-weight: 600 }
a { color: var(--accent) }
@media print {
  :root { color-scheme: light; --ink: #000; --ground: #fff; --raised: #fff; --muted: #333; --line: #999; --accent: #000;
    --warn: #000; --warn-ground: #fff; --plain: #000; --plain-ground: #fff }
  main { max-width: none; padding: 0 }
  li, tr { break-inside: avoid }
  h2 { break-after: avoid }
  .cost { border: 1px solid }
  .table { overflow: visible }
}
`

export function reportAsHtml(report: RunReport): string {
  const blocks = pageOf(report)
  const title = blocks.find(({ kind }) => kind === 'heading')
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Opened from a file or a build server, the page can load nothing, even if a text of the server were not escaped.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${title?.kind === 'heading' ? inline(title.text) : ''}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...blocks.map(blockHtml),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

const inline = (text: Text): string =>
  text
    .split('`')
    .map((each, index) => (index % 2 === 1 ? `<code>${escapeHtml(each)}</code>` : escapeHtml(each)))
    .join('')

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${String(block.level)}>${inline(block.text)}</h${String(block.level)}>`
    case 'text':
      return `<p>${inline(block.text)}</p>`
    case 'list':
      return block.start === undefined
        ? `<ul>${block.items.map(itemHtml).join('')}</ul>`
        : `<ol start="${String(block.start)}">${block.items.map(itemHtml).join('')}</ol>`
    case 'table':
      // With the keyboard, only what has the focus scrolls.
      return [
        `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(block.head.join(', '))}"><table>`,
        `<thead><tr>${block.head.map((each) => `<th scope="col">${inline(each)}</th>`).join('')}</tr></thead>`,
        `<tbody>${block.rows.map((row) => `<tr>${row.map((each) => `<td>${inline(each)}</td>`).join('')}</tr>`).join('\n')}</tbody>`,
        '</table></div>',
      ].join('\n')
  }
}

function itemHtml({ title, label, lines }: Item): string {
  const cost =
    label === undefined ? '' : ` <span class="cost ${escapeHtml(label)}">${escapeHtml(label)}</span>`
  return `<li><strong>${inline(title)}</strong>${cost}${lines.map((line) => `<p>${inline(line)}</p>`).join('')}</li>\n`
}
