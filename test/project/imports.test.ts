/** The allowed directions of imports between the parts of the program. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { ROOT } from '../support/process.ts'

const SRC = join(ROOT, 'src')

/** A parser of one format, whose steps are files. */
const SHEETS = 'http/files/sheets'

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))

/** The imports of each file within src, including types; both as paths relative to src. */
const imports = new Map(files.map((file) => [file, importsOf(file, textOf(file))]))

/** The same without imports of types alone. */
const valueImports = new Map(
  files.map((file) => [
    file,
    importsOf(file, textOf(file).replace(/^(?:import|export) type [^']*'[^']*'/gm, '')),
  ]),
)

function textOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
}

function importsOf(file: string, text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true)
  return importedFiles
    .map((imported) => imported.fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)))
    .filter((name) => !name.startsWith('..'))
}

/** The part that a file belongs to: "state", "interfaces/catalog", "app.ts". */
function partOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'interfaces' ? `interfaces/${second}` : first
}

/** The other parts that each part may import. All may import the package kit. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  state: [],
  http: ['state'],
  webhooks: ['state'],
  // What was observed on the real service; verify writes it. The server knows only its extension.
  observed: ['state', 'http'],
  control: ['state', 'webhooks', 'http'],
  'assets.ts': [],
  // The pieces of app.ts. Only app.ts itself knows the interfaces.
  app: ['state', 'http', 'webhooks', 'control', 'assets.ts'],
  'app.ts': ['app', 'state', 'http', 'webhooks', 'observed/index.ts', 'control', 'interfaces/*', 'assets.ts'],
  // The commands that run, keep and describe a server.
  serve: ['index.ts', 'app.ts', 'assets.ts', 'state', 'http', 'control', 'init'],
  'main.ts': ['serve'],
  // The files that a new server runs, as calls.
  init: ['app.ts', 'state', 'http', 'control'],
  'index.ts': ['app.ts', 'app', 'webhooks', 'init'],
  // Formats and rules for tools. It loads no server.
  'published.ts': ['state', 'http', 'webhooks', 'observed', 'control'],
}
/** The only reader of another interface's table; a second definition of the table would break the first. */
const SHARED_TABLES = new Map([['state/shared/goods.ts', 'state/catalog/tables.ts']])

const AN_INTERFACE_MAY_IMPORT = ['http', 'state', 'webhooks', 'interfaces/offeredWebhooks.ts']

/** Folders whose `index.ts` is the only module that others may import. */
const NARROW_DOORS = ['state/storage/sqlite', 'webhooks/sending']

/**
 * The folders of each shared part, lowest first. A folder imports values only from lower ones. Types may come from
 * anywhere below the part, because all code takes a `Workspace`.
 */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  state: [
    'text',
    'model',
    'faults',
    'storage',
    'storage/sqlite',
    'storage/database',
    'storage/queries',
    'files',
    'timeline',
    'storage/records',
    'limits',
    'workspace',
    'shared',
  ],
  http: [
    'schemas',
    'shapes',
    'definition',
    'server/logging',
    'server',
    'lists',
    'uploads',
    'faults',
    'files',
    'files/heavyWork',
    'files/sheets',
    'files/tables',
    'webPages',
    'lifecycle',
    'openapi',
    'openapi/fidelity',
    'cable',
  ],
  webhooks: [
    'profiles',
    'targets',
    'deliveries',
    'subscriptions',
    'sending',
    'listeners',
    'backlogs',
    'dispatch',
    '',
  ],
  command: [
    'terminal',
    'remote',
    'remote/grade/comparing',
    'remote/grade',
    'mcp/shared',
    'mcp/operations',
    'mcp',
    'serve',
    'listen',
    'exam',
    'replay/format',
    'replay/code',
    'replay',
    '',
    'verify',
  ],
  control: [
    'shared',
    'access',
    'snapshots',
    'snapshots/builtIn',
    'workspaces',
    'records',
    'records/reach',
    'journal',
    'recordings',
    'webhooks',
    'faults',
    'server',
    '',
  ],
  'state/tax-invoicing': [
    '',
    'catalogs',
    'taxpayers',
    'documents',
    'xml',
    'masterData',
    'invoices',
    'invoices/receipts',
    'reports',
  ],
}

/** The files of a part of FLOORS; of `state` without those of interfaces. */
const filesOf = (part: string): readonly string[] =>
  files.filter((file) => file.startsWith(`${part}/`) && sectionOf(file) === sectionOf(`${part}/`))

/** Lists the tables of an interface, which are in all its folders. */
const isListOfTables = (file: string): boolean => sectionOf(file) !== '' && file.endsWith('/records.ts')

const mayImport = (part: string): readonly string[] | undefined =>
  part.startsWith('interfaces/') ? AN_INTERFACE_MAY_IMPORT : MAY_IMPORT[part]

describe('imports', () => {
  test.each(files)('of %s go only to allowed parts', (file) => {
    const part = partOf(file)
    const allowed = mayImport(part)
    expect(allowed, `${part} is a part that no rule speaks of`).toBeDefined()
    const forbidden = (imports.get(file) ?? []).filter((imported) => {
      const other = partOf(imported)
      const names = [other, other.replace(/\/.*/, '/*'), imported]
      return other !== part && !names.some((name) => allowed?.includes(name))
    })
    expect(forbidden).toEqual([])
  })

  test('are all found', () => {
    expect(imports.get('app.ts')).toContain('state/workspace/registry.ts')
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
    expect(imports.get('state/storage/database/database.ts')).toContain('state/storage/sqlite/index.ts')
  })

  test.each(Object.entries(FLOORS))(
    'of values in %s go from higher folders to lower ones',
    (part, floors) => {
      const shared = filesOf(part).filter((file) => !isListOfTables(file))
      const floorOf = (file: string): number => floors.indexOf(dirname(file).slice(part.length + 1))
      expect(shared.filter((file) => floorOf(file) === -1)).toEqual([])
      const upward = shared.flatMap((file) =>
        (valueImports.get(file) ?? [])
          .filter((imported) => shared.includes(imported) && floorOf(imported) > floorOf(file))
          .map((imported) => [file, imported]),
      )
      expect(upward).toEqual([])
    },
  )

  test.each(Object.keys(FLOORS))('leave each folder of %s with a dozen entries at most', (part) => {
    const folders = new Map<string, Set<string>>()
    for (const file of filesOf(part)) {
      const names = file.split('/')
      names.slice(1).forEach((name, index) => {
        const folder = names.slice(0, index + 1).join('/')
        folders.set(folder, (folders.get(folder) ?? new Set()).add(name))
      })
    }
    const crowded = [...folders].filter(([folder, { size }]) => size > 12 && folder !== SHEETS)
    expect(crowded.map(([folder, { size }]) => `${folder}: ${String(size)}`)).toEqual([])
  })

  test('contain no cycles, not even of types', () => {
    expect(imports.get('state/workspace/jobs.ts')).toContain('state/workspace/workspace.ts')
    expect(circles(files)).toEqual([])
  })
})

/** The interface whose state the file contains; empty for shared modules. */
function sectionOf(file: string): string {
  const [part, folder = ''] = file.split('/')
  return part === 'state' && INTERFACE_NAMES.includes(folder as InterfaceName) ? folder : ''
}

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
