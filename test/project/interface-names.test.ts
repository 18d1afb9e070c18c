/** The interfaces are listed once, in packages/kit/src/interfaceNames.ts, and nothing counts them by hand. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { PUBLISHED } from '../support/published.ts'
import { ROOT } from '../support/process.ts'
import { INTERFACES } from '../support/subject.ts'

const TEXT = /\.(ts|tsx|mjs|js|sh|md|json|yaml)$|^(Dockerfile|run)$/

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => TEXT.test(name) && !name.includes('migrations/'))

const atTop = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isFile() && TEXT.test(entry.name) && entry.name !== 'package-lock.json')
  .map(({ name }) => name)

const PROGRAMS = [...['src', 'scripts', 'bench', 'examples'].flatMap(filesIn), ...atTop]
const TESTS = filesIn('test')
const PROSE = [...filesIn('docs'), ...atTop.filter((name) => name !== 'CHANGELOG.md')]

/** The list itself, the maps whose types require every name, and the types generated from the published documents. */
const LISTS = [
  'packages/kit/src/interfaceNames.ts',
  'src/app.ts',
  'packages/client/src/generated/control.ts',
  'packages/verify/src/differential/loaders/index.ts',
]

const names = INTERFACE_NAMES.join('|')
/** A name as a string or as an object key. */
const NAME = new RegExp(`['"](${names})['"]|^\\s*(${names})[:,]`, 'g')

/** The maximum number of lines of a list of names. */
const WINDOW = INTERFACE_NAMES.length

/** Returns the line of the first list that contains this many interfaces; null if there is none. */
function listIn(text: string, count: number): number | null {
  const named = text.split('\n').map((line) => [...line.matchAll(NAME)].map(([, word, key]) => word ?? key))
  const at = named.findIndex((_, line) => new Set(named.slice(line, line + WINDOW).flat()).size >= count)
  return at < 0 ? null : at + 1
}

const listsOf = (files: readonly string[], count: number): string[] =>
  files
    .filter((file) => !LISTS.includes(file))
    .flatMap((file) => {
      const line = listIn(readFileSync(join(ROOT, file), 'utf8'), count)
      return line === null ? [] : [`${file}:${String(line)}`]
    })

const HOW =
  'derive it from INTERFACE_NAMES of packages/kit/src/interfaceNames.ts, or from INTERFACES of src/app.ts'

test('has each interface under its own name', () => {
  expect(INTERFACES.map(({ name }) => name)).toEqual(INTERFACE_NAMES)
})

test('contains no second list of interfaces', () => {
  expect(listsOf(PROGRAMS, 3), HOW).toEqual([])
  // A test may name some of them.
  expect(listsOf(TESTS, INTERFACE_NAMES.length / 2), HOW).toEqual([])
})

test.each([
  ['an array', "const all = ['crm', 'pos', 'tax-invoicing']"],
  ['an array of several lines', "[\n  'crm',\n  'pos',\n  'tax-invoicing',\n]"],
  ['a union', "type Name =\n  | 'crm'\n  | 'pos'\n  | 'tax-invoicing'"],
  ['an object', "{\n  crm: 1,\n  pos: 2,\n  'tax-invoicing': 3,\n}"],
  ['a table', "[\n  ['crm', 200],\n  ['pos', 200],\n  ['tax-invoicing', 404],\n]"],
])('detects %s as a list', (_what, text) => {
  expect(listIn(text, 3)).toBe(1)
  expect(listIn(text, 4)).toBeNull()
})

test('detects the original list', () => {
  for (const file of LISTS) {
    expect(listIn(readFileSync(join(ROOT, file), 'utf8'), INTERFACE_NAMES.length / 2), file).not.toBeNull()
  }
})

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'

/** Matches a number, in digits or words, followed by "interfaces" or "operations". */
const countsOf = (count: number, what: string): RegExp => {
  const word = WORDS.split(' ')[count]
  const number = word === undefined ? String(count) : `${String(count)}|${word}`
  return new RegExp(`(?<![\\d,.])(${number})\\s+([\\w/-]+\\s+)?${what}`, 'gi')
}

test('contains no text with a number of interfaces or operations', () => {
  const operations = PUBLISHED.flatMap(({ routes }) => routes).length
  const patterns = [
    countsOf(INTERFACE_NAMES.length, 'interfaces'),
    countsOf(operations, '(operations|routes)'),
  ]
  const counting = [...PROGRAMS, ...TESTS, ...PROSE].flatMap((file) =>
    patterns.flatMap((pattern) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([words]) => `${file}: ${words}`),
    ),
  )
  expect(counting, 'leave the number out, or read it at run time').toEqual([])
})
