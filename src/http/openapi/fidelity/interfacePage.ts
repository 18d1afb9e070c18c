/** The fidelity page of one interface, docs/fidelity/<interface>.md. */
import type { Fidelity } from '../../../state/model/fidelity.ts'
import type { Machine, Move } from '../../../state/model/machine.ts'
import type { LoadedInterface, Published } from '../../definition/definition.ts'
import {
  LONGEST_OF_FORMAT,
  LARGEST_VALUE,
  LONGEST_PARAMETER,
  LONGEST_TEXT,
  MAX_FIELDS,
  MAX_ITEMS,
} from '../../schemas/limits.ts'
import type { JsonObject } from '../components.ts'
import type { OpenApiDocument } from '../documentParts.ts'
import { interfaceDocument } from '../openapi.ts'
import type { DocumentedList, OperationRow } from '../../schemas/documentedList.ts'
import { compare, sentenceFor } from './facts.ts'
import type { Fact, Kind } from './findings.ts'
import { code, table } from './markdown.ts'

/** A state machine with any states and moves. */
export type AnyMachine = Pick<Machine, 'name' | 'title'> & {
  readonly moves: Readonly<Record<string, Move<string>>>
}

/** Everything that a page is made of. */
export interface Chapter {
  readonly definition: LoadedInterface
  readonly operations: readonly Entry[]
  readonly machines: readonly AnyMachine[]
  readonly events: readonly Entry[]
  readonly facts: readonly Fact[]
  /** The operations and events that depend on each reading. */
  readonly readings: ReadonlyMap<string, readonly string[]>
  /** Returns the sentence of the specification that leaves a part open; "silent" if none does. */
  readonly sentence: (subject: string) => string
}

/** Something that is documented or assumed. */
interface Entry {
  readonly name: string
  readonly fidelity: Fidelity
}

export const interfaceOf = (machine: AnyMachine): string => machine.name.split('.')[0] ?? ''

const SILENT = 'silent'

export function chapterOf(
  published: Published,
  machines: readonly AnyMachine[],
  list: DocumentedList | undefined,
  rows: readonly OperationRow[],
): Chapter {
  const { definition, routes } = published
  const document = interfaceDocument(published, { serverUrl: '', version: '' })
  return {
    definition,
    operations: routes.map(({ method, path, operation }) => ({
      name: `${method} ${path}`,
      fidelity: operation.fidelity,
    })),
    machines: machines.filter((machine) => interfaceOf(machine) === definition.name),
    events: definition.events ?? [],
    facts: compare(document, list ?? emptyList(rows), rows).facts,
    readings: readingsIn(document),
    sentence: (subject) => (list && sentenceFor(list, subject)) ?? SILENT,
  }
}

function readingsIn(document: OpenApiDocument): Map<string, string[]> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => [`${method.toUpperCase()} ${path}`, each] as const),
  )
  const events = Object.entries(document.webhooks ?? {}).map(
    ([name, { post }]) => [name, post as JsonObject] as const,
  )
  const found = new Map<string, string[]>()
  for (const [place, described] of [...operations, ...events]) {
    for (const name of (described['x-reading'] ?? []) as readonly string[]) {
      found.set(name, [...(found.get(name) ?? []), place])
    }
  }
  return found
}

/** For an interface without a list: its page has the labels alone. */
const emptyList = (rows: readonly OperationRow[]): DocumentedList => ({
  records: {},
  operations: Object.fromEntries(rows.map(({ method, path }) => [`${method} ${path}`, {}])),
  statuses: [],
  error: null,
  delivery: null,
  events: {},
  notShown: [],
})

/** What people who read the file see, and not those who read the guide. */
export const GENERATED = '<!-- made by npm run docs -->'

/** Returns the page as Markdown. */
export function interfacePage(chapter: Chapter): string {
  const { definition, operations, machines, events, sentence } = chapter
  const { title, name, specification, addresses } = definition
  const sections = [
    GENERATED,
    `# Fidelity: ${title}`,
    `Here you see what the simulator assumes in the interface ${code(name)} (specification ${specification ?? ''}). Do not rely on it before you have tried it with the real service.`,
    `The last column has the sentence of the specification that leaves the part open, or "${SILENT}" if none mentions it. [What is assumed everywhere](../FIDELITY.md)`,
    '## Operations',
    entryTable('Operation', operations, (address) => sentence(`operation ${address}`)),
  ]
  if (chapter.readings.size > 0) sections.push('## Readings', readingTable(chapter.readings))
  if (addresses) {
    const entries = addresses.map(({ path, fidelity }) => ({ name: path, fidelity }))
    sections.push('## Addresses outside the operations')
    sections.push(entryTable('Address', entries, (address) => sentence(`address ${address}`)))
  }
  for (const [heading, kind] of LABELLED) {
    const rows = labelRows(chapter, kind)
    if (rows.length > 0) sections.push(`## ${heading}`, table(['Where', 'Why', 'Specification'], rows))
  }
  sections.push(...boundSections(chapter))
  if (machines.length > 0) sections.push('## Moves', moveTable(machines, sentence))
  if (events.length > 0)
    sections.push(
      '## Events',
      entryTable('Event', events, (event) => sentence(`event ${event}`)),
    )
  return `${sections.join('\n\n')}\n`
}

const readingTable = (readings: Chapter['readings']): string =>
  table(
    ['[Reading](../readings.md)', 'Where'],
    [...readings].map(([name, places]) => [code(name), places.map(code).join(', ')]),
  )

const entryTable = (title: string, entries: readonly Entry[], sentence: (name: string) => string): string =>
  table(
    [title, 'Fidelity', 'Why', 'Specification'],
    entries.map(({ name, fidelity: { status, why = '' } }) => [
      code(name),
      status,
      why,
      status === 'assumed' ? sentence(name) : '',
    ]),
  )

export const moveTable = (machines: readonly AnyMachine[], sentence: Chapter['sentence']): string =>
  table(
    ['Record', 'Move', 'From', 'To', 'By', 'Fidelity', 'Why', 'Specification'],
    machines.flatMap(({ name: machine, title, moves }) =>
      Object.entries(moves).map(([name, { from, to, by, fidelity }]) => [
        title,
        code(name),
        from.join(', '),
        to,
        by,
        fidelity.status,
        fidelity.why ?? '',
        fidelity.status === 'assumed' ? sentence(`move ${machine} ${name}`) : '',
      ]),
    ),
  )

// ---------------------------------------------------------------- labels

const LABELLED: readonly (readonly [heading: string, kind: Kind])[] = [
  ['Requests', 'request'],
  ['Responses', 'response'],
  ['Fields', 'field'],
  ['Values', 'value'],
  ['Defaults', 'default'],
  ['Parameters', 'parameter'],
  ['Statuses', 'status'],
]

/**
 * Returns the assumed facts of a kind, without those that the label of another part covers. A field, a response and the
 * like are one fact for each label.
 */
export function assumedFacts(facts: readonly Fact[], kind: Kind): Fact[] {
  const firstKinds = new Map<string, Kind>()
  const own: Fact[] = []
  for (const fact of facts) {
    if (!fact.label) continue
    const key = JSON.stringify(fact.label)
    const isFirst = !firstKinds.has(key)
    if (isFirst) firstKinds.set(key, fact.kind)
    if (fact.kind === kind && firstKinds.get(key) === kind && (isFirst || fact.detail !== undefined))
      own.push(fact)
  }
  return own
}

/** Returns the labels of a kind as rows. Places with the same reason share one. */
function labelRows({ facts, sentence }: Chapter, kind: Kind): string[][] {
  const rows = new Map<string, { why: string; said: string; places: Set<string>; details: Set<string> }>()
  for (const { label, detail } of assumedFacts(facts, kind)) {
    if (!label) continue
    const said = sentence(`${kind} ${label.place}`)
    // A row lists the values of one place.
    const group = JSON.stringify([label.why, said, kind === 'value' ? label.place : detail])
    const row = rows.get(group) ?? { why: label.why, said, places: new Set(), details: new Set() }
    rows.set(group, row)
    row.places.add(code(label.place))
    if (detail !== undefined) row.details.add(code(detail))
  }
  return [...rows.values()].map(({ why, said, places, details }) => [
    [...places].join(', ') + (details.size > 0 ? `: ${[...details].join(', ')}` : ''),
    why,
    said,
  ])
}

// ---------------------------------------------------------------- bounds

/** The bounds that the summary explains, because they hold in all interfaces. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  ...[LONGEST_TEXT, LONGEST_PARAMETER, ...Object.values(LONGEST_OF_FORMAT)].map(
    (length) => `maxLength ${String(length)}`,
  ),
  `maxItems ${String(MAX_ITEMS)}`,
  `maxProperties ${String(MAX_FIELDS)}`,
  `x-max-size ${String(LARGEST_VALUE)}`,
  `minimum ${String(Number.MIN_SAFE_INTEGER)}`,
  `maximum ${String(Number.MAX_SAFE_INTEGER)}`,
])

function boundSections({ facts, sentence }: Chapter): string[] {
  const assumed = assumedFacts(facts, 'bound')
  const own = assumed.filter(({ detail = '' }) => !EVERYWHERE.has(detail))
  const rows = new Map<string, { detail: string; said: string; places: string[] }>()
  for (const { place, detail = '' } of own) {
    const said = sentence(`bound ${place}`)
    const key = JSON.stringify([detail, said])
    const row = rows.get(key) ?? { detail, said, places: [] }
    rows.set(key, row)
    row.places.push(code(place))
  }
  const others = assumed.length - own.length
  return [
    ...(rows.size > 0
      ? [
          '## Bounds',
          table(
            ['Bound', 'Where', 'Specification'],
            [...rows.values()].map(({ detail, said, places }) => [code(detail), places.join(', '), said]),
          ),
        ]
      : []),
    ...(others > 0 ? [`${String(others)} more bounds are those that all interfaces share.`] : []),
  ]
}
