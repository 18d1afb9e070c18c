/** How often a field is declared: in its table, in its shape, and where a rule names it. Decision 27. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

/** Fields of records with shapes, by their names on the wire. No other record of the interface has a field with that name. */
const SAMPLES = [
  'payments reference',
  'recruiting openings',
  'signage shuffle',
  'catalog sku',
  'catalog meeting_url',
  'forms is_public',
  'integration-payments expires_at',
  'meetings started_at',
  'conversations greeting_message',
  'crm company',
]

const property = (name: string): string =>
  name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())

/** Returns where the program declares the field: as a property of an object or a type, or as a text. */
function declarationsOf(folder: string, field: string): string[] {
  const names = new Set([field, property(field)])
  const files = ['state', 'interfaces'].flatMap((part) =>
    readdirSync(join(ROOT, 'src', part, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join('src', part, folder, name)),
  )
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    if (![...names].some((name) => text.includes(name))) return []
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      if (declares(node, names)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        found.push(`${file}:${String(line + 1)}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

/** Whether a node is a property with one of these names, or one of these texts. Reading a property declares nothing. */
function declares(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isStringLiteral(node)) return names.has(node.text) && !ts.isPropertyAssignment(node.parent)
  const isProperty =
    ts.isPropertyAssignment(node) || ts.isPropertySignature(node) || ts.isShorthandPropertyAssignment(node)
  return isProperty && names.has(node.name.getText().replaceAll("'", ''))
}

test.each(SAMPLES)('%s is declared in at most four places', (sample) => {
  const [folder = '', field = ''] = sample.split(' ')
  const places = declarationsOf(folder, field)
  expect(places.length).toBeGreaterThan(0)
  expect(places.length, places.join('\n')).toBeLessThanOrEqual(4)
})
