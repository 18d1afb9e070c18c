/** The size of the dashboard, which every first visit loads, and its one scale of sizes and spaces. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, ROOT } from '../../../test/support/process.ts'

beforeAll(build)

test('the script of the dashboard has at most 120 kB, compressed', () => {
  const script = readFileSync(join(ROOT, 'dist/dashboard/app.js'))
  expect(script.length).toBeGreaterThan(1000)
  expect(gzipSync(script).length).toBeLessThanOrEqual(120_000)
})

const folder = join(ROOT, 'packages/dashboard/src')
const files = readdirSync(folder).filter((name) => name.endsWith('.css'))
const tokens = readFileSync(join(folder, 'tokens.css'), 'utf8')

describe('the style sheets', () => {
  test('have spaces in multiples of four pixels', () => {
    const spaces = [...tokens.matchAll(/--space-\d: ([\d.]+)rem/g)].map(([, rem]) => Number(rem) * 16)
    expect(spaces.length).toBeGreaterThan(5)
    expect(spaces.filter((pixels) => pixels % 4 !== 0)).toEqual([])
  })

  test.each(files)('%s uses the sizes and spaces of the scale', (file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const sizes = [...text.matchAll(/[^-]font-size: ([^;]+);/g)].map(([, value = '']) => value)
    const spaces = [...text.matchAll(/[\s;](?:padding|margin|gap|row-gap|column-gap)(?:-[a-z]+)*: ([^;]+);/g)]
    const parts = spaces.flatMap(([, value = '']) => value.split(' '))
    expect(sizes.filter((value) => !/^(?:0|var\(--text-\w+\))$/.test(value))).toEqual([])
    expect(parts.filter((value) => !/^(?:0|auto|-?1px|var\(--space-\d\))$/.test(value))).toEqual([])
  })
})
