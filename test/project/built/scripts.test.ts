/** `npm test` and `npm run test:changed`, with stubs in place of the checks and of Vitest. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ROOT, scratchFolder } from '../../support/process.ts'

/** A project whose npm and Vitest write their arguments into `log`, and then run these texts of a shell. */
function project(npm: string, vitest: string): string {
  const folder = scratchFolder()
  put(folder, 'bin/npm', `#!/bin/sh\necho "npm $*" >>log\n${npm}\n`)
  chmodSync(join(folder, 'bin/npm'), 0o755)
  // Its arguments follow its path.
  const script = JSON.stringify(`echo "vitest $*" >>log\n${vitest}`)
  put(
    folder,
    'node_modules/vitest/vitest.mjs',
    `import { spawnSync } from 'node:child_process'
     process.exitCode = spawnSync('sh', ['-c', ${script}, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 1`,
  )
  mkdirSync(join(folder, 'packages'), { recursive: true })
  for (const name of ['children', 'ownPackages', 'test', 'testChanged'])
    cpSync(join(ROOT, `scripts/${name}.mjs`), join(folder, `scripts/${name}.mjs`))
  symlinkSync(join(ROOT, 'node_modules/esbuild'), join(folder, 'node_modules/esbuild'))
  return folder
}

function put(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function begin(folder: string, script: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(folder, `scripts/${script}.mjs`), ...args], {
    cwd: folder,
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text))
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...written }))
  return { child, ended }
}

const logOf = (folder: string): string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')

/** Waits for what a stub prints. */
async function prints({ child }: ReturnType<typeof begin>, text: string): Promise<void> {
  let seen = ''
  for (;;) {
    const [part] = (await once(child.stdout, 'data')) as [string]
    seen += part
    if (seen.includes(text)) return
  }
}

const CHECKS = ['build -- --if-stale', 'format:check', 'typecheck', 'lint'].map(
  (script) => `npm run --silent ${script}`,
)

describe('npm test', () => {
  test('runs the checks beside the tests of the quick run, with the given arguments', async () => {
    const folder = project('', 'echo "all well"')
    const { code, stdout, stderr } = await begin(folder, 'test', ['test/app', '-t', 'adds']).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('all well')
    expect(stdout.match(/^ok {5}\S+ \([\d.]+ s\)$/gm)).toHaveLength(4)
    expect(logOf(folder).filter((line) => line.startsWith('npm'))).toEqual(CHECKS)
    expect(logOf(folder)).toContain(
      'vitest run --project simulator --project kit --project repository --project smoke test/app -t adds',
    )
  })

  test('shows the output of a check that failed, runs the others, and ends with its command', async () => {
    const folder = project('[ "$3" != typecheck ] || { echo "a.ts(1,2): wrong"; exit 2; }', '')
    const { code, stdout } = await begin(folder, 'test', []).ended
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAILED typecheck \([\d.]+ s\)\na\.ts\(1,2\): wrong$/m)
    expect(stdout).toMatch(/\nTo run the checks that failed again \(.+\):\n {2}npm run typecheck\n$/)
    expect(logOf(folder).filter((line) => line.startsWith('npm'))).toEqual(CHECKS)
  })

  test('fails if a test fails, or if npm is missing', async () => {
    const failing = project('', 'exit 3')
    expect(await begin(failing, 'test', []).ended).toMatchObject({ code: 1 })
    const without = project('', '')
    const { code, stdout } = await begin(without, 'test', [], { PATH: '/nowhere' }).ended
    expect(code).toBe(1)
    expect(stdout).toContain('npm could not be started')
  })

  test('writes the failure of a check into the report, which has that of the tests already', async () => {
    const report = '{"numPassedTests":2,"numFailedTests":0,"success":true,"testResults":[]}'
    const folder = project('[ "$3" != lint ]', `echo '${report}' >report.json`)
    const variables = { TEST_REPORT: join(folder, 'report.json') }
    expect((await begin(folder, 'test', [], variables).ended).code).toBe(1)
    expect(JSON.parse(readFileSync(variables.TEST_REPORT, 'utf8'))).toMatchObject({
      ...{ numPassedTests: 2, success: false },
    })
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends all programs on %s, and starts no other', async (signal, expected) => {
    // Both have a child of their own, as npm and Vitest have.
    const waits = "sh -c 'echo $$ >>pids; echo waiting; exec sleep 600'\nexit $?"
    const folder = project(waits, waits)
    const running = begin(folder, 'test', [])
    await prints(running, 'waiting')
    while (pidsIn(folder).length < 2) await new Promise((resolve) => setImmediate(resolve))
    running.child.kill(signal)
    const { code } = await running.ended
    expect(code).toBe(expected)
    expect(pidsIn(folder).filter(isRunning)).toEqual([])
    expect(logOf(folder).filter((line) => line.startsWith('npm'))).toEqual(CHECKS.slice(0, 1))
  })

  const pidsIn = (folder: string): string[] =>
    readFileSync(join(folder, 'pids'), 'utf8').split('\n').filter(Boolean)

  /** A process that has ended is there until its parent has read its exit code. */
  const isRunning = (pid: string): boolean =>
    existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
})

describe('npm run test:changed', () => {
  function repository(vitest = ''): string {
    const folder = project('', vitest)
    put(folder, 'src/a.ts', 'export const a = 1\n')
    put(folder, 'src/b.ts', 'export const b = 1\n')
    put(folder, 'test/support/helper.ts', "export { a } from '../../src/a.ts'\n")
    put(folder, 'test/a.test.ts', "import { a } from './support/helper.ts'\nconsole.log(a)\n")
    put(folder, 'test/deep/b.test.ts', "import { b } from '../../src/b.ts'\nconsole.log(b)\n")
    put(folder, '.gitignore', 'node_modules\nbin\nlog\n')
    git(folder, 'init', '--quiet')
    git(folder, 'add', '.')
    git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'Add a')
    return folder
  }

  function git(folder: string, ...args: string[]): void {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
  }

  test('runs nothing without a change', async () => {
    const folder = repository()
    const { code, stdout } = await begin(folder, 'testChanged', []).ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: '0 of 2 test files import a changed file.\n' })
    expect(existsSync(join(folder, 'log'))).toBe(false)
  })

  test('runs the tests that import a changed or a new file, also by way of others', async () => {
    const folder = repository('exit 4')
    put(folder, 'src/a.ts', 'export const a = 2\n')
    put(folder, 'test/new.test.ts', '')
    const { code, stdout, stderr } = await begin(folder, 'testChanged', ['-t', 'adds']).ended
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 1, stderr: '' },
      stdout: '2 of 3 test files import a changed file.\n',
    })
    expect(logOf(folder)).toEqual(['vitest run test/a.test.ts test/new.test.ts -t adds'])
  })
})
