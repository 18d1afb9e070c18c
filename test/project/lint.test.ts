/** The rules of the house that the linter keeps do fire. */
import { join } from 'node:path'
import { ESLint } from 'eslint'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

const eslint = new ESLint({ cwd: ROOT })

/** The rules that the text breaks as if it stood in `file`, which exists, for types are looked up there. */
async function broken(text: string, file: string): Promise<(string | null)[]> {
  const results = await eslint.lintText(text, { filePath: join(ROOT, file) })
  return results.flatMap((result) => result.messages.map((message) => message.ruleId))
}

// The types of the whole project are read with the first text.
beforeAll(async () => {
  await broken('', 'src/state/refusal.ts')
})

const AMBIENT: [text: string, rule: string][] = [
  ['export const at = Date.now()\n', 'no-restricted-properties'],
  ['export const at = performance.now()\n', 'no-restricted-properties'],
  ['export const at = process.hrtime()\n', 'no-restricted-properties'],
  ['export const at = new Date()\n', 'no-restricted-syntax'],
  ['export const at = Date()\n', 'no-restricted-syntax'],
  ["export const at = Date.parse('2026-01-31')\n", 'no-restricted-properties'],
  ['export const chance = Math.random()\n', 'no-restricted-properties'],
  ['export const id = crypto.randomUUID()\n', 'no-restricted-properties'],
  ["export { randomBytes } from 'node:crypto'\n", 'no-restricted-imports'],
  ["export { randomUUID } from 'node:crypto'\n", 'no-restricted-imports'],
  ["export { randomInt } from 'crypto'\n", 'no-restricted-imports'],
  ["export { nanoid } from 'nanoid'\n", 'no-restricted-imports'],
]

test.each(AMBIENT)('%s is refused in src', async (text, rule) => {
  expect(await broken(text, 'src/state/refusal.ts')).toEqual([rule])
})

test('clock.ts and ids.ts alone may ask for the time and for chance', async () => {
  for (const [text] of AMBIENT) {
    expect(await broken(text, 'src/state/clock.ts')).toEqual([])
    expect(await broken(text, 'src/state/ids.ts')).toEqual([])
  }
})

test('a time that is given is no ambient time', async () => {
  expect(await broken('export const at = new Date(0)\n', 'src/state/refusal.ts')).toEqual([])
})

test('the rules that need types are on', async () => {
  expect(await broken('export const any = JSON.parse("1").x\n', 'src/state/refusal.ts')).toContain(
    '@typescript-eslint/no-unsafe-member-access',
  )
})

const AROUND_THE_DECLARATION: [text: string, rule: string][] = [
  [
    "import type { Database } from '../database.ts'\nexport const to = (database: Database) => database.orm\n",
    'no-restricted-syntax',
  ],
  [
    "import type { Database } from '../database.ts'\nexport const to = ({ sqlite }: Database) => sqlite\n",
    'no-restricted-syntax',
  ],
  [
    "import type { Database } from '../database.ts'\nexport const next = (of: Database) => of.nextRevision()\n",
    'no-restricted-syntax',
  ],
  [
    "import type { Workspace } from '../workspace.ts'\nexport const soon = (of: Workspace) => {\n  of.expectJob(0)\n}\n",
    'no-restricted-syntax',
  ],
  ...['insert', 'update', 'delete', 'run', 'transaction'].map((name): [string, string] => [
    `export const change = (orm: { ${name}: () => void }) => {\n  orm.${name}()\n}\n`,
    'no-restricted-syntax',
  ]),
  ["export { statement } from '../database.ts'\n", 'no-restricted-imports'],
  ["export { NEXT_REVISION } from '../database.ts'\n", 'no-restricted-imports'],
  ["export { writer } from '../prepared.ts'\n", 'no-restricted-imports'],
  ["export { cellReader } from '../reading.ts'\n", 'no-restricted-imports'],
  ["export { rows } from '../rows.ts'\n", 'no-restricted-imports'],
  ["export { indexer } from '../indexes.ts'\n", 'no-restricted-imports'],
]

test.each(AROUND_THE_DECLARATION)(
  'in the state of an interface %s goes around the declaration of a table',
  async (text, rule) => {
    expect(await broken(text, 'src/state/catalog/products.ts')).toEqual([rule])
  },
)

test('what the declarations are made of may do all of that', async () => {
  for (const [text] of AROUND_THE_DECLARATION) {
    const beside = text.replaceAll("'../", "'./")
    expect(await broken(beside, 'src/state/record.ts')).toEqual([])
  }
})

test.each(AMBIENT)('%s is refused in the state of an interface as well', async (text, rule) => {
  expect(await broken(text, 'src/state/catalog/products.ts')).toEqual([rule])
})
