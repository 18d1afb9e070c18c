/**
 * Generates docs/FIDELITY.md, a summary, and a page for each interface, docs/fidelity/<interface>.md, from the
 * published documents, the state machines and the lists of documented facts.
 */
import type { Published } from '../../definition/definition.ts'
import {
  LARGEST_VALUE,
  LONGEST_PARAMETER,
  LONGEST_TEXT,
  MAX_FIELDS,
  MAX_ITEMS,
} from '../../schemas/limits.ts'
import type { DocumentedList, OperationRow } from '../../schemas/documentedList.ts'
import type { Kind } from './findings.ts'
import {
  assumedFacts,
  chapterOf,
  GENERATED,
  interfaceOf,
  interfacePage,
  moveTable,
  type AnyMachine,
  type Chapter,
} from './interfacePage.ts'
import { table } from './markdown.ts'

interface Sources {
  readonly published: readonly Published[]
  readonly machines: readonly AnyMachine[]
  readonly lists: ReadonlyMap<string, DocumentedList>
  readonly rows: readonly OperationRow[]
}

/** Returns the pages as Markdown, by their path in the repository. */
export function fidelityPages({ published, machines, lists, rows }: Sources): Map<string, string> {
  const chapters = published.map((each) => {
    const { name } = each.definition
    return chapterOf(
      each,
      machines,
      lists.get(name),
      rows.filter((row) => row.interface === name),
    )
  })
  const names = new Set(published.map(({ definition }) => definition.name))
  const shared = machines.filter((machine) => !names.has(interfaceOf(machine)))
  const summary = [
    INTRODUCTION,
    table(['Interface', ...COLUMNS.map(([title]) => title), 'Moves', 'Events'], chapters.map(summaryRow)),
    ...(shared.length > 0
      ? ['## Shared by all interfaces', '### Moves', moveTable(shared, () => 'silent')]
      : []),
  ]
  return new Map([
    ['docs/FIDELITY.md', `${summary.join('\n\n')}\n`],
    ...chapters.map((chapter): [string, string] => [
      `docs/fidelity/${chapter.definition.name}.md`,
      interfacePage(chapter),
    ]),
  ])
}

const COLUMNS: readonly (readonly [title: string, kind: Kind])[] = [
  ['Operations', 'operation'],
  ['Requests', 'request'],
  ['Responses', 'response'],
  ['Fields', 'field'],
  ['Bounds', 'bound'],
  ['Values', 'value'],
  ['Defaults', 'default'],
  ['Parameters', 'parameter'],
  ['Statuses', 'status'],
]

function summaryRow({ definition: { name, title }, facts, machines, events }: Chapter): string[] {
  const moves = machines.flatMap((machine) => Object.values(machine.moves))
  return [
    `[${title}](fidelity/${name}.md)`,
    ...COLUMNS.map(([, kind]) => {
      const documented = facts.filter((fact) => fact.kind === kind && fact.label === null)
      return counts(documented.length, assumedFacts(facts, kind).length)
    }),
    ...[moves, events].map((entries) => {
      const assumed = entries.filter(({ fidelity }) => fidelity.status === 'assumed')
      return counts(entries.length - assumed.length, assumed.length)
    }),
  ]
}

/** "40 / 3 / 0": documented, assumed and observed. */
const counts = (documented: number, assumed: number): string =>
  `${String(documented)} / ${String(assumed)} / 0`

const count = (number: number): string => number.toLocaleString('en')

const INTRODUCTION = `${GENERATED}

# Fidelity

These pages show you which behavior follows the specification, and where the simulator had to decide, so that you know what to
try with the real service.

Behavior that the specification shows is _documented_. Behavior that it leaves open is _assumed_, with a sentence that
says what the simulator does. The label _observed_ is for behavior that was measured on the real product. These pages have
none of it, because they describe the simulator as it follows the specification: observations are those of a server that
was started with \`--observed\`, and its OpenAPI documents and \`GET /_sim/observed\` show them
([VERIFY.md](VERIFY.md#follow-what-was-observed)). The OpenAPI documents have the same labels:

- \`x-fidelity\` and \`x-fidelity-why\` label an operation, a field, a parameter or an event with everything below it.
  On a response they label its status, and on the schema of the response its body.
- \`x-limits: assumed\` labels the bounds of a value, except those that \`x-documented-limits\` names.
- \`x-assumed-values\` and \`x-assumed-values-why\` label values of a closed list.
- \`x-assumed-default\` labels a default.

They are compared with lists of the documented facts, which were made by hand from the specification. The control plane shows
the labels of the moves of each state machine.

Dates and times are assumed everywhere:

- A date is the beginning of its day in the time zone of the workspace; at the end of a time span, it is the end of that
  day. In tax invoicing, it is the time zone of the issuer: America/Mexico_City.
- A date-time without an offset is a local time in the same time zone. A local time that occurs twice is the first of the
  two. A local time that the clocks skip is moved forward by the skipped time.

Sizes are assumed if the specification gives none:

- A string has at most ${count(LONGEST_TEXT)} characters, in a path or a query ${count(LONGEST_PARAMETER)}.
- A list has at most ${count(MAX_ITEMS)} items.
- Free key-value data have at most ${count(MAX_FIELDS)} names, and ${count(LARGEST_VALUE)} characters as JSON (\`x-max-size\`).
- An e-mail address has at most 254 characters, and may have letters of any alphabet, but no invisible characters.
  Composed and decomposed letters are the same.
- A URL has at most 2,048 characters, and no user or password.
- A date or a date-time has at most 64 characters.
- An integer is exact as a JavaScript number: from ${count(Number.MIN_SAFE_INTEGER)} to ${count(Number.MAX_SAFE_INTEGER)}.

The statuses 405, 413, 415 and 503 are assumed everywhere: a path without the method, a body that is too large, a content
type that is not supported, and a server that is stopping or cannot save.

Each cell has the numbers of documented, assumed and observed parts. A labelled part counts once with everything below it. The
page of an interface lists its assumptions.`
