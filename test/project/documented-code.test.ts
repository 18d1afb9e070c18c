/** The TypeScript code in the README and docs/library.md compiles and runs in a user's project. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { complaintsOf, projectWith, runIn } from '../support/packed.ts'
import { ROOT, start } from '../support/process.ts'

interface Block {
  /** "README.md 1" */
  readonly title: string
  readonly text: string
}

const blocks = ['README.md', 'docs/library.md'].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```ts\n([\s\S]+?)^```$/gm)].map(
    ([, text = ''], index): Block => ({ title: `${file} ${String(index + 1)}`, text }),
  ),
)

const isOfVitest = ({ text }: Block): boolean => text.includes('suite-simulator/vitest')

test('finds documented code', () => {
  expect(blocks.filter(isOfVitest).length).toBeGreaterThan(0)
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

test.each(blocks.filter((block) => !isOfVitest(block)))('$title runs', async ({ text }) => {
  const folder = projectWith()
  const { url } = await start(['serve', '--db', ':memory:', '--port', '0'], { folder })
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
