/** A report for a pull request or a summary of GitHub Actions. All foreign text is in code, which renders nothing. */
import { byInterface, byOperation, byReason } from './keys.ts'
import type { Difference, Report } from './report.ts'
import { detailsOf, writtenLines } from './text.ts'
import { counted, percent, shortText, shortValue, withCommas } from './values.ts'

/** A comment of GitHub has at most 65,536 characters. */
const MAX_LENGTH = 60_000
const MAX_NAMES = 8
const MAX_VALUE = 300

export function reportAsMarkdown(report: Report): string {
  const { summary, run } = report
  const head = [
    '## suite-sim verify',
    '',
    `Service ${code(run.baseUrl)}, ${run.mode === 'read' ? 'only reads' : 'writes'}, ${withCommas(run.requests)} of ${counted(run.budget, 'request')}.`,
    ...(run.endedEarly === null ? [] : ['', `Ended early: ${code(run.endedEarly)}`]),
    ...writtenLines(report.written, report.notes).flatMap((line) => ['', code(line.trim())]),
    '',
    `### Not checked: ${withCommas(summary.claims - summary.checked)} of ${counted(summary.claims, 'claim')}`,
    '',
    ...byReason(report).map(reasonLine),
    '',
  ]
  const tail = ['### Summary', '', ...tableOf(report), '', ...sinceOf(report)]
  const title = `### Differences: ${report.differences.length === 0 ? 'none' : withCommas(report.differences.length)}`
  const length = [...head, title, ...tail].join('\n').length
  return `${[...head, title, '', ...differencesOf(report, MAX_LENGTH - length), ...tail].join('\n').trimEnd()}\n`
}

function reasonLine({ why, claims, interfaces }: ReturnType<typeof byReason>[number]): string {
  const places = interfaces.map(([name, what]) => {
    const more = what.length - MAX_NAMES
    return `${name}: ${what
      .slice(0, MAX_NAMES)
      .map((each) => code(each))
      .join(', ')}${more > 0 ? ` and ${withCommas(more)} more` : ''}`
  })
  return `- ${code(why)} (${counted(claims, 'claim')}). ${places.join('; ')}`
}

/** Returns as many differences as fit. */
function differencesOf(report: Report, space: number): string[] {
  const lines: string[] = []
  let length = 0
  let count = 0
  for (const [operation, differences] of byOperation(report)) {
    for (const [index, difference] of differences.entries()) {
      const block = [...(index === 0 ? [`#### ${code(operation)}`, ''] : []), ...differenceLines(difference)]
      length += block.join('\n').length + 1
      if (length > space) {
        const left = report.differences.length - count
        return [...lines, `${counted(left, 'more difference')}: see the report in JSON.`, '']
      }
      lines.push(...block)
      count++
    }
  }
  return lines
}

function differenceLines(difference: Difference): string[] {
  const { claim, fidelity, status, message, expected, actual, samples } = difference
  return [
    `- **${status}** ${code(claim)} (${fidelity}, ${withCommas(samples.deviating)} of ${counted(samples.total, 'sample')}): ${code(message)}`,
    '',
    ...fenced([
      `simulator  ${shortValue(expected, MAX_VALUE)}`,
      `service    ${shortValue(actual, MAX_VALUE)}`,
    ]),
    '',
    '  <details><summary>Evidence</summary>',
    '',
    ...fenced(detailsOf(difference)),
    '',
    '  </details>',
    '',
  ]
}

function tableOf(report: Report): string[] {
  const { summary } = report
  const rows = byInterface(report).map(
    ({ interface: name, claims, checkable, checked, differs }) =>
      `| ${name} | ${[claims, checkable, checked, differs].map(withCommas).join(' | ')} |`,
  )
  const { claims, checkable, checked, differs, coverage } = summary
  return [
    '| Interface | Claims | Checkable | Checked | Differ |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
    `| all | ${[claims, checkable, checked, differs].map(withCommas).join(' | ')} |`,
    '',
    `Checked ${percent(coverage)} of the checkable claims. ${withCommas(summary.agrees)} agree, ${withCommas(differs)} differ, ${withCommas(summary.flaky)} flaky.`,
  ]
}

function sinceOf({ since }: Report): string[] {
  if (!since) return []
  const parts = [
    ['New', since.added],
    ['Gone', since.gone],
    ['Not checked again', since.notChecked],
  ] as const
  return [
    `### Since the run ${code(since.report)}`,
    '',
    ...parts.flatMap(([title, keys]) => [
      `- ${title}: ${withCommas(keys.length)}`,
      ...keys.slice(0, MAX_NAMES).map((key) => `  - ${code(key)}`),
    ]),
  ]
}

/** Returns a code span. Its fence is longer than all runs of backticks in the text. */
function code(text: string): string {
  const line = shortText(text, MAX_VALUE)
  const fence = '`'.repeat(longestRun(line) + 1)
  return `${fence} ${line === '' ? ' ' : line} ${fence}`
}

/** Returns a code block inside a list item. */
function fenced(lines: readonly string[]): string[] {
  const fence = '`'.repeat(Math.max(2, longestRun(lines.join('\n'))) + 1)
  return [fence, ...lines, fence].map((line) => `  ${line}`)
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
