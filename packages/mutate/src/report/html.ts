/** The page of a report: one file, without scripts, that a team looks at together. */
import { escapeHtml } from '@suite-sim/kit/text/escaping'
import { counted } from '@suite-sim/kit/text/counted'
import {
  bySubject,
  chanceOf,
  headlineOf,
  having,
  percent,
  sentenceOf,
  type Report,
  type ReportedMutation,
} from './report.ts'

export function htmlReport(report: Report): string {
  const body = [
    `<h1>${escapeHtml(headlineOf(report))}</h1>`,
    `<p><code>${escapeHtml(report.command.join(' '))}</code></p>`,
    ...(chanceOf(report) === '' ? [] : [`<p class="refused">${escapeHtml(chanceOf(report))}.</p>`]),
    LEGEND,
    ...report.interfaces.map((name) => interfaceSection(name, report)),
    ...listSection(
      'Over-strict: a harmless change fails these tests',
      having(report, 'refused').map(({ id, failedTests }) => [id, failedTests.join(', ')]),
    ),
    ...listSection(
      'The only test that notices',
      report.guards.map(({ test, mutations }) => [
        test,
        `${counted(mutations.length, 'change')}: ${mutations.join(', ')}`,
      ]),
    ),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(headlineOf(report))}</title>
<style>${STYLE}</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1c1e21; background: #fff; }
h1 { font-size: 1.4rem; } h2 { margin-top: 2rem; } code { font-size: 0.9em; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid #d8dce2; }
th[scope=row] { font-weight: 500; border-left: 0.5rem solid #c4c9d1; white-space: nowrap; } th.all { border-left-color: #2a7d4f; } th.some { border-left-color: #b58000; } th.none { border-left-color: #b3261e; }
.chip { display: inline-block; margin: 0 0.25rem 0.25rem 0; padding: 0 0.45rem; border-radius: 0.3rem; border: 1px solid; font-size: 0.85em; }
.noticed, .tolerated { color: #17563a; background: #e3f4ea; } .survived { color: #8c1d18; background: #fce8e6; } .refused { color: #6b4a00; background: #fdf1d3; } .open { color: #50565e; background: #eef0f3; }
ul { margin: 0.2rem 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { body { margin: 1rem auto; } table, tbody, tr, td { display: block; } thead { display: none; } th[scope=row] { display: block; white-space: normal; overflow-wrap: anywhere; } td { border: 0; } }
@media (prefers-color-scheme: dark) { body { color: #e6e8eb; background: #16181c; } th, td { border-color: #353a42; } .noticed, .tolerated { color: #9fe0bd; background: #143324; } .survived { color: #ffb4ab; background: #481512; } .refused { color: #f4d58a; background: #3b2c06; } .open { color: #b0b6be; background: #272b31; } }
`

const LEGEND = `<p>${[
  ['noticed', 'would be noticed'],
  ['survived', 'would not be noticed'],
  ['refused', 'fails although it is harmless'],
  ['open', 'not tried, or not met'],
]
  .map(([name = '', words = '']) => `<span class="chip ${name}">${words}</span>`)
  .join(' ')}</p>`

function interfaceSection(name: string, { mutations }: Report): string {
  const own = mutations.filter((each) => each.interface === name)
  const isField = ({ subject }: ReportedMutation): boolean =>
    /^[A-Z]\w*\.|\./.test(subject) && !subject.includes(' ')
  const events = new Set(
    own
      .filter(({ kind }) => kind.startsWith('webhook-') && kind !== 'webhook-field-gone')
      .map(({ subject }) => subject),
  )
  const fields = own.filter((each) => isField(each) && !events.has(each.subject))
  const others = own.filter((each) => !fields.includes(each))
  return [
    `<h2>${escapeHtml(name)}</h2>`,
    tableOf('operation or event', others),
    tableOf('field', fields),
  ].join('\n')
}

function tableOf(title: string, mutations: readonly ReportedMutation[]): string {
  if (mutations.length === 0) return ''
  const rows = bySubject(mutations).map(({ subject, mutations: all }) => rowOf(subject, all))
  return `<table><thead><tr><th>${title}</th><th>right</th><th>changes</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

function rowOf(subject: string, all: readonly ReportedMutation[]): string {
  const judged = all.filter(({ verdict }) => verdict !== 'not met' && verdict !== 'not run')
  const right = judged.filter(({ verdict }) => verdict === 'noticed' || verdict === 'tolerated')
  const share = judged.length === 0 ? null : right.length / judged.length
  const name = share === null ? 'open' : share === 1 ? 'all' : share === 0 ? 'none' : 'some'
  const wrong = judged.filter((each) => !right.includes(each))
  const details =
    wrong.length === 0
      ? ''
      : `<ul>${wrong.map((each) => `<li>${escapeHtml(sentenceOf(each))}</li>`).join('')}</ul>`
  const [first] = all
  const title = subject === first?.interface ? 'all answers and webhooks' : subject
  const where = [...new Set(all.flatMap(({ operations }) => operations))].join(', ')
  return `<tr><th scope="row" class="${name}" title="${escapeHtml(where)}">${escapeHtml(title)}</th><td>${share === null ? '' : percent(share)}</td><td>${all.map(chipOf).join('')}${details}</td></tr>`
}

function chipOf(mutation: ReportedMutation): string {
  const { kind, verdict } = mutation
  const name = verdict === 'not met' || verdict === 'not run' ? 'open' : verdict
  return `<span class="chip ${name}" title="${escapeHtml(`${verdict}: ${sentenceOf(mutation)}`)}">${escapeHtml(kind)}</span>`
}

function listSection(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return []
  const items = rows.map(
    ([name, words]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(words)}</td></tr>`,
  )
  return [`<h2>${title}</h2>`, `<table><tbody>${items.join('\n')}</tbody></table>`]
}
