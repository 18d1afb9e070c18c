/** What a failed `toHaveChanged` prints. */
import { isMatcher, literalText, nameText } from '@suite-sim/client/printing'
import { isTelling, stableValue } from '@suite-sim/client/telling'
import { any } from './any.ts'
import { CHANGES, type Changed, type Comparison, type Miscounted, type Missing } from './expectedChanges.ts'

/** The maximum number of records of a part of the message, and of characters of a value. */
const MAX_RECORDS = 25
const MAX_VALUE = 200
/** The maximum number of causes of a record; the newest ones. */
const MAX_CAUSES = 3
const LINE = 100

const SIGNS = { added: '+', changed: '~', removed: '-' } as const

interface Failure {
  readonly comparison: Comparison
  readonly all: readonly Changed[]
  readonly since: string
  readonly misspelled: readonly string[]
}

/** Returns what is missing, different and unexpected, and then all actual changes. The test itself shows the expected ones. */
export function failureText({ comparison, all, since, misspelled }: Failure): string {
  const { missing, miscounted, unexpected } = comparison
  const different = missing.filter(({ nearest }) => nearest !== null)
  const absent = missing.filter(({ nearest }) => nearest === null)
  return [
    `The workspace has other changes since ${since} than expected${countsText({
      different: different.length,
      missing: absent.length,
      'wrong number': miscounted.length,
      unexpected: unexpected.length,
    })}.`,
    ...misspelled,
    ...part('Different', different, differentText),
    ...part('Missing', absent, missingText),
    ...part('Wrong number', miscounted, miscountedText),
    ...part('Unexpected', unexpected, changedText),
    '',
    'Actual changes:',
    ...indented(actualText(all)),
  ].join('\n')
}

/** Returns ": 1 different, 2 missing"; nothing without a count. */
function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 ? [] : [`${String(count)} ${name}`],
  )
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

/** Returns the changes that a test must not have. */
export const sameText = (head: string, all: readonly Changed[], since: string): string =>
  [`${head} since ${since}.`, '', 'Actual changes:', ...indented(actualText(all))].join('\n')

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `  ${line}`))

function part<Item>(title: string, items: readonly Item[], text: (item: Item) => string[]): string[] {
  if (items.length === 0) return []
  const more = items.length - MAX_RECORDS
  return [
    '',
    `${title}:`,
    ...indented(items.slice(0, MAX_RECORDS).flatMap(text)),
    ...(more > 0 ? [`  … and ${String(more)} more`] : []),
  ]
}

const headText = ({ section, id, change }: Pick<Changed, 'section' | 'id' | 'change'>): string =>
  `${SIGNS[change]} ${section} ${id} ${change}`

const causesText = ({ causes }: Changed): string[] =>
  causes.slice(-MAX_CAUSES).map(({ title, id }) => `by ${title} (${id})`)

function differentText({ nearest }: Missing): string[] {
  if (!nearest) return []
  const { record, differences } = nearest
  return [headText(record), ...indented([...differences, ...causesText(record)])]
}

const missingText = ({ section, change, expected }: Missing): string[] => {
  const [first = '', ...rest] = recordText(expected)
  return [`${SIGNS[change]} ${section} ${first}`, ...rest]
}

const miscountedText = ({ section, change, expected, records }: Miscounted): string[] => [
  `${section}: ${String(records.length)} ${change}, expected ${String(expected)}`,
  ...indented(
    records.slice(0, MAX_CAUSES).flatMap((each) => [headText(each), ...indented(causesText(each))]),
  ),
]

const changedText = (record: Changed): string[] => [
  headText(record),
  ...indented([
    ...record.fields
      .filter((field) => isTelling(record.change, field))
      .map(({ path, before, after }) =>
        record.change === 'changed'
          ? `${path}: ${valueText(before)} → ${valueText(after)}`
          : `${path}: ${valueText(record.change === 'added' ? after : before)}`,
      ),
    ...causesText(record),
  ]),
]

/** Returns the changes as `toHaveChanged` takes them, with their causes as comments. */
function actualText(all: readonly Changed[]): string[] {
  const names = [...new Set(all.map(({ section }) => section))]
  return sectionsText(
    names.map((section) => [
      section,
      CHANGES.flatMap((change) => {
        const records = all.filter((each) => each.section === section && each.change === change)
        return records.length === 0 ? [] : listText(change, records, literalOf)
      }),
    ]),
  )
}

function sectionsText(sections: readonly (readonly [string, readonly string[]])[]): string[] {
  if (sections.length === 0) return ['{}']
  return [
    '{',
    ...indented(sections.flatMap(([section, lines]) => [`'${section}': {`, ...indented(lines), '},'])),
    '}',
  ]
}

function listText<Item>(change: string, items: readonly Item[], text: (item: Item) => string[]): string[] {
  const more = items.length - MAX_RECORDS
  return [
    `${change}: [`,
    ...indented(items.slice(0, MAX_RECORDS).flatMap((item) => withComma(text(item)))),
    ...(more > 0 ? [`  // … and ${String(more)} more`] : []),
    '],',
  ]
}

const withComma = (lines: readonly string[]): string[] => [...lines.slice(0, -1), `${lines.at(-1) ?? ''},`]

function literalOf(record: Changed): string[] {
  const { id, change, fields } = record
  const entries = fields
    .filter((field) => isTelling(change, field))
    .map((field): [string, unknown] => [field.path, stableValue(change, field, any())])
  const literal = objectText([['id', change === 'added' ? any() : id], ...entries])
  return [...causesText(record).map((line) => `// ${line}`), ...literal]
}

const recordText = (expected: unknown): string[] =>
  typeof expected === 'object' && expected !== null && !isMatcher(expected)
    ? objectText(Object.entries(expected).filter(([, value]) => value !== undefined))
    : [valueText(expected)]

/** Returns an object on one line if it is short, otherwise with a line for each field. */
function objectText(entries: readonly (readonly [string, unknown])[]): string[] {
  const fields = entries.map(([name, value]) => `${nameText(name)}: ${valueText(value)}`)
  const line = `{ ${fields.join(', ')} }`
  return line.length <= LINE ? [line] : ['{', ...fields.map((field) => `  ${field},`), '}']
}

/** Returns a value as a literal; a matcher as it prints itself. */
function valueText(value: unknown): string {
  const text = literalText(value)
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}… (${String(text.length)} characters)`
}
