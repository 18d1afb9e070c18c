/** What CI installs, and the programs that tests need. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../support/process.ts'
import { missing, TOOLCHAINS } from '../support/toolchains.ts'

describe('.ci/run', () => {
  interface Ran {
    readonly status: number | null
    readonly stderr: string
    readonly commands: readonly string[]
  }

  /** Runs it with programs that write their names and arguments into a file, after the report that they shall write. */
  function runWith(programs: Readonly<Record<string, string>>): Ran {
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
      writeFileSync(
        program,
        `#!/bin/sh\necho "\${TEST_REPORT:+$TEST_REPORT }${name} $*" >>'${log}'\n${text}\n`,
      )
      chmodSync(program, 0o755)
    }
    const env = { PATH: bin, TMPDIR: folder }
    const { status, stderr } = spawnSync(join(bin, 'bash'), [join(folder, '.ci/run')], {
      env,
      encoding: 'utf8',
    })
    return { status, stderr, commands: readFileSync(log, 'utf8').trim().split('\n') }
  }

  function commandsOfRun(programs: Readonly<Record<string, string>>): readonly string[] {
    const { status, stderr, commands } = runWith(programs)
    expect(status, stderr).toBe(0)
    return commands
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

  /** The commands that are not about packages of Debian. */
  const withoutInstalling = (commands: readonly string[]): readonly string[] =>
    commands.filter((line) => !/^(?:id|dpkg|apt-get) /.test(line))

  /** Both runs with a report each, and the count of both. */
  const BOTH = [
    'npm ci',
    expect.stringMatching(/^\/\S+ npm test$/) as string,
    expect.stringMatching(/^\/\S+ npm run test:full$/) as string,
    expect.stringMatching(/^node scripts\/count\.mjs \/\S+ \/\S+$/) as string,
  ]

  test('runs both test commands, and counts what both report', () => {
    const commands = withoutInstalling(commandsOfRun({ chromium: '', dpkg: '' }))
    expect(commands).toEqual(BOTH)
    const [, quick, full, count] = commands.map((line) => line.match(/(?<= |^)\/\S+/g) ?? [])
    expect(count).toEqual([...(quick ?? []), ...(full ?? [])])
    expect(new Set(count).size).toBe(2)
  })

  test('runs the tests if packages cannot be installed', () => {
    expect(withoutInstalling(commandsOfRun({ 'apt-get': 'exit 100' }))).toEqual(BOTH)
  })

  test.each([
    ['the quick run', 'test'],
    ['the full run', 'run'],
  ])('runs everything and fails if %s fails', (_what, failing) => {
    const npm = `[ "$1" != ${failing} ] || exit 7`
    const { status, commands } = runWith({ chromium: '', dpkg: '', npm })
    expect(withoutInstalling(commands)).toEqual(BOTH)
    expect(status).toBe(7)
  })

  test('fails if npm ci fails, and counts that as a failure', () => {
    const { status, commands } = runWith({ chromium: '', dpkg: '', npm: 'exit 5' })
    expect(withoutInstalling(commands)).toEqual([BOTH[0], BOTH[3]])
    expect(status).toBe(5)
  })
})

describe('the count of the tests', () => {
  const count = (...reports: readonly (object | null)[]) => {
    const folder = scratchFolder()
    const files = reports.map((report, index) => {
      const file = join(folder, `${String(index)}.json`)
      // What mktemp leaves if nothing is written.
      writeFileSync(file, report === null ? '' : JSON.stringify(report))
      return file
    })
    const { stdout, status } = spawnSync(process.execPath, ['scripts/count.mjs', ...files], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    return stdout.trim().split('\n')
  }
  const report = (passed: number, failed: number, success = failed === 0): object => ({
    ...{ numPassedTests: passed, numFailedTests: failed, success },
    testResults: [
      {
        name: join(ROOT, 'test/a.test.ts'),
        status: failed > 0 ? 'failed' : 'passed',
        message: '',
        assertionResults: [
          ...Array.from({ length: passed }, () => ({ fullName: 'a passes', status: 'passed', duration: 1 })),
          ...Array.from({ length: failed }, () => ({
            ...{ fullName: 'a fails', status: 'failed', duration: 2000 },
            failureMessages: ['expected 1 to be 2'],
          })),
        ],
      },
    ],
  })

  test('is the sum of both runs, below the slowest tests and the failures', () => {
    const lines = count(report(2, 1), report(3, 0))
    expect(lines.at(-1)).toBe('5 passed, 1 failed')
    expect(lines[1]).toBe('   2.0 s  test/a.test.ts: a fails')
    expect(lines).toEqual(expect.arrayContaining(['FAILED test/a.test.ts: a fails', 'expected 1 to be 2']))
  })

  test.each([
    ['wrote no report', [report(2, 0), null], '2 passed, 1 failed'],
    ['failed outside of its tests', [report(2, 0, false), report(3, 0)], '5 passed, 1 failed'],
  ])('has a failure for a run that %s', (_what, reports, last) => {
    const lines = count(...reports)
    expect(lines.at(-1)).toBe(last)
    expect(lines.at(-2)).toMatch(/^FAILED outside of a test/)
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
