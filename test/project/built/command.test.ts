/** Where npx finds the command: in node_modules/.bin of a clone, and in the package that npm packs. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '@suite-sim/kit/version'
import { build, ROOT, scratchFolder } from '../../support/process.ts'

test('npx runs the command of a clone without an entry in its cache', () => {
  build()
  const cache = scratchFolder()
  const { stdout, stderr } = spawnSync('npx', ['suite-sim', '--version'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: cache },
  })
  expect(stdout.trim(), stderr).toBe(VERSION)
  expect(existsSync(join(cache, '_npx'))).toBe(false)
})

test('the package has the command only while it is packed', () => {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'scripts'))
  for (const name of ['package.json', 'scripts/published.mjs']) cpSync(join(ROOT, name), join(folder, name))
  const description = () => readFileSync(join(folder, 'package.json'), 'utf8')
  const before = description()
  const { prepack, postpack } = (JSON.parse(before) as { scripts: Record<string, string> }).scripts
  const run = (command: string | undefined) =>
    spawnSync(String(command?.split('&&').at(-1)), { cwd: folder, shell: true })
  expect(before).not.toContain('"bin"')
  run(prepack)
  expect(JSON.parse(description())).toMatchObject({ bin: { 'suite-sim': 'dist/main.js' } })
  run(postpack)
  expect(description()).toBe(before)
})
