/** The code in the README and in pages about the library compiles and runs in a user's project. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { describeInBrowser, executablePath } from '../../support/browser.ts'
import { complaintsOf, projectWith, runIn } from '../../support/packed.ts'
import { ROOT, sharedServer } from '../../support/process.ts'

interface Block {
  /** "README.md 1" */
  readonly title: string
  readonly text: string
}

const PAGES = [
  'README.md',
  ...['library', 'differences', 'exam', 'exam-caller', 'agents'].map((name) => `docs/${name}.md`),
]

const blocksIn = (language: string): Block[] =>
  PAGES.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(\w+)\n([\s\S]+?)^```$/gm)]
      .filter(([, name]) => name === language)
      .map(([, , text = ''], index): Block => ({ title: `${file} ${String(index + 1)}`, text })),
  )

const blocks = blocksIn('ts')

const isOfVitest = ({ text }: Block): boolean => /'(?:suite-simulator\/)?vitest'/.test(text)
const isOfPlaywright = ({ text }: Block): boolean => text.includes('suite-simulator/playwright')
const isScript = (block: Block): boolean => !isOfVitest(block) && !isOfPlaywright(block)

test('finds documented code', () => {
  expect(blocks.filter(isOfVitest).length).toBeGreaterThan(0)
  expect(blocks.filter(isOfPlaywright).length).toBeGreaterThan(0)
  expect(blocks.length).toBeGreaterThan(6)
})

test('compiles all of it', () => {
  const folder = projectWith()
  const names = blocks.map(({ text }, index) => {
    const name = `block${String(index)}.mts`
    writeFileSync(join(folder, name), text)
    return name
  })
  const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
  expect(complaintsOf(folder, names, options)).toEqual([])
})

test.each(blocks.filter(isScript))('$title runs', async ({ text }) => {
  const folder = projectWith()
  const { url } = await sharedServer([])
  const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20.19' })
  writeFileSync(join(folder, 'block.mjs'), code.replaceAll('http://127.0.0.1:4012', url))
  const ended = await runIn(folder, [process.execPath, 'block.mjs'], { SUITE_SIM_URL: url })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
})

test('passes the documented Vitest tests', async () => {
  const folder = projectWith()
  const vitestBlocks = blocks.filter(isOfVitest)
  for (const [index, { text }] of vitestBlocks.entries()) {
    writeFileSync(join(folder, `block${String(index)}.test.ts`), text)
  }
  const { code, stdout, stderr } = await runIn(folder, ['npx', 'vitest', 'run', '--testTimeout=60000'])
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toMatch(new RegExp(`Test Files .*${String(vitestBlocks.length)} passed`))
})

test('passes the documented Jest tests', async () => {
  const folder = projectWith()
  const tests = blocksIn('js').filter(({ text }) => text.includes("require('suite-simulator/jest')"))
  for (const [index, { text }] of tests.entries()) {
    writeFileSync(join(folder, `block${String(index)}.test.js`), text)
  }
  const [configuration] = blocksIn('js').filter(({ text }) => text.includes('globalTeardown'))
  writeFileSync(join(folder, 'jest.config.js'), configuration?.text ?? '')
  const { code, stdout, stderr } = await runIn(folder, ['npx', 'jest', '--testTimeout=60000'])
  expect(code, stdout + stderr).toBe(0)
  expect(stderr).toMatch(new RegExp(`Test Suites: ${String(tests.length)} passed`))
  expect(tests.length).toBeGreaterThan(0)
})

describeInBrowser('Playwright', () => {
  test('passes the documented tests', async () => {
    const folder = projectWith()
    const tests = blocks.filter(isOfPlaywright)
    for (const [index, { text }] of tests.entries()) {
      writeFileSync(join(folder, `block${String(index)}.spec.ts`), text)
    }
    const use = { launchOptions: { executablePath } }
    const settings = { timeout: 120_000, expect: { timeout: 60_000 }, use }
    writeFileSync(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(settings)}`)
    const { code, stdout, stderr } = await runIn(folder, ['npx', 'playwright', 'test'])
    expect(code, stdout + stderr).toBe(0)
  })
})
