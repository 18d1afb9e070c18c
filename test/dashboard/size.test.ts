/** The size of the dashboard, which every first visit loads. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { build, ROOT } from '../support/process.ts'

beforeAll(build)

test('the script of the dashboard has at most 120 kB, compressed', () => {
  const script = readFileSync(join(ROOT, 'dist/dashboard/app.js'))
  expect(script.length).toBeGreaterThan(1000)
  expect(gzipSync(script).length).toBeLessThanOrEqual(120_000)
})
