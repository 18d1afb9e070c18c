/** What the build refuses, and how builds wait for each other. built/build.test.ts tests what it makes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../support/process.ts'

const { mustBeLoadable, mustFindAssets } = (await import(`${ROOT}scripts/checks.mjs`)) as {
  mustBeLoadable(name: string, text: string): void
  mustFindAssets(root: string, folder: string, dist: string): void
}

const { bundle } = (await import(`${ROOT}scripts/bundles.mjs`)) as {
  bundle(options: object): Promise<unknown>
}

const { alone } = (await import(`${ROOT}scripts/lock.mjs`)) as {
  alone<Made>(lock: string, work: () => Promise<Made>): Promise<Made>
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
      mustFindAssets(folder, 'src', dist)
    }).toThrow('src/http/page.ts refers to ./style.css')
    writeFileSync(join(dist, 'style.css'), '')
    mustFindAssets(folder, 'src', dist)
    writeFileSync(join(src, 'http/page.ts'), 'readFileSync(import.meta.dirname)')
    expect(() => {
      mustFindAssets(folder, 'src', dist)
    }).toThrow("the build supports import.meta only as new URL('...', import.meta.url)")
  })
})

describe('two builds at once', () => {
  test('wait for each other, also if one fails', async () => {
    const lock = join(scratchFolder(), 'cache/lock')
    const steps: string[] = []
    let finish = (): void => undefined
    const first = alone(lock, async () => {
      steps.push('first')
      await new Promise<void>((resolve) => (finish = resolve))
      steps.push('first ends')
      throw new Error('the build failed')
    })
    const second = alone(lock, () => Promise.resolve(steps.push('second')))
    finish()
    await expect(first).rejects.toThrow('the build failed')
    await second
    expect(steps).toEqual(['first', 'first ends', 'second'])
    expect(existsSync(lock)).toBe(false)
  })

  test('do not wait for one that was killed, nor for another program with its process id', async () => {
    const lock = join(scratchFolder(), 'lock')
    const { pid } = spawnSync('true')
    writeFileSync(lock, String(pid))
    expect(await alone(lock, () => Promise.resolve('built'))).toBe('built')
    writeFileSync(lock, String(process.ppid))
    const hourAgo = Date.now() / 1000 - 3600
    utimesSync(lock, hourAgo, hourAgo)
    expect(await alone(lock, () => Promise.resolve('built'))).toBe('built')
  })
})
