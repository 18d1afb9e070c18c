/**
 * The generated parts of the documentation and the library. `npm run docs` writes them; tests compare them
 * with the files.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { format } from 'oxfmt'
import { buildApp, INTERFACES, MACHINES } from '../../src/app.ts'
import { FINDINGS } from '@suite-sim/cli/remote/grade/task'
import { readTask, shippedTasks } from '@suite-sim/cli/remote/grade/taskFile'
import { METRICS } from '../../src/control/server/metricsList.ts'
import { READINGS } from '../../src/control/shared/readings.ts'
import type { Published } from '../../src/http/definition/definition.ts'
import type { Credential } from '../../src/http/definition/dialect.ts'
import { scopesOf } from '../../src/http/definition/operation.ts'
import { areaScope } from '../../src/http/definition/unlistedScopes.ts'
import { SNIPPETS } from '@suite-sim/dashboard/signatureSnippets'
import { fidelityPages } from '../../src/http/openapi/fidelity/pages.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { DEFAULT_SCHEDULE, describeSchedule, type Scheduled } from '../../src/webhooks/profiles/schedule.ts'
import { DOCUMENTED_LISTS } from '../../test/support/documentedLists.ts'
import { OPERATION_ROWS } from '../../test/support/operationTable.ts'
import { ROOT } from '../../test/support/root.ts'
import { goTypes } from '../clients/go.mjs'
import { javaFiles } from '../clients/java.mjs'
import { pythonTypes } from '../clients/python.mjs'
import { typescriptTypes } from '../clients/typescript.mjs'
import { clientDocuments } from '../clientTypes.mjs'

const LIBRARY_TYPES = 'packages/client/src/generated/control.ts'

/** Returns the whole text of each file with generated parts, by its path in the repository. */
export async function generatedDocs(): Promise<ReadonlyMap<string, string>> {
  const app = await buildApp()
  try {
    const documents = await clientDocuments(app, INTERFACE_NAMES)
    const published = await Promise.all(INTERFACES.map(({ name }) => app.published(name)))
    return new Map([
      ...fidelityPages({ published, machines: MACHINES, lists: DOCUMENTED_LISTS, rows: OPERATION_ROWS }),
      ['docs/readings.md', await withSections('docs/readings.md', readingSections(published))],
      ['README.md', await withSections('README.md', { interfaces: interfaceTable(published) })],
      [
        'docs/control-plane.md',
        await withSections('docs/control-plane.md', { triggers: await triggerTable() }),
      ],
      ['docs/agents.md', await withSections('docs/agents.md', { tasks: await taskTable() })],
      ['docs/operating.md', await withSections('docs/operating.md', { metrics: metricTable() })],
      [
        'docs/webhooks.md',
        await withSections('docs/webhooks.md', {
          verify: verificationSnippets(),
          schedule: scheduleSection(INTERFACES),
        }),
      ],
      [LIBRARY_TYPES, await formatted(LIBRARY_TYPES, typescriptTypes(documents))],
      ['clients/python/src/suite_simulator/_generated.py', pythonTypes(documents)],
      ['clients/go/control.go', goTypes(documents)],
      ...javaFiles(documents),
    ])
  } finally {
    await app.close()
  }
}

/** Returns the text of a file with new lines in its marked sections. */
async function withSections(
  file: string,
  sections: Readonly<Record<string, readonly string[]>>,
): Promise<string> {
  const text = Object.entries(sections).reduce(
    (before, [section, lines]) => replaceSection(before, file, section, lines),
    readFileSync(join(ROOT, file), 'utf8'),
  )
  return formatted(file, text)
}

function replaceSection(text: string, file: string, section: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- ${section}: made by npm run docs -->`, `<!-- end of ${section} -->`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} must have a section ${section}.`)
  return `${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`
}

async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, { semi: false, singleQuote: true, printWidth: 110 })
  if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors)}`)
  return code
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const credentialWords = (credential: Credential): string =>
  credential.kind === 'header' ? `\`${credential.header}: KEY\`` : '`Authorization: Bearer KEY`'

function interfaceTable(published: readonly Published[]): string[] {
  const rows = published.map(({ definition: { name, basePath, dialect } }) => [
    name,
    `\`${basePath}\``,
    credentialWords(dialect.credential),
    'yes',
  ])
  return table(['interface', 'base path', 'credential', 'built'], rows)
}

/** Returns the list of readings, and the table of the scopes that `scopes.unlisted` derives. */
function readingSections(published: readonly Published[]): Record<string, string[]> {
  const readings = READINGS.flatMap(({ name, title, section, alternatives }) => [
    `### \`${name}\``,
    '',
    `${title}. Specification: ${section}.`,
    '',
    ...alternatives.map(
      (each, index) => `- \`${each.value}\`${index === 0 ? ' (default)' : ''}: ${each.title}`,
    ),
    '',
  ])
  const scopes = published.flatMap(({ definition, routes }) =>
    routes.flatMap((route) => {
      const isUnlisted = scopesOf(route.operation).length === 0
      if (!isUnlisted || !routes.some(({ operation }) => scopesOf(operation).length > 0)) return []
      const scope = areaScope(route, routes)
      const words = scope === undefined ? 'none' : `\`${scope}\``
      return [[definition.name, `\`${route.method} ${route.path}\``, words]]
    }),
  )
  return { readings, scopes: table(['interface', 'operation', 'scope'], scopes) }
}

/** Returns the tasks of the package with their results, which packages/cli/test/grade/tasks.test.ts proves. */
async function taskTable(): Promise<string[]> {
  const tasks = await Promise.all(shippedTasks().map((file) => readTask(file)))
  const rows = tasks.map(({ name, interfaces, budget, reference, saboteurs }) => {
    const calls = reference.filter(({ kind }) => kind === 'call').length
    const kinds = FINDINGS.filter((kind) =>
      saboteurs.some(({ fails }) => fails.some((each) => each.kind === kind)),
    )
    const count = String(saboteurs.length)
    return [
      `[\`${name}\`](../tasks/${name}.yaml)`,
      interfaces.join(', '),
      `passes with ${String(calls)} of ${String(budget)} calls`,
      `${count} of ${count} fail: ${kinds.join(', ')}`,
    ]
  })
  return table(['task', 'interfaces', 'reference', 'saboteurs'], rows)
}

function metricTable(): string[] {
  const rows = METRICS.map(({ name, type, labels = [], help }) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help.replace(/\.$/, ''),
  ])
  return table(['metric', 'type', 'labels', 'what it says'], rows)
}

/** Returns the schedule of interfaces without their own, and then those of the others. */
export function scheduleSection(interfaces: readonly Scheduled[]): string[] {
  const own = interfaces.filter(({ schedule }) => schedule !== undefined)
  return [{ name: '', schedule: DEFAULT_SCHEDULE }, ...own].flatMap(
    ({ name, schedule = DEFAULT_SCHEDULE }) => {
      const { attempts, delays, length, longest } = describeSchedule(schedule)
      const jitter = String(Math.round(schedule.jitter * 100))
      return [
        `**Schedule**${name === '' ? '' : ` of \`${name}\``}: ${attempts}. ${delays} Each delay varies by up to ${jitter} %.`,
        `The last attempt is about ${length.words} after the event, or ${longest.words} with the longest delays.`,
        '',
      ]
    },
  )
}

/** Returns the programs that verify a signature, each below a heading with its language. */
const verificationSnippets = (): string[] =>
  SNIPPETS.flatMap(({ language, fence, command, code }) => [
    `### ${language}`,
    '',
    `\`${command}\``,
    '',
    `\`\`\`${fence}`,
    code({ secret: 'whsec_…', signature: 'sha256=…' }).trimEnd(),
    '```',
    '',
  ])

async function triggerTable(): Promise<string[]> {
  const wires = await Promise.all(INTERFACES.map((entry) => entry.load()))
  const rows = wires
    .flatMap(({ triggers = [] }) => triggers)
    .map(({ name, summary, body }) => {
      const [shape, fields] = bodyWords(body)
      return [`\`${name}\``, shape, `${summary} ${fields}`.trim()]
    })
  return table(['name', 'body', 'what happens'], rows)
}

/** Returns `{link_id, outcome?}`, and the descriptions of its fields. */
function bodyWords({ properties = {}, required = [] }: TSchema): [shape: string, fields: string] {
  const fields = Object.entries(properties as Record<string, TSchema>)
  const shape = fields.map(([name]) => ((required as string[]).includes(name) ? name : `${name}?`))
  const fieldTexts = fields.flatMap(([name, { description }]) =>
    description ? `\`${name}\`: ${description}` : [],
  )
  return [`\`{${shape.join(', ')}}\``, fieldTexts.join(' ')]
}
