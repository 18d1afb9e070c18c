/**
 * Generates docs/FIDELITY.md from the published documents and the state machines: the documented and the
 * assumed parts of the simulator.
 */
import type { Fidelity } from '../../state/model/fidelity.ts'
import type { Machine, Move } from '../../state/model/machine.ts'
import type { JsonObject } from './components.ts'
import { LARGEST_VALUE, LONGEST_PARAMETER, LONGEST_TEXT, MAX_FIELDS, MAX_ITEMS } from '../schemas/limits.ts'
import type { LoadedInterface } from '../definition/definition.ts'
import type { Published } from '../definition/definition.ts'
import type { OpenApiDocument } from './documentParts.ts'
import { interfaceDocument } from './openapi.ts'

/** A state machine with any states and moves. */
export type AnyMachine = Pick<Machine, 'name' | 'title'> & {
  readonly moves: Readonly<Record<string, Move<string>>>
}

/** Returns the page as Markdown. */
export function fidelityPage(published: readonly Published[], machines: readonly AnyMachine[]): string {
  const chapters = published.map((each) => chapterOf(each, machinesOf(machines, each.definition.name)))
  const names = new Set(published.map(({ definition }) => definition.name))
  const shared = machines.filter((machine) => !names.has(interfaceOf(machine)))
  const sections = [
    INTRODUCTION,
    table(SUMMARY_HEADS, chapters.map(summaryRow)),
    ...chapters.flatMap(chapterSections),
    ...(shared.length > 0 ? ['## Shared by all interfaces', '### Moves', moveTable(shared)] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

const SUMMARY_HEADS = [
  'Interface',
  'Operations',
  'assumed',
  'Moves',
  'assumed',
  'Events',
  'assumed',
  'Assumed fields',
]

const count = (number: number): string => number.toLocaleString('en')

const INTRODUCTION = `# Fidelity

Behavior that the specification shows is _documented_. Behavior that it leaves open is _assumed_, with a sentence that
says what the simulator does. The OpenAPI documents have the same text as \`x-fidelity\` and \`x-fidelity-why\`, and
the control plane shows it for the moves of each state machine.

Dates and times are assumed everywhere:

- A date is the beginning of its day in the time zone of the workspace; at the end of a time span, it is the end of that
  day. In tax invoicing, it is the time zone of the issuer: America/Mexico_City.
- A date-time without an offset is a local time in the same time zone. A local time that occurs twice is the first of the
  two. A local time that the clocks skip is moved forward by the skipped time.

Sizes are assumed if the specification gives none (\`x-limits\` in the documents marks them):

- A string has at most ${count(LONGEST_TEXT)} characters, in a path or a query ${count(LONGEST_PARAMETER)}.
- A list has at most ${count(MAX_ITEMS)} items.
- Free key-value data have at most ${count(MAX_FIELDS)} names, and ${count(LARGEST_VALUE)} characters as JSON (\`x-max-size\`).
- An e-mail address has at most 254 characters, and may have letters of any alphabet.
- A URL has at most 2,048 characters, and no user or password.

This page is generated (\`npm run docs\`). A test fails if it is out of date.`

/** Something that is documented or assumed. */
interface Entry {
  readonly name: string
  readonly fidelity: Fidelity
}

interface Chapter {
  readonly definition: LoadedInterface
  readonly operations: readonly Entry[]
  readonly machines: readonly AnyMachine[]
  readonly events: readonly Entry[]
  readonly fields: readonly AssumedField[]
}

function chapterOf(published: Published, machines: readonly AnyMachine[]): Chapter {
  const { definition, routes } = published
  const document = interfaceDocument(published, { serverUrl: '', version: '' })
  return {
    definition,
    operations: routes.map(({ method, path, operation }) => ({
      name: `${method} ${path}`,
      fidelity: operation.fidelity,
    })),
    machines,
    events: definition.events ?? [],
    fields: assumedFields(document),
  }
}

const interfaceOf = (machine: AnyMachine): string => machine.name.split('.')[0] ?? ''

const machinesOf = (machines: readonly AnyMachine[], name: string): AnyMachine[] =>
  machines.filter((machine) => interfaceOf(machine) === name)

function summaryRow({ definition, operations, machines, events, fields }: Chapter): string[] {
  const moves = machines.flatMap((machine) => Object.values(machine.moves))
  const assumedOf = (entries: readonly { fidelity: Fidelity }[]): string =>
    String(entries.filter(({ fidelity }) => fidelity.status === 'assumed').length)
  return [
    definition.title,
    String(operations.length),
    assumedOf(operations),
    String(moves.length),
    assumedOf(moves),
    String(events.length),
    assumedOf(events),
    String(fields.length),
  ]
}

function chapterSections({ definition, operations, machines, events, fields }: Chapter): string[] {
  const sections = [`## ${definition.title} (\`${definition.name}\`)`, '### Operations']
  sections.push(entryTable('Operation', operations))
  if (definition.addresses) {
    const addresses = definition.addresses.map(({ path, fidelity }) => ({ name: path, fidelity }))
    sections.push('### Addresses outside the operations', entryTable('Address', addresses))
  }
  if (fields.length > 0) sections.push('### Assumed fields', fieldTable(fields))
  if (machines.length > 0) sections.push('### Moves', moveTable(machines))
  if (events.length > 0) sections.push('### Events', entryTable('Event', events))
  return sections
}

const entryTable = (title: string, entries: readonly Entry[]): string =>
  table(
    [title, 'Fidelity', 'Why'],
    entries.map(({ name, fidelity }) => [code(name), fidelity.status, fidelity.why ?? '']),
  )

const moveTable = (machines: readonly AnyMachine[]): string =>
  table(
    ['Record', 'Move', 'From', 'To', 'By', 'Fidelity', 'Why'],
    machines.flatMap(({ title, moves }) =>
      Object.entries(moves).map(([name, { from, to, by, fidelity }]) => [
        title,
        code(name),
        from.join(', '),
        to,
        by,
        fidelity.status,
        fidelity.why ?? '',
      ]),
    ),
  )

// ---------------------------------------------------------------- assumed fields

interface AssumedField {
  readonly where: string
  readonly why: string
}

/** Returns all assumed fields and shapes of the document, without operations and events. */
function assumedFields(document: OpenApiDocument): AssumedField[] {
  const fields: AssumedField[] = []
  const note = (where: string, words: JsonObject): void => {
    if (words['x-fidelity'] === 'assumed') fields.push({ where, why: String(words['x-fidelity-why']) })
  }
  const visit = (where: string, schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    const words = schema as JsonObject
    note(where, words)
    for (const [name, property] of Object.entries((words['properties'] ?? {}) as JsonObject)) {
      visit(where === '' ? name : `${where}.${name}`, property)
    }
    visit(`${where}[]`, words['items'])
    visit(`${where}.*`, words['additionalProperties'])
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      for (const part of (words[word] ?? []) as unknown[]) visit(where, part)
    }
  }
  const visitContent = (where: string, holder: JsonObject | undefined): void => {
    const content = (holder?.['content'] ?? {}) as Record<string, JsonObject>
    for (const { schema } of Object.values(content)) visit(where, schema)
  }

  for (const [name, schema] of Object.entries(document.components.schemas)) visit(name, schema)
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const address = `${method.toUpperCase()} ${path}`
      for (const parameter of operation.parameters ?? [])
        note(`${address} ?${String(parameter['name'])}`, parameter)
      visitContent(`${address} body`, operation.requestBody)
      for (const [status, answer] of Object.entries(operation.responses)) {
        visitContent(`${address} ${status}`, answer)
      }
    }
  }
  for (const [name, item] of Object.entries(document.webhooks ?? {})) {
    visitContent(name, (item['post'] as JsonObject)['requestBody'] as JsonObject)
  }
  return fields
}

/** Fields with the same reason share a row. */
function fieldTable(fields: readonly AssumedField[]): string {
  const fieldsByReason = new Map<string, string[]>()
  for (const { where, why } of fields)
    fieldsByReason.set(why, [...(fieldsByReason.get(why) ?? []), code(where)])
  return table(
    ['Where', 'Why'],
    [...fieldsByReason].map(([why, where]) => [where.join(', '), why]),
  )
}

// ---------------------------------------------------------------- Markdown

const code = (text: string): string => `\`${text}\``

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}
