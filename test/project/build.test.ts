/** What the build refuses. built/build.test.ts tests what it makes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../support/process.ts'

const { mustBeLoadable, mustFindAssets } = (await import(`${ROOT}scripts/checks.mjs`)) as {
  mustBeLoadable(name: string, text: string): void
  mustFindAssets(src: string, dist: string): void
}

const { bundle } = (await import(`${ROOT}scripts/bundles.mjs`)) as {
  bundle(options: object): Promise<unknown>
}

describe('build refuses', () => {
  test.each([
    ['a native import', "const zlib = import('node:zlib')", /contains a native import/],
    ['an import with a computed name', 'load = (name) => import(name)', /contains a native import/],
    ['a non-ASCII character in a string', "const dot = '·'", /non-ASCII character.*·/],
    ['a non-ASCII character in a comment', '/* ñ */', /non-ASCII character/],
  ])('%s', (_what, text, words) => {
    expect(() => {
      mustBeLoadable('bundle.cjs', text)
    }).toThrow(words)
  })

  test.each([
    ["a text that names an import: const words = 'use import(...)'", "const words = 'use import(x)'"],
    ['escapes', String.raw`const dot = '\xB7\u{1F600}'`],
  ])('not %s', (_what, text) => {
    mustBeLoadable('bundle.cjs', text)
  })

  test('a bundle with a warning', async () => {
    const bundled = (contents: string) => bundle({ stdin: { contents }, write: false, logLevel: 'silent' })
    await expect(bundled('console.log(process.pid === 1)')).resolves.toBeDefined()
    await expect(bundled('console.log(process.pid === NaN)')).rejects.toThrow('the build has a warning')
  })

  test('an asset next to a source file that is missing next to the bundle', () => {
    const folder = scratchFolder()
    const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
    mkdirSync(join(src, 'http'), { recursive: true })
    mkdirSync(dist)
    writeFileSync(join(src, 'http/page.ts'), "readFileSync(new URL('./style.css', import.meta.url))")
    expect(() => {
      mustFindAssets(src, dist)
    }).toThrow('src/http/page.ts refers to ./style.css')
    writeFileSync(join(dist, 'style.css'), '')
    mustFindAssets(src, dist)
    writeFileSync(join(src, 'http/page.ts'), 'readFileSync(import.meta.dirname)')
    expect(() => {
      mustFindAssets(src, dist)
    }).toThrow("the build supports import.meta only as new URL('...', import.meta.url)")
  })
})
