/** What package.json, README and the workflow of the project promise. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../support/process.ts'

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

describe('package.json', () => {
  test('asks for Node 20.19 or later', () => {
    expect(packageJson.engines).toEqual({ node: '>=20.19' })
  })

  test('has a script for each thing one does', () => {
    expect(Object.keys(packageJson.scripts)).toEqual(
      expect.arrayContaining([
        ...['start', 'dev', 'build', 'lint', 'format', 'typecheck', 'test', 'bench', 'openapi'],
      ]),
    )
  })

  test('installs nothing but the native module in production; all else is in the bundle', () => {
    expect(Object.keys(packageJson.dependencies)).toEqual(['better-sqlite3'])
  })

  test('names every version exactly', () => {
    const versions = Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies })
    expect(versions.filter((version) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })
})

describe('the README', () => {
  test('has every top-level part of src on its map', () => {
    const parts = readdirSync(join(ROOT, 'src'))
    expect(parts.filter((part) => !readme.includes(part))).toEqual([])
  })

  test('leads only to files that are there', () => {
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
