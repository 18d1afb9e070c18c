/** The mutation score as Markdown, between the markers of docs/verify-score.md. */
import { format } from 'oxfmt'
import { KINDS } from './kinds/index.ts'
import { shareOf, type Score, type Share } from './score.ts'

/** The page with the score. */
export const PAGE = 'docs/verify-score.md'

/** The last published score. */
export const SCORE_FILE = 'packages/verify/test/score.json'

const BEGIN = '<!-- score: made by npm run verify:score -->'
const END = '<!-- end of score -->'

const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const percent = (share: Pick<Share, 'mutations' | 'found'>): string =>
  `${(shareOf(share) * 100).toFixed(1)} %`

const shareRow = (label: string, share: Share): (string | number)[] => [
  label,
  share.mutations,
  share.found,
  percent(share),
]

const listOf = (titles: readonly string[]): string[] =>
  titles.length === 0 ? ['None.'] : titles.map((title) => `- \`${title}\``)

/** Returns the lines of the section. */
export function scoreLines(score: Score): string[] {
  const { mutations, found, operations, byKind, byOracle, byInterface, survivors, unchanged } = score
  const drift = new Map(KINDS.map((kind) => [kind.name, kind.drift]))
  return [
    `${String(found)} of ${String(mutations)} mutations of ${String(operations)} operations were found: ` +
      `**${percent(score)}**. ${String(unchanged.length)} more changed no answer of their run, and are not counted.`,
    '',
    '## By oracle',
    '',
    '`first` counts the mutations that the oracle found before the others, `any` those that it found, and `only` those that no other oracle found.',
    '',
    ...table(
      ['oracle', 'first', 'any', 'only'],
      byOracle.map(({ oracle, first, any, only }) => [oracle, first, any, only]),
    ),
    '',
    '## By interface',
    '',
    ...table(
      ['interface', 'mutations', 'found', 'share'],
      byInterface.map((share) => shareRow(share.name, share)),
    ),
    '',
    '## By kind of drift',
    '',
    ...table(
      ['kind', 'drift', 'mutations', 'found', 'share'],
      byKind.map((share) => {
        const [, ...figures] = shareRow('', share)
        return [`\`${share.name}\``, drift.get(share.name) ?? '', ...figures]
      }),
    ),
    '',
    '## Survivors',
    '',
    'Mutations that were not found:',
    '',
    ...listOf(survivors),
  ]
}

/** Replaces the section in the text of the page. */
export async function withScore(page: string, score: Score): Promise<string> {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${PAGE} must have ${BEGIN} and ${END}.`)
  const text = `${before}${BEGIN}\n\n${scoreLines(score).join('\n')}\n\n${END}${after}`
  const { code } = await format(PAGE, text, { semi: false, singleQuote: true, printWidth: 110 })
  return code
}
