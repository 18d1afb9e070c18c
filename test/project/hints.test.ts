/** The hint codes: those in the sources, in the dashboard and in docs/hints.md are the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adviceOn, HINT_CODES, severityOf } from '@suite-sim/dashboard/parts/hintCodes'
import { ROOT } from '../support/process.ts'

/** Files that create hints without `addHint`. */
const CREATORS =
  /^(?:control\/(?:journal\/hints|shared\/offsetHints)|http\/faults\/retries|http\/lifecycle\/(?:faults|namedRecords|refusalHints)|http\/schemas\/changedNumbers|observed\/binding\/answers|state\/model\/reading)\.ts$/

/** Refusals whose calls belong to no workspace (`src/http/lifecycle/journal.ts`). */
const UNMATCHED = [
  'credential_missing',
  'credential_unknown',
  'foreign',
  'forbidden',
  'method_not_allowed',
  'no_such_path',
  'rate_limited',
]

function codesInSources(): string[] {
  const folder = join(ROOT, 'src')
  const codes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const pattern = CREATORS.test(name) ? /\bcode: '(\w+)'/g : /\baddHint\(\s*'(\w+)'/g
      return [...text.matchAll(pattern)].map(([, code = '']) => code)
    })
  return [...new Set(codes)].sort()
}

test('the dashboard knows every hint', () => {
  const codes = codesInSources()
  expect(codes).toEqual(expect.arrayContaining(['no_such_record', 'reading', 'unknown_body_field']))
  expect(HINT_CODES.toSorted()).toEqual([...codes, ...UNMATCHED].sort())
})

test('docs/hints.md explains every hint as the dashboard does', () => {
  const rows = readFileSync(join(ROOT, 'docs/hints.md'), 'utf8').matchAll(
    /^\| `(\w+)` *\| (\w+) *\| (.+?) *\| (.+?) *\|$/gm,
  )
  const explained = [...rows].map(([, code, severity, , advice]) => ({ code, severity, advice }))
  expect(explained).toEqual(
    HINT_CODES.map((code) => ({ code, severity: severityOf(code), advice: adviceOn(code) })),
  )
})
