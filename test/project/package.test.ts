/** The promises of package.json, the README and the workflow. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
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

describe('README', () => {
  test('lists every top-level part of src', () => {
    const parts = readdirSync(join(ROOT, 'src'))
    expect(parts.filter((part) => !readme.includes(part))).toEqual([])
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
    expect(script).toMatch(/^npm test /m)
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
  })
})
