/** Which test files the two runs have (vitest.config.ts). `.ci/run` runs both, see ci.test.ts. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import configuration from '../../vitest.config.ts'
import { ROOT } from '../support/root.ts'

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

const PACKAGES = readdirSync(join(ROOT, 'packages'))

const sources = [
  ...['test', ...PACKAGES.map((name) => `packages/${name}/test`)].flatMap(filesBelow),
  ...readdirSync(join(ROOT, 'conformance')).map((name) => join('conformance', name)),
].filter((file) => file.endsWith('.ts'))
const tests = sources.filter((file) => file.endsWith('.test.ts'))

/** The forms that vitest.config.ts uses: `**` for folders, `*` for a part of a name, and alternatives in braces. */
function expressionOf(glob: string): RegExp {
  expect(glob).toMatch(/^[\w./*{},-]+$/)
  const parts = { '**/': '(?:[^/]+/)*', '*': '[^/]*', '{': '(?:', '}': ')', ',': '|', '.': '\\.' }
  return new RegExp(`^${glob.replaceAll(/\*\*\/|[*{},.]/g, (part) => parts[part as keyof typeof parts])}$`)
}

interface Project {
  readonly test: {
    readonly name: string
    readonly include: readonly string[]
    readonly exclude?: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
}

const projectsOf = (mode: string): readonly Project['test'][] =>
  (
    configuration({ mode, command: 'serve' }) as { readonly test: { readonly projects: readonly Project[] } }
  ).test.projects.map((project) => project.test)

/** The files of each project. */
const filesOf = (projects: readonly Project['test'][]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    projects.map(({ name, include, exclude = [] }) => {
      const [included, excluded] = [include.map(expressionOf), exclude.map(expressionOf)]
      const has = (file: string): boolean =>
        included.some((each) => each.test(file)) && !excluded.some((each) => each.test(file))
      return [name, tests.filter(has)]
    }),
  )

const fullProjects = projectsOf('full')
const byDefault = filesOf(projectsOf('test'))
const full = filesOf(fullProjects)

/** What `npm test` runs (scripts/test.mjs). */
const QUICK: readonly string[] =
  /const QUICK = \[(.*)\]/.exec(textOf('scripts/test.mjs'))?.[1]?.match(/\w+/g) ?? []

describe('every test file', () => {
  test('belongs to one project by default, so that a run without a mode runs it once', () => {
    const projectsOfFile = (file: string): string[] =>
      [...byDefault].filter(([, files]) => files.includes(file)).map(([name]) => name)
    expect(tests.length).toBeGreaterThan(400)
    expect(
      tests.map((file) => [file, projectsOfFile(file)] as const).filter(([, names]) => names.length !== 1),
    ).toEqual([])
  })

  test('is run by npm test or by npm run test:full', () => {
    expect(QUICK.length).toBeGreaterThan(1)
    const run = new Set([...QUICK.flatMap((name) => byDefault.get(name) ?? []), ...[...full.values()].flat()])
    expect(tests.filter((file) => !run.has(file))).toEqual([])
  })
})

describe('the full run', () => {
  test('has the files of all tools', () => {
    const tools = [...byDefault.keys()].filter((name) => !QUICK.includes(name))
    expect(tools).toEqual(
      expect.arrayContaining([
        ...PACKAGES.filter((name) => name !== 'kit'),
        'clients',
        'conformance',
        'package',
        'attacks',
      ]),
    )
    for (const name of tools) expect(full.get(name), name).toEqual(byDefault.get(name))
  })

  test('has each file that chooses its cases by the extent', () => {
    const files = reaching('test/support/extent.ts')
    const choosing = tests.filter((file) => files.has(file))
    expect(choosing).toContain('test/laws/snapshot-bounds.test.ts')
    const run = new Set([...full].filter(([name]) => isFull(name)).flatMap(([, files]) => files))
    expect(choosing.filter((file) => !run.has(file))).toEqual([])
  })

  /** The variables of a project of the full run. */
  const variablesOf = (wanted: string): Readonly<Record<string, string>> =>
    fullProjects.find(({ name }) => name === wanted)?.env ?? {}

  /** Whether a project of the full run has all cases and tests the sources. */
  const isFull = (name: string): boolean => {
    const { TEST_EXTENT, TESTED } = variablesOf(name)
    return TEST_EXTENT === 'full' && TESTED === undefined
  }

  test('has contract and invariants against the build', () => {
    expect(variablesOf('dist')).toMatchObject({ TESTED: 'dist' })
    const ofSimulator = byDefault.get('simulator') ?? []
    const laws = ofSimulator.filter((file) => /^test\/(?:contract|laws)\//.test(file))
    expect(laws.length).toBeGreaterThan(20)
    expect(full.get('dist')).toEqual(expect.arrayContaining(laws))
  })
})

/** The imports of each file of test/. */
const imports = new Map(
  sources.map((file) => [
    file,
    [...textOf(file).matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) => join(dirname(file), name)),
  ]),
)

/** The files that import one, also by way of others. Of those that need a browser, only the tests of pages choose. */
function reaching(wanted: string): ReadonlySet<string> {
  const found = new Set([wanted])
  const isNew = ([file, names]: [string, string[]]): boolean =>
    !found.has(file) && file !== 'test/support/browser.ts' && names.some((name) => found.has(name))
  for (let added = [wanted]; added.length > 0;) {
    added = [...imports].filter(isNew).map(([file]) => file)
    for (const file of added) found.add(file)
  }
  return found
}

test('commands in comments and documents name projects that have the files', () => {
  const COMMAND =
    /npx vitest (?:run|--watch)(?: --mode (\w+))? --project[ =](\w+) ((?:packages\/\w+\/)?test\/[\w./-]*\w)/g
  const documents = ['docs', 'clients', 'scripts']
    .flatMap(filesBelow)
    .filter((file) => /\.(?:md|mjs)$/.test(file))
  const commands = [...sources, ...documents, 'CONTRIBUTING.md', 'README.md'].flatMap((file) =>
    [...textOf(file).matchAll(COMMAND)].map((match) => [file, ...match] as const),
  )
  expect(commands.length).toBeGreaterThan(3)
  const wrong = commands.filter(([, , mode, project = '', path = '']) => {
    const files = (mode === 'full' ? full : byDefault).get(project) ?? []
    return !files.some((file) => file.startsWith(path))
  })
  expect(wrong.map(([file, command = '']) => `${file}: ${command}`)).toEqual([])
})
