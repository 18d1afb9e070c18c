/** The allowed directions of imports between the parts of the program. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

const SRC = join(ROOT, 'src')

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))

/** The imports of each file within src, including types; both as paths relative to src. */
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, file), 'utf8'), true, true)
  return importedFiles
    .map((imported) => imported.fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)))
    .filter((name) => !name.startsWith('..'))
}

/** The part that a file belongs to: "state", "interfaces/catalog", "interfaces/entry.ts", "app.ts". */
function partOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'interfaces' ? `interfaces/${second}` : first
}

/** The other parts that each part may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  state: [],
  http: ['state'],
  webhooks: ['state'],
  control: ['state', 'webhooks', 'http'],
  'version.ts': [],
  'app.ts': ['state', 'http', 'webhooks', 'control', 'interfaces/*', 'version.ts'],
  command: ['app.ts', 'state', 'webhooks', 'control', 'library', 'version.ts'],
  'main.ts': ['command', 'library', 'version.ts'],
  // Imported by users of the package and not by the server.
  library: [],
  // Runs in browsers and uses only the public calls of the server.
  dashboard: ['library'],
  'index.ts': ['app.ts', 'library'],
  'vitest.ts': ['index.ts'],
  'vitestSetup.ts': ['index.ts'],
}
/** The only reader of another interface's table; a second definition of the table would break the first. */
const SHARED_TABLES = new Map([['state/goods.ts', 'state/catalog/tables.ts']])

const AN_INTERFACE_MAY_IMPORT = ['http', 'state', 'webhooks', 'interfaces/entry.ts']

/** Folders whose `index.ts` is the only module that others may import. */
const NARROW_DOORS = ['state/sqlite', 'webhooks/sending']

const mayImport = (part: string): readonly string[] | undefined =>
  part.startsWith('interfaces/') ? AN_INTERFACE_MAY_IMPORT : MAY_IMPORT[part]

describe('imports', () => {
  test.each(files)('of %s go only to allowed parts', (file) => {
    const part = partOf(file)
    const allowed = mayImport(part)
    expect(allowed, `${part} is a part that no rule speaks of`).toBeDefined()
    const forbidden = (imports.get(file) ?? []).filter((imported) => {
      const other = partOf(imported)
      return other !== part && !allowed?.includes(other) && !allowed?.includes(other.replace(/\/.*/, '/*'))
    })
    expect(forbidden).toEqual([])
  })

  test('are all found', () => {
    expect(imports.get('app.ts')).toContain('state/database.ts')
    expect(imports.get('interfaces/catalog/products.ts')).toContain('state/catalog/products.ts')
  })

  test('of shared state modules avoid interfaces, and interface state avoids other interfaces', () => {
    const sections = new Set(files.map(sectionOf).filter((section) => section !== ''))
    const wrong = files
      .filter((file) => file.startsWith('state/'))
      .flatMap((file) => (imports.get(file) ?? []).map((imported) => [file, imported] as const))
      .filter(
        ([file, imported]) => sections.has(sectionOf(imported)) && sectionOf(file) !== sectionOf(imported),
      )
      .filter(([file, imported]) => SHARED_TABLES.get(file) !== imported)
    expect(wrong).toEqual([])
  })

  test('of interface state include no wire error names and no page URLs', () => {
    const ofInterfaces = files.filter((file) => sectionOf(file) !== '')
    const saying = (words: RegExp): string[] =>
      ofInterfaces.filter((file) => words.test(readFileSync(join(SRC, file), 'utf8')))
    expect(saying(/refuseProperty\(/).length).toBeGreaterThan(5)
    expect(saying(/refuseField|refuseProperty\(\s*'\w*_|publicUrl/)).toEqual([])
  })

  test('of a folder with a public index go through the index', () => {
    const isDoor = (file: string): boolean => NARROW_DOORS.some((folder) => file === `${folder}/index.ts`)
    const inside = (file: string): string | undefined =>
      NARROW_DOORS.find((folder) => file.startsWith(`${folder}/`))
    const wrong = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((imported) => inside(imported) && inside(imported) !== inside(file) && !isDoor(imported))
        .map((imported) => [file, imported]),
    )
    expect(wrong).toEqual([])
    for (const folder of NARROW_DOORS) expect(files).toContain(`${folder}/index.ts`)
    expect(imports.get('state/database.ts')).toContain('state/sqlite/index.ts')
  })

  test('contain no cycles, not even of types', () => {
    expect(imports.get('state/jobs.ts')).toContain('state/workspace.ts')
    expect(circles(files)).toEqual([])
  })
})

/** The interface whose state the file contains; undefined for shared state modules. */
const sectionOf = (file: string): string => /^state\/(?!sqlite\/)([^/]+)\//.exec(file)?.[1] ?? ''

/** The import cycles that start at these files, as "a > b > a". */
function circles(from: readonly string[]): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' > '))
      return
    }
    if (done.has(file)) return
    for (const imported of imports.get(file) ?? []) visit(imported, [...path, file])
    done.add(file)
  }
  for (const file of from) visit(file, [])
  return found
}
