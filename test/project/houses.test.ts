/** The directions of imports between the simulator and its packages. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/root.ts'

/** What a package may import of the simulator: to start a server in its process, to run its commands, and its formats. */
const PUBLIC_ENTRIES = ['src/index.ts', 'src/main.ts', 'src/published.ts']

/** What each package may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  client: ['kit'],
  dashboard: ['kit', 'client'],
  verify: ['kit', 'client'],
  mutate: ['kit', 'client', 'verify'],
  cli: ['kit', 'client', 'verify', 'mutate'],
  library: ['kit', 'client', 'verify', 'cli'],
}

const PACKAGES = readdirSync(join(ROOT, 'packages'))

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))

/** The imports of a file; those of this repository as paths, and the packages by their folder. */
const importsOf = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.')
        ? join(dirname(file), fileName)
        : fileName.replace(/^@suite-sim\/(\w+)\//, 'packages/$1/src/'),
    )

const houseOf = (path: string): string => /^(?:packages\/\w+|\w+)(?=\/)/.exec(path)?.[0] ?? path

const isAllowed = (from: string, path: string): boolean => {
  const name = /^packages\/(\w+)\/src\//.exec(path)?.[1]
  if (name === undefined) return !path.includes('/') || PUBLIC_ENTRIES.includes(path) || !isInside(path)
  return from === 'src' ? name === 'kit' : (MAY_IMPORT[from.slice('packages/'.length)] ?? []).includes(name)
}

/** Whether a path is one of this repository, and not the name of a package of others. */
const isInside = (path: string): boolean => /^(?:src|test|packages|scripts|bench)\//.test(path)

const foreignImports = (folder: string): [file: string, imported: string][] =>
  sourcesIn(folder).flatMap((file) =>
    importsOf(file)
      .filter((imported) => houseOf(imported) !== houseOf(file))
      .map((imported): [string, string] => [file, imported]),
  )

describe('a house', () => {
  test.each(['src', ...PACKAGES.map((name) => `packages/${name}`)])(
    '%s imports only what it may',
    (house) => {
      const folder = house === 'src' ? 'src' : `${house}/src`
      expect(house === 'src' || Object.hasOwn(MAY_IMPORT, house.slice('packages/'.length)), house).toBe(true)
      expect(foreignImports(folder).filter(([, imported]) => !isAllowed(house, imported))).toEqual([])
    },
  )

  test('is found out if it imports more', () => {
    expect(isAllowed('src', 'packages/kit/src/random.ts')).toBe(true)
    expect(isAllowed('src', 'packages/client/src/client.ts')).toBe(false)
    expect(isAllowed('packages/cli', 'src/index.ts')).toBe(true)
    expect(isAllowed('packages/cli', 'src/app.ts')).toBe(false)
    expect(isAllowed('packages/client', 'packages/cli/src/main.ts')).toBe(false)
    expect(isAllowed('packages/verify', 'test/support/app.ts')).toBe(false)
    expect(foreignImports('packages/cli/src').map(([, imported]) => imported)).toEqual(
      expect.arrayContaining(['src/main.ts', 'packages/client/src/errors', 'commander']),
    )
  })

  test.each(PACKAGES)('packages/%s says what it is for and how it is tested', (name) => {
    const readme = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8')
    expect(readme).toContain(`npm test -w packages/${name}`)
    expect(readdirSync(join(ROOT, 'packages', name, 'test'), { recursive: true }).join()).toContain(
      '.test.ts',
    )
  })
})
