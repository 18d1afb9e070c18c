/** A release has one version, in every place that states it. See "To release a version" in CONTRIBUTING.md. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../support/process.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const { version } = packageJson

test.each([
  ['package-lock.json', /^ {2}"version": "([\d.]+)"/m],
  ['Dockerfile', /image\.version="([\d.]+)"/],
  ['README.md', /^Suite Simulator ([\d.]+)$/m],
  ['docs/getting-started.md', /^Suite Simulator ([\d.]+)$/m],
  ['docs/library.md', /suite-simulator-([\d.]+)\.tgz/],
  ['clients/python/pyproject.toml', /^version = "([\d.]+)"/m],
  ['clients/python/src/suite_simulator/__init__.py', /__version__ = "([\d.]+)"/],
  ['clients/java/pom.xml', /<version>([\d.]+)<\/version>/],
  ['clients/java/junit5/pom.xml', /<version>([\d.]+)<\/version>/],
  ['clients/java/testcontainers/pom.xml', /<version>([\d.]+)<\/version>/],
  ['clients/java/README.md', /<version>([\d.]+)<\/version>/],
])('%s states the version', (file, pattern) => {
  expect(pattern.exec(read(file))?.[1]).toBe(version)
})

test('the changelog begins with the version and its date, or with what is not released', () => {
  const [first = '', ...others] = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(
    ([, title = '']) => title,
  )
  const releases = first === 'Unreleased' ? others : [first, ...others]
  expect(releases[0]).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`))
  for (const each of releases) expect(each).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/)
})

test('a database of the version is kept for later versions', () => {
  const minor = version.split('.').slice(0, 2).join('.')
  expect(existsSync(join(ROOT, `test/fixtures/versions/${minor}.json.gz`))).toBe(true)
})
