/** The length of source files. */
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
