/** The length of source files and of what drizzle-kit keeps beside the migrations. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

const MAX_LINES = 450

/** Longer files, and why they are not split. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/state/pos/samples.ts': 'a table: one sample for each event of the specification',
  'src/state/tax-invoicing/catalogs/satCatalogs.ts': 'a table: the codes of the tax authority',
}

const sources = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`)

const handWritten = ['src', ...sources, 'scripts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.(ts|tsx|mjs|cjs)$/.test(name) && !name.startsWith('packages/client/src/generated/')),
)

const linesOf = (file: string): number => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1

test('has at most 450 lines in each file that is written by hand', () => {
  expect(handWritten.length).toBeGreaterThan(500)
  const long = handWritten.filter((file) => linesOf(file) > MAX_LINES)
  expect(long.sort()).toEqual(Object.keys(EXCEPTIONS).sort())
})

test('composes the app in at most 200 lines', () => {
  expect(linesOf('src/app.ts')).toBeLessThanOrEqual(200)
})

test('keeps one snapshot of the tables, that of the newest migration', () => {
  const meta = 'src/state/storage/migrations/meta'
  const journal = readFileSync(join(ROOT, meta, '_journal.json'), 'utf8')
  const { entries } = JSON.parse(journal) as { entries: readonly { readonly tag: string }[] }
  const newest = entries.at(-1)?.tag.slice(0, 4)
  const files = readdirSync(join(ROOT, meta))
  expect(files.sort(), 'run npm run generate').toEqual([`${String(newest)}_snapshot.json`, '_journal.json'])
  const lines = files.map((file) => linesOf(join(meta, file)))
  expect(lines.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(12_000)
})
