/**
 * docs/FIDELITY.md: in one place, what of the simulator the specification shows and what was filled in. Made from the
 * published documents and the state machines, so that it says what they say.
 */
import type { Fidelity } from '../state/fidelity.ts'
import type { Machine, Move } from '../state/machine.ts'
import type { JsonObject } from './components.ts'
import { LARGEST_VALUE, LONGEST_PARAMETER, LONGEST_TEXT, MAX_FIELDS, MAX_ITEMS } from './limits.ts'
import type { InterfaceDefinition } from './definition.ts'
import type { Published } from './definition.ts'
import { interfaceDocument, type OpenApiDocument } from './openapi.ts'

/** A machine whatever its states and moves are called. */
export type AnyMachine = Pick<Machine, 'name' | 'title'> & {
  readonly moves: Readonly<Record<string, Move<string>>>
}

/** The page as Markdown. */
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

What the specification shows is _documented_; what it leaves open and the simulator had to decide is _assumed_, with
a sentence that says what was chosen. The OpenAPI documents carry the same words as \`x-fidelity\` and
\`x-fidelity-why\`, and the control plane shows them for the moves of each state machine.

Assumed everywhere: a date is the beginning of its day in the time zone of the workspace (in tax invoicing, of the issuer:
America/Mexico_City), where it ends a span the end of that day, and a date-time without an offset is a time of the clocks
there. A time that clocks show twice is the first of
the two; one that they skip is as much later as they were put forward.

The same holds for the size of what the specification gives no size (\`x-limits\` in the documents says where): a text has at
most ${count(LONGEST_TEXT)} characters, one in a path or a query ${count(LONGEST_PARAMETER)}, a list ${count(MAX_ITEMS)} items, free key-value data ${count(MAX_FIELDS)}
names and ${count(LARGEST_VALUE)} characters as JSON (\`x-max-size\`), an e-mail address 254 characters and a URL 2,048. E-mail addresses
may have letters of any alphabet; a URL has no user and no password.

This page is generated (\`npm run docs\`), and a test fails when it is out of date.`

/** Something that is documented or assumed. */
interface Entry {
  readonly name: string
  readonly fidelity: Fidelity
}

interface Chapter {
  readonly definition: InterfaceDefinition
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

/** Every place of the document that says of itself that it is assumed, beside operations and events. */
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

/** Fields that are assumed for one and the same reason share a row. */
function fieldTable(fields: readonly AssumedField[]): string {
  const places = new Map<string, string[]>()
  for (const { where, why } of fields) places.set(why, [...(places.get(why) ?? []), code(where)])
  return table(
    ['Where', 'Why'],
    [...places].map(([why, where]) => [where.join(', '), why]),
  )
}

// ---------------------------------------------------------------- Markdown

const code = (text: string): string => `\`${text}\``

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}
