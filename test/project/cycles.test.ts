/** No file knows itself by way of others, types included: what a part needs of the whole it says in an interface. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

const SRC = join(ROOT, 'src')

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** What each file imports out of src, types included; both as paths relative to src. */
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, file), 'utf8'), true, true)
  return importedFiles
    .map((imported) => imported.fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)))
}

/** All that a file imports, and what that imports, and so on. */
function reachedFrom(file: string): Set<string> {
  const reached = new Set(imports.get(file))
  // A set goes on to what is added to it meanwhile.
  for (const other of reached) for (const imported of imports.get(other) ?? []) reached.add(imported)
  return reached
}

/** The parts that are held to it. */
const HELD = ['state/']

test('no file imports itself by way of others', () => {
  const held = files.filter((file) => HELD.some((part) => file.startsWith(part)))
  expect(held.length).toBeGreaterThan(0)
  expect(held.filter((file) => reachedFrom(file).has(file))).toEqual([])
})

test('imports of types are found as well', () => {
  expect(imports.get('state/jobs.ts')).toContain('state/workspace.ts')
})
