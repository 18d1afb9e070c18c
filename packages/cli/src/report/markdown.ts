/** A report as Markdown. Texts of the server are escaped or in code, and render nothing. */
import { pageOf, type Block, type Text } from './page.ts'
import type { RunReport } from './runReport.ts'

export const reportAsMarkdown = (report: RunReport): string =>
  `${pageOf(report).map(blockText).join('\n\n')}\n`

/** Escapes what is not code. */
export const inline = (text: Text): string =>
  text
    .split('`')
    .map((each, index) =>
      index % 2 === 1 ? `\`${each}\`` : each.replaceAll(/[\\*_<>[\]|]/g, String.raw`\$&`),
    )
    .join('')

/** A cell, in which code has bars, too. */
const cell = (text: Text): string =>
  text
    .split('`')
    .map((each, index) => (index % 2 === 1 ? `\`${each.replaceAll('|', String.raw`\|`)}\`` : inline(each)))
    .join('')

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${inline(block.text)}`
    case 'text':
      return inline(block.text)
    case 'list':
      return block.items
        .map(({ title, label, lines }, index) => {
          const mark = block.start === undefined ? '-' : `${String(block.start + index)}.`
          const head = `${mark} **${inline(title)}**${label === undefined ? '' : ` (${label})`}`
          return [head, ...lines.map((line) => `${' '.repeat(mark.length + 1)}- ${inline(line)}`)].join('\n')
        })
        .join('\n')
    case 'table':
      return [block.head, block.head.map(() => '---'), ...block.rows]
        .map((row, index) => `| ${row.map((each) => (index === 1 ? each : cell(each))).join(' | ')} |`)
        .join('\n')
  }
}
