/**
 * The table of docs/decisions/0026-dependencies.md: each direct dependency with its purpose, place of use and
 * license.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../support/process.ts'

interface Description {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The packages of this repository, by their names. */
const packages = new Map(
  // Commands write tests for users, which import the runner that the library has fixtures for.
  ['library', ...readdirSync(join(ROOT, 'packages')).filter((name) => name !== 'library')].map((name) => [
    name,
    JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as Description,
  ]),
)

const ofPackages = [...packages.values()].flatMap(({ dependencies = {} }) => Object.entries(dependencies))

const ofRoot: Readonly<Record<string, string>> = {
  ...packageJson.dependencies,
  ...packageJson.devDependencies,
}

const isOwn = (name: string): boolean => name.startsWith('@suite-sim/')

const names = [...new Set([...Object.keys(ofRoot), ...ofPackages.map(([name]) => name)])]
  .filter((name) => !isOwn(name))
  .sort()

const rows = readFileSync(join(ROOT, 'docs/decisions/0026-dependencies.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, name = '', reason = '', usedIn = '', license = ''] = line.split('|').map((cell) => cell.trim())
    return { name: name.replaceAll('`', ''), reason, usedIn, license }
  })

const textsBelow = (folder: string): string =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs|js|json)$/.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
    .join('\n')

/** The sources by place of use, in order of precedence. */
const PLACES: readonly [usedIn: string, text: string][] = [
  ['src', textsBelow('src')],
  ...[...packages.keys()].map((name): [string, string] => [name, textsBelow(`packages/${name}/src`)]),
  [
    'build',
    [
      textsBelow('scripts'),
      ...readdirSync(ROOT)
        .filter((name) => /^(?:\.ox|vitest|drizzle).*\.(?:jsonc|ts)$/.test(name))
        .map((name) => readFileSync(join(ROOT, name), 'utf8')),
      JSON.stringify(Object.values(packageJson.scripts)),
    ].join('\n'),
  ],
  [
    'test',
    ['test', 'bench', 'examples', ...[...packages.keys()].map((name) => `packages/${name}/test`)]
      .map(textsBelow)
      .join('\n'),
  ],
]

/** Programs of the users, and this program in the code that is written for them. */
const PROVIDED = ['vitest', '@playwright/test', 'suite-simulator', 'crypto']

/** The package that the types belong to: "@rails/actioncable" for "@types/rails__actioncable". */
const typed = (name: string): string => name.slice('@types/'.length).replace(/^(.*)__/, '@$1/')

/** The place that imports or names the package; null if it is unused. */
function usedIn(name: string): string | null {
  if (name === '@types/node') return 'build'
  if (name.startsWith('@types/')) return names.includes(typed(name)) ? 'build' : null
  const named = new RegExp(`['"\`/]${name.replaceAll('.', '\\.')}['"\`/]`)
  return PLACES.find(([, text]) => named.test(text))?.[0] ?? null
}

const licenseOf = (name: string): unknown =>
  (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { license: unknown })
    .license

test('has exactly one row for each direct dependency', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(names)
})

test('states the purpose, the place of use and the license in each row', () => {
  expect(rows.filter(({ reason }) => reason === '')).toEqual([])
  const documented = rows.map(({ name, usedIn: where, license }) => ({ name, where, license }))
  expect(documented).toEqual(names.map((name) => ({ name, where: usedIn(name), license: licenseOf(name) })))
})

describe('a package of this repository', () => {
  test.each([...packages])('%s lists what its sources import, in the versions of the others', (name, own) => {
    const imported = importedIn(`packages/${name}/src`).filter(
      (each) => !each.startsWith('node:') && !PROVIDED.includes(each) && each !== `@suite-sim/${name}`,
    )
    const { dependencies = {}, version } = own
    expect(Object.keys(dependencies).sort()).toEqual([...new Set(imported)].sort())
    expect(version).toBe(packageJson.version)
    for (const [each, wanted] of Object.entries(dependencies)) {
      const known = isOwn(each) ? [packageJson.version] : [ofRoot[each] ?? wanted, ...versionsOf(each)]
      expect([...new Set([...known, wanted])], each).toEqual([wanted])
    }
  })
})

const versionsOf = (name: string): string[] =>
  ofPackages.flatMap(([each, version]) => (each === name ? [version] : []))

/** The names of the packages that sources import. */
const importedIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|css)$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8')
      return name.endsWith('.css')
        ? [...text.matchAll(/@import '([^']+)'/g)].map(([, each = '']) => each)
        : ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
    })
    .filter((name) => !name.startsWith('.'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
