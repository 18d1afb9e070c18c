/** The rules of the house that the linter keeps do fire. */
import { join } from 'node:path'
import { ESLint } from 'eslint'
import { expect, test } from 'vitest'
import { ROOT } from '../support/process.ts'

const eslint = new ESLint({ cwd: ROOT })

/** The rules that the text breaks as if it stood in `file`, which exists, for types are looked up there. */
async function broken(text: string, file: string): Promise<(string | null)[]> {
  const results = await eslint.lintText(text, { filePath: join(ROOT, file) })
  return results.flatMap((result) => result.messages.map((message) => message.ruleId))
}

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
