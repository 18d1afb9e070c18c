/** Parts of the documentation that are made from the entries of the interfaces; `npm run docs` writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { INTERFACE_NAMES } from '../../src/control/schemas.ts'
import type { Credential } from '../../src/http/dialect.ts'
import { ROOT } from '../support/process.ts'
import { PUBLISHED } from '../support/published.ts'
import { INTERFACES } from '../support/subject.ts'

/** Compares what stands between the marks of a section with what ought to; with DOCS=write puts it there. */
async function mustHold(file: string, section: string, lines: readonly string[]): Promise<void> {
  const path = join(ROOT, file)
  const [begin, end] = [`<!-- ${section}: made by npm run docs -->`, `<!-- end of ${section} -->`]
  const text = readFileSync(path, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} has no section ${section}`)
  const wanted = await format(`${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`, {
    ...(await resolveConfig(path)),
    filepath: path,
  })
  if (process.env['DOCS'] === 'write') writeFileSync(path, wanted)
  else expect(text).toBe(wanted)
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const credentialWords = (credential: Credential): string =>
  credential.kind === 'header' ? `\`${credential.header}: KEY\`` : '`Authorization: Bearer KEY`'

/** What the README says of an interface that is still to come: where it will be, as OPERATING.md has it. */
function plannedRow(readme: string, name: string): string[] {
  const line = readme.split('\n').find((each) => each.startsWith(`| ${name} `)) ?? ''
  const [basePath = '', credential = ''] = line.split('|').slice(2, 4)
  return [name, basePath.trim(), credential.trim(), 'planned']
}

test("the README's table of interfaces says which are built, and where", async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const rows = INTERFACE_NAMES.map((name) => {
    const definition = PUBLISHED.find((each) => each.definition.name === name)?.definition
    return definition
      ? [name, `\`${definition.basePath}\``, credentialWords(definition.dialect.credential), 'yes']
      : plannedRow(readme, name)
  })
  await mustHold('README.md', 'interfaces', table(['interface', 'base path', 'credential', 'built'], rows))
})

/** `{link_id, outcome?}` and what is said of its fields. */
function bodyWords({ properties = {}, required = [] }: TSchema): [shape: string, fields: string] {
  const fields = Object.entries(properties as Record<string, TSchema>)
  const shape = fields.map(([name]) => ((required as string[]).includes(name) ? name : `${name}?`))
  const said = fields.flatMap(([name, { description }]) => (description ? `\`${name}\`: ${description}` : []))
  return [`\`{${shape.join(', ')}}\``, said.join(' ')]
}

test("the control plane's table of triggers has each of them", async () => {
  const wires = await Promise.all(INTERFACES.map((entry) => entry.wire()))
  const rows = wires
    .flatMap(({ triggers = [] }) => triggers)
    .map(({ name, summary, body }) => {
      const [shape, fields] = bodyWords(body)
      return [`\`${name}\``, shape, `${summary} ${fields}`.trim()]
    })
  await mustHold('docs/control-plane.md', 'triggers', table(['name', 'body', 'what happens'], rows))
})
