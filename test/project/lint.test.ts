/** The lint rules for the architecture report the intended violations. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

const PROPERTY = 'eslint(no-restricted-properties)'
const DATE = 'codebase(no-ambient-date)'
const SQL = 'codebase(no-ambient-sql)'
const IMPORT = 'eslint(no-restricted-imports)'
const DECLARATION = 'codebase(through-declarations)'

const AMBIENT: [text: string, rule: string][] = [
  ['export const at = Date.now()\n', PROPERTY],
  ['export const at = performance.now()\n', PROPERTY],
  ['export const at = process.hrtime()\n', PROPERTY],
  ['export const end = () => process.exit(1)\n', PROPERTY],
  ["export const say = () => process.stdout.write('said')\n", PROPERTY],
  ['export const at = new Date()\n', DATE],
  ['export const at = Date()\n', DATE],
  ["export const at = Date.parse('2026-01-31')\n", PROPERTY],
  ['export const chance = Math.random()\n', PROPERTY],
  ['export const id = crypto.randomUUID()\n', PROPERTY],
  ["export { randomBytes } from 'node:crypto'\n", IMPORT],
  ["export { randomUUID } from 'node:crypto'\n", IMPORT],
  ["export { randomInt } from 'crypto'\n", IMPORT],
  ["export { nanoid } from 'nanoid'\n", IMPORT],
  ...[
    'order by RANDOM ()',
    'hex(randomblob(16))',
    'select current_date',
    "date ( 'NOW', '-1 day')",
    "strftime('%s', 'now')",
    "time('subsec')",
    'unixepoch()',
  ].map((text): [string, string] => [`export const of = (id: string) => \`${text} \${id}\`\n`, SQL]),
]

const AROUND_THE_DECLARATION: string[] = [
  "import type { Database } from '../storage/database/database.ts'\nexport const to = (database: Database) => database.orm\n",
  "import type { Database } from '../storage/database/database.ts'\nexport const to = ({ sqlite }: Database) => sqlite\n",
  "import type { Database } from '../storage/database/database.ts'\nexport const next = (of: Database) => of.nextRevision()\n",
  "import type { Workspace } from '../workspace/workspace.ts'\nexport const soon = (of: Workspace) => {\n  of.expectJob(0)\n}\n",
  ...['insert', 'update', 'delete', 'run', 'transaction'].map(
    (name) => `export const change = (orm: { ${name}: () => void }) => {\n  orm.${name}()\n}\n`,
  ),
  "export { statement } from '../storage/database/database.ts'\n",
  "export { NEXT_REVISION } from '../storage/database/database.ts'\n",
  "export { writer } from '../storage/database/prepared.ts'\n",
  "export { cellReader } from '../storage/queries/readers.ts'\n",
  "export { rows } from '../storage/queries/rows.ts'\n",
  "export { indexer } from '../storage/queries/indexes.ts'\n",
  "export { dueTable } from '../storage/records/dueJobs.ts'\n",
  "export * from '../storage/database/prepared.ts'\n",
  "import { statement } from '../storage/database/database.ts'\nexport const made = statement\n",
  "import * as database from '../storage/database/database.ts'\nexport const made = database\n",
  "export * from '../storage/database/database.ts'\n",
]

/** A violation of each other rule that the codebase relies on. */
const OTHERS: [text: string, rule: string][] = [
  ["export const any = JSON.parse('1').x\n", 'typescript(no-unsafe-member-access)'],
  ['export const same = (one: string) => one == "a"\n', 'eslint(eqeqeq)'],
  ["console.log('here')\n", 'eslint(no-console)'],
  [
    "import { Refusal } from './refusal.ts'\nexport const of = (refusal: Refusal) => refusal\n",
    'typescript(consistent-type-imports)',
  ],
  [
    'const later = () => Promise.resolve(1)\nexport const now = () => {\n  later()\n}\n',
    'typescript(no-floating-promises)',
  ],
  [
    "export const of = (kind: 'a' | 'b') => {\n  switch (kind) {\n    case 'a':\n      return 1\n  }\n}\n",
    'typescript(switch-exhaustiveness-check)',
  ],
  ['export const words = /^(\\w+\\s?)*$/\n', 'regexp(no-super-linear-backtracking)'],
  ['export const end = /\\s+$/\n', 'regexp(no-super-linear-move)'],
]

/** Combines the texts in one file and numbers declarations with the same name. */
const together = (texts: readonly string[]): string =>
  texts
    .filter((text) => !text.startsWith('export *'))
    .map((text, index) =>
      text
        .replace(/export const (\w+)/, `export const $1${String(index)}`)
        .replace(/import (type )?\{ (\w+) \}/, `import $1{ $2 as $2${String(index)} }`)
        .replace(/import \* as database/, `import * as database${String(index)}`)
        .replace(/: (Database|Workspace)\)/, `: $1${String(index)})`)
        .replace(/= (statement|database)\n/, `= $1${String(index)}\n`),
    )
    .join('')

/** The linted files of the copy, by path. */
const FILES: Record<string, string> = {
  ...Object.fromEntries(AMBIENT.map(([text], index) => [`src/state/ambient${String(index)}.ts`, text])),
  ...Object.fromEntries(
    AMBIENT.map(([text], index) => [`src/state/catalog/ambient${String(index)}.ts`, text]),
  ),
  ...Object.fromEntries(
    AROUND_THE_DECLARATION.map((text, index) => [`src/state/catalog/around${String(index)}.ts`, text]),
  ),
  ...Object.fromEntries(OTHERS.map(([text], index) => [`src/state/other${String(index)}.ts`, text])),
  ...Object.fromEntries(
    AMBIENT.map(([text], index) => [`packages/cli/src/ambient${String(index)}.ts`, text]),
  ),
  'packages/kit/src/time/machineClock.ts': together(AMBIENT.map(([text]) => text)),
  'packages/kit/src/random.ts': together(AMBIENT.map(([text]) => text)),
  'src/state/storage/database/ids.ts': together(AMBIENT.map(([text]) => text)),
  'src/state/storage/aroundAll.ts': together(AROUND_THE_DECLARATION),
  'src/state/storage/given.ts': 'export const at = new Date(0)\n',
  'packages/dashboard/src/given.ts': 'export const at = Date.now()\n',
}

/** The rules that each file violates. A copy of the sources with these files is linted once. */
function brokenRules(): ReadonlyMap<string, readonly string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'lint-'))
  try {
    for (const name of ['src', 'packages', 'scripts', 'package.json', 'tsconfig.json', '.oxlintrc.jsonc']) {
      cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(copy, name)), { recursive: true })
      writeFileSync(join(copy, name), text)
    }
    const oxlint = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format=json', ...Object.keys(FILES)]
    const { stdout, stderr } = spawnSync(process.execPath, oxlint, { cwd: copy, encoding: 'utf8' })
    if (!stdout.startsWith('{')) throw new Error(`oxlint failed: ${stdout}${stderr}`)
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
    return new Map(
      Object.keys(FILES).map((name) => [
        name,
        diagnostics.filter(({ filename }) => filename === name).map(({ code }) => code),
      ]),
    )
  } finally {
    rmSync(copy, { recursive: true })
  }
}

describe('linter', () => {
  const rules = brokenRules()
  const broken = (name: string) => rules.get(name)

  test.each(AMBIENT.map(([text, rule], index) => ({ text, rule, index })))(
    'refuses $text in src and the packages',
    ({ rule, index }) => {
      expect(broken(`src/state/ambient${String(index)}.ts`)).toEqual([rule])
      expect(broken(`src/state/catalog/ambient${String(index)}.ts`)).toEqual([rule])
      expect(broken(`packages/cli/src/ambient${String(index)}.ts`)).toEqual([rule])
    },
  )

  test('allows only machineClock.ts, random.ts and ids.ts to use the time and random numbers', () => {
    expect(broken('packages/kit/src/time/machineClock.ts')).toEqual([])
    expect(broken('packages/kit/src/random.ts')).toEqual([])
    expect(broken('src/state/storage/database/ids.ts')).toEqual([])
  })

  test("allows the dashboard to use the browser's clock, and all code to parse a given time", () => {
    expect(broken('packages/dashboard/src/given.ts')).toEqual([])
    expect(broken('src/state/storage/given.ts')).toEqual([])
  })

  test.each(AROUND_THE_DECLARATION.map((text, index) => ({ text, index })))(
    'refuses to bypass the declaration of a table in the state of an interface: $text',
    ({ index }) => {
      expect(broken(`src/state/catalog/around${String(index)}.ts`)).toContain(DECLARATION)
    },
  )

  test('allows all of this in the modules of the declarations', () => {
    expect(broken('src/state/storage/aroundAll.ts')).not.toContain(DECLARATION)
  })

  test.each(OTHERS.map(([text, rule], index) => ({ text, rule, index })))(
    'reports $rule',
    ({ rule, index }) => {
      expect(broken(`src/state/other${String(index)}.ts`)).toContain(rule)
    },
  )
})
