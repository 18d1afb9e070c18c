/** The promises of package.json, the README and the workflow. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { welcome } from '../../src/serve/serve.ts'
import { ROOT } from '../support/process.ts'

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

describe('package.json', () => {
  test('requires Node 20.19 or later', () => {
    expect(packageJson.engines).toEqual({ node: '>=20.19' })
  })

  test('has a script for each task', () => {
    expect(Object.keys(packageJson.scripts)).toEqual(
      expect.arrayContaining([
        ...['start', 'dev', 'build', 'lint', 'format', 'typecheck', 'test', 'bench', 'openapi'],
      ]),
    )
  })

  test('installs only the native module in production; the bundle contains the rest', () => {
    expect(Object.keys(packageJson.dependencies)).toEqual(['better-sqlite3'])
  })

  test('pins every version exactly', () => {
    const versions = Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies })
    expect(versions.filter((version) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })
})

test('CONTRIBUTING lists every top-level part of src', () => {
  const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  expect(readdirSync(join(ROOT, 'src')).filter((part) => !contributing.includes(part))).toEqual([])
})

describe('README', () => {
  test('is short', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(150)
  })

  test('shows the banner of the start', () => {
    const url = 'http://127.0.0.1:4012'
    expect(readme).toContain(welcome({ demoKey: 'demo-key' }, { db: 'data/suite.sqlite' }, url))
  })

  test('links only to existing files', () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((link) => !existsSync(join(ROOT, link)))).toEqual([])
  })

  test('names the test command that .ci/run runs', () => {
    expect(readme).toContain('npm ci && npm test')
    const script = readFileSync(join(ROOT, '.ci/run'), 'utf8')
    expect(script).toMatch(/^npm ci$/m)
    expect(script).toMatch(/^TEST_REPORT="\$quick" npm test /m)
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
  })
})
