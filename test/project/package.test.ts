/** The promises of package.json, the README and the workflow. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { welcome } from '../../src/serve/serve.ts'
import { ROOT } from '../support/process.ts'

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly engines?: { readonly node: string } }>
  >
}

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
    const versions = Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies }).flatMap(
      (wanted) => wanted.split(' || '),
    )
    expect(versions.filter((version) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('has the native module with binaries inside for Node 22, and in a clone the last one for Node 20', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
    const { version, engines } = packages['node_modules/better-sqlite3'] ?? {}
    expect(engines?.node).toContain('20.x')
    expect(packageJson.dependencies['better-sqlite3']).toBe(`${String(version)} || 13.2.0`)
  })

  test('names its peers without versions, with which npm 10 on Node 20 cannot install it', () => {
    expect(packageJson).not.toHaveProperty('peerDependencies')
    expect(packageJson.peerDependenciesMeta).toEqual({
      '@playwright/test': { optional: true },
      vitest: { optional: true },
    })
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
