/** What CI installs, and the programs that tests need. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../support/process.ts'
import { missing, TOOLCHAINS } from '../support/toolchains.ts'

describe('.ci/run', () => {
  /** Runs it with programs that write their arguments into a file. Returns these lines. */
  function commandsOfRun(programs: Readonly<Record<string, string>>): string[] {
    const folder = scratchFolder()
    const bin = join(folder, 'bin')
    const log = join(folder, 'log')
    mkdirSync(bin)
    cpSync(join(ROOT, '.ci'), join(folder, '.ci'), { recursive: true })
    for (const name of ['bash', 'dirname', 'mktemp', 'rm', 'tail']) {
      const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
      symlinkSync(stdout.trim(), join(bin, name))
    }
    const all = { id: 'echo 0', dpkg: 'exit 1', 'apt-get': '', npm: '', node: '', ...programs }
    for (const [name, text] of Object.entries(all)) {
      const program = join(bin, name)
      writeFileSync(program, `#!/bin/sh\necho "${name} $*" >>'${log}'\n${text}\n`)
      chmodSync(program, 0o755)
    }
    const env = { PATH: bin, TMPDIR: folder }
    const { status, stderr } = spawnSync(join(bin, 'bash'), [join(folder, '.ci/run')], {
      env,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    return readFileSync(log, 'utf8').trim().split('\n')
  }

  const installed = (commands: readonly string[]): string[][] =>
    commands
      .filter((line) => line.startsWith('apt-get install'))
      .map((line) => line.split(' ').filter((word, index) => index > 1 && !word.startsWith('--')))

  test('installs Chromium first and alone, then the programs of all toolchains', () => {
    const [first, ...others] = installed(commandsOfRun({}))
    expect(first).toEqual(['chromium'])
    const packages = Object.values(TOOLCHAINS).flatMap((each) => each.packages.split(' '))
    expect(others.flat().toSorted()).toEqual(packages.toSorted())
  })

  test('installs no Chromium if one is there, and nothing if all packages are', () => {
    expect(installed(commandsOfRun({ chromium: '' }))).toHaveLength(2)
    expect(installed(commandsOfRun({ chromium: '', dpkg: '' }))).toEqual([])
  })

  test('runs the tests if packages cannot be installed', () => {
    const commands = commandsOfRun({ 'apt-get': 'exit 100' })
    expect(commands.filter((line) => line.startsWith('npm ')).map((line) => line.split(' --')[0])).toEqual([
      'npm ci',
      'npm test',
      'npm run test:full',
    ])
  })
})

describe('a toolchain', () => {
  test.each([
    ['go version go1.19.8 linux/amd64', '1.19', true],
    ['go version go1.18.10 linux/amd64', '1.19', false],
    ['go version go1.9 linux/amd64', '1.19', false],
    ['go version go2.0 linux/amd64', '1.19', true],
    ['javac 17.0.15', '17', true],
    ['javac 21-ea', '17', true],
    ['javac 11.0.25', '17', false],
    ['javac 1.8.0_412', '17', false],
    ['no number', '17', false],
  ])('whose version is %j is recent enough for %s: %j', (output, oldest, isRecent) => {
    const found = missing('Go', { check: ['echo', output], oldest, packages: '' })
    expect(found).toBe(isRecent ? null : `No Go ${oldest} or later found`)
  })

  test('is missing if its check fails or does not exist', () => {
    const script = ['sh', '-c', 'echo 99; exit 1'] as const
    expect(missing('Go', { check: script, oldest: '1', packages: '' })).toBe('No Go 1 or later found')
    expect(missing('curl', { check: ['/nowhere/curl'], packages: '' })).toBe('No curl found')
    expect(missing('Go', { check: ['/nowhere/go'], oldest: '1', packages: '' })).toBe(
      'No Go 1 or later found',
    )
  })
})
