/** The directions in which the parts of the program may know each other. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
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
  command: ['app.ts', 'state', 'webhooks', 'control', 'version.ts'],
  'main.ts': ['command', 'version.ts'],
  'index.ts': ['app.ts'],
}
const AN_INTERFACE_MAY_IMPORT = ['http', 'state', 'webhooks', 'interfaces/entry.ts']

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
    expect(imports.get('interfaces/catalog/products.ts')).toContain('state/catalog/actions.ts')
  })

  test('in state, what all interfaces share knows none of them, and none knows another', () => {
    const sections = new Set(files.filter((file) => /^state\/[^/]+\//.test(file)).map(sectionOf))
    const wrong = files
      .filter((file) => file.startsWith('state/'))
      .flatMap((file) => (imports.get(file) ?? []).map((imported) => [file, imported] as const))
      .filter(
        ([file, imported]) => sections.has(sectionOf(imported)) && sectionOf(file) !== sectionOf(imported),
      )
    expect(wrong).toEqual([])
  })

  test('no file imports itself by way of others, types aside', () => {
    expect(cycles()).toEqual([])
  })
})

const sectionOf = (file: string): string => /^state\/([^/]+)\//.exec(file)?.[1] ?? ''

/** Each circle of imports that remain when types are gone, as "a > b > a". */
function cycles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' > '))
      return
    }
    if (done.has(file)) return
    for (const imported of runtimeImportsOf(file)) visit(imported, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found
}

function runtimeImportsOf(file: string): string[] {
  const { outputText } = ts.transpileModule(readFileSync(join(SRC, file), 'utf8'), {
    compilerOptions: {
      verbatimModuleSyntax: true,
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
    },
  })
  return ts
    .preProcessFile(outputText, true, true)
    .importedFiles.map((imported) => imported.fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, join(SRC, dirname(file), name)))
    .filter((name) => imports.has(name))
}
