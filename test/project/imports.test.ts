/** The directions in which the parts of the program may know each other. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

const SRC = join(ROOT, 'src')

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))

/** What each file imports out of src, types included; both as paths relative to src. */
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

/** Which other parts each part may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  state: [],
  http: ['state'],
  webhooks: ['state'],
  control: ['state', 'webhooks', 'http'],
  'version.ts': [],
  'app.ts': ['state', 'http', 'webhooks', 'control', 'interfaces/*', 'version.ts'],
  command: ['app.ts', 'state', 'webhooks', 'control', 'library', 'version.ts'],
  'main.ts': ['command', 'library', 'version.ts'],
  // What users of the package import; nothing of the server knows it.
  library: [],
  // Runs in browsers, and speaks to the server by its public calls alone.
  dashboard: ['library'],
  'index.ts': ['app.ts', 'library'],
  'vitest.ts': ['index.ts'],
  'vitestSetup.ts': ['index.ts'],
}
/** The one reader of another interface's table; a second definition of the table would break the first. */
const SHARED_TABLES = new Map([['state/goods.ts', 'state/catalog/tables.ts']])

const AN_INTERFACE_MAY_IMPORT = ['http', 'state', 'webhooks', 'interfaces/entry.ts']

/** Folders of what is complicated; their `index.ts` says what it is for, and is all that others may know. */
const NARROW_DOORS = ['state/sqlite', 'webhooks/sending']

const mayImport = (part: string): readonly string[] | undefined =>
  part.startsWith('interfaces/') ? AN_INTERFACE_MAY_IMPORT : MAY_IMPORT[part]

describe('imports point one way', () => {
  test.each(files)('%s', (file) => {
    const part = partOf(file)
    const allowed = mayImport(part)
    expect(allowed, `${part} is a part that no rule speaks of`).toBeDefined()
    const forbidden = (imports.get(file) ?? []).filter((imported) => {
      const other = partOf(imported)
      return other !== part && !allowed?.includes(other) && !allowed?.includes(other.replace(/\/.*/, '/*'))
    })
    expect(forbidden).toEqual([])
  })

  test('every import that the rules judge was found', () => {
    expect(imports.get('app.ts')).toContain('state/database.ts')
    expect(imports.get('interfaces/catalog/products.ts')).toContain('state/catalog/products.ts')
  })

  test('in state, what all interfaces share knows none of them, and none knows another', () => {
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

  test('the state of an interface knows no names of a wire by which to refuse, and no addresses of pages', () => {
    const ofInterfaces = files.filter((file) => sectionOf(file) !== '')
    const saying = (words: RegExp): string[] =>
      ofInterfaces.filter((file) => words.test(readFileSync(join(SRC, file), 'utf8')))
    expect(saying(/refuseProperty\(/).length).toBeGreaterThan(5)
    expect(saying(/refuseField|refuseProperty\(\s*'\w*_|publicUrl/)).toEqual([])
  })

  test('what a narrow door leads to is imported through the door alone', () => {
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

  test('no file imports itself by way of others, be it for types', () => {
    expect(imports.get('state/jobs.ts')).toContain('state/workspace.ts')
    expect(circles(files)).toEqual([])
  })
})

/** The interface whose state the file holds; none has what stands below the state of all. */
const sectionOf = (file: string): string => /^state\/(?!sqlite\/)([^/]+)\//.exec(file)?.[1] ?? ''

/** Each circle of imports that begins at some of the files, as "a > b > a". */
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
