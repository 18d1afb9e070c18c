/** `suite-sim mutate` around the tests of a shop, as built: what it names, its score, and its exit codes. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '@suite-sim/mutate/report/report'
import { runHere, startHere } from '../../../test/support/commandLine.ts'
import { build, ROOT, scratchFolder, start } from '../../../test/support/process.ts'

const SUITE = join(ROOT, 'packages/mutate/test/suite.mjs')

beforeAll(build)

interface Mutated {
  readonly code: number | null
  readonly stderr: string
  readonly report: Report
}

async function mutate(
  options: readonly string[],
  suite: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Mutated> {
  const command = ['--', process.execPath, SUITE, ...suite]
  const { code, stdout, stderr } = await runHere(['mutate', '--json', ...options, ...command], {
    folder: tmpdir(),
    variables,
  })
  return { code, stderr, report: (stdout === '' ? null : JSON.parse(stdout)) as Report }
}

const idsWith = ({ mutations }: Report, ...verdicts: readonly string[]): string[] =>
  mutations.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)

/** Each blind spot, and the only change that its suite does not notice, among those that are tried. */
const BLIND_SPOTS: readonly (readonly [blind: string, only: string, survivor: string])[] = [
  ['times-100', 'Link.amount', 'amount-times-100 payments Link.amount'],
  ['cent', 'Link.amount', 'amount-cent payments Link.amount'],
  ['currency', 'Link.currency', 'currency-other payments Link.currency'],
  ['status', 'enum-new payments Link.status', 'enum-new payments Link.status'],
  ['paid', 'Link.status', 'state-never payments Link.status=paid'],
  ['active', 'Link.status', 'state-early payments Link.status=active'],
  ['webhook', 'webhook-never,webhook-twice', 'webhook-never payments payment.completed'],
  ['webhook-cent', 'Transaction.amount', 'amount-cent payments Transaction.amount'],
  ['error-status', 'getPaymentLink 404', 'status-other payments getPaymentLink 404'],
  ['error-form', 'getPaymentLink 404', 'error-form payments getPaymentLink 404'],
  ['create-fails', 'answer-fails', 'answer-fails payments createPaymentLink'],
  ['limits', 'createPaymentLink body.amount', 'limit-stricter payments createPaymentLink body.amount'],
]

describe('a suite with one blind spot', () => {
  test.each(BLIND_SPOTS)('%s', async (blind, only, survivor) => {
    const { code, report } = await mutate(['--only', only, '--jobs', '2'], ['--blind', blind])
    expect(idsWith(report, 'survived', 'refused')).toEqual([survivor])
    expect(code).toBe(0)
    expect(report.mutations.find(({ id }) => id === survivor)?.example).not.toBeNull()
  })
})

test('a complete suite notices at least 95 %, and passes with all harmless changes', async () => {
  const { code, report } = await mutate(['--min-score', '95%', '--jobs', '2'])
  expect(idsWith(report, 'survived', 'refused', 'not met', 'not run')).toEqual([])
  expect(report.score.share).toBeGreaterThanOrEqual(0.95)
  expect(report.score.harmless).toBeGreaterThanOrEqual(5)
  expect(code).toBe(0)
})

test('an over-strict suite fails, with the name of its test', async () => {
  const folder = scratchFolder()
  const file = join(folder, 'report-{job}.xml')
  const { code, stderr, report } = await mutate(
    ['--only', 'ids-longer,keys-reversed,field-more,header-more', '--junit', file],
    ['--strict', '--junit', file],
  )
  expect(code).toBe(1)
  expect(stderr).toContain('2 of 4 harmless changes failed a test')
  const strict = report.mutations.filter(({ verdict }) => verdict === 'refused')
  expect(strict.map(({ kind, failedTests }) => [kind, failedTests]).toSorted()).toEqual([
    ['ids-longer', ['shop › has exactly these fields']],
    ['keys-reversed', ['shop › has exactly these fields']],
  ])
})

test('calls a test that fails once unsteady, and not over-strict', async () => {
  const folder = scratchFolder()
  const file = join(folder, 'report.xml')
  const { code, report } = await mutate(
    ['--only', 'field-more', '--junit', file],
    ['--unsteady', join(folder, 'runs'), '--junit', file],
  )
  expect(idsWith(report, 'tolerated')).toEqual(['field-more payments payments'])
  expect(report.unsteady).toEqual([
    { mutation: 'field-more payments payments', failedTests: ['shop › is unsteady'] },
  ])
  expect(code).toBe(0)
})

test('says that the grade is worth nothing if the suite fails without a change at the end', async () => {
  const folder = scratchFolder()
  const file = join(folder, 'report.xml')
  const breaking = ['--breaks', join(folder, 'runs'), '--junit', file]
  const { code, stderr } = await mutate(['--only', 'amount-cent', '--junit', file], breaking)
  expect(code).toBe(1)
  expect(stderr).toContain(
    'the command failed without a change at the end, so the grade says nothing: shop › is unsteady',
  )
})

test('names the only test that notices a change', async () => {
  const file = join(scratchFolder(), 'report.xml')
  const { report } = await mutate(['--only', 'webhook-never', '--junit', file], ['--junit', file])
  expect(report.guards).toEqual([
    { test: 'shop › is told', mutations: ['webhook-never payments payment.completed'] },
  ])
})

test('gives a suite that uses a running server one of its own', async () => {
  const variables = { SUITE_SIM_URL: 'http://127.0.0.1:1' }
  const blind = ['--blind', 'cent']
  const { report } = await mutate(['--only', 'amount-cent'], blind, variables)
  expect(idsWith(report, 'survived')).toEqual(['amount-cent payments Link.amount'])
  expect(idsWith(report, 'noticed')).toEqual(['amount-cent payments Transaction.amount'])
})

test('has the same list for the same seed, ten times', async () => {
  const lists = new Set<string>()
  for (let time = 0; time < 10; time += 1) {
    // The budget ends after the undisturbed run, which decides about the list.
    const { report } = await mutate(['--budget', '1s', '--seed', 'a'])
    lists.add(JSON.stringify(report.mutations.map(({ id }) => id)))
  }
  expect(lists.size).toBe(1)
})

describe('the command', () => {
  test('exits with 1 below the score', async () => {
    const options = ['--only', 'amount-cent', '--min-score', '60%']
    const { code, stderr } = await mutate(options, ['--blind', 'cent'])
    expect(code).toBe(1)
    expect(stderr).toContain('50% of the harmful changes were noticed, less than 60%')
  })

  test('exits with 2 if the suite fails without a change, and shows why', async () => {
    const suite = ['-e', 'console.error("no database"); process.exitCode = 7']
    const ended = await runHere(['mutate', '--', process.execPath, ...suite], { folder: tmpdir() })
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('7: no database') as string })
    const file = join(scratchFolder(), 'report.xml')
    const broken = ['--breaks', join(scratchFolder(), 'none', 'runs'), '--junit', file]
    const named = await mutate(['--junit', file], broken)
    expect(named).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('failed tests: shop › runs') as string,
    })
  })

  test('exits with 2 and one line if its simulator or the JUnit file is not there', async () => {
    const { url } = await start(['serve', '--db', ':memory:', '--port', '0'], { folder: tmpdir() })
    const passing = ['--', process.execPath, '-e', '0']
    for (const [wrong, words] of [
      [['--serve', '--port', new URL(url).port], '--port: listen EADDRINUSE'],
      [['--serve', '--fixtures', 'nope'], '--serve: cannot use the fixture nope'],
      [['--junit', 'none.xml'], '--junit: the command wrote no none.xml'],
    ] as const) {
      const ended = await runHere(['mutate', ...wrong, ...passing], { folder: tmpdir() })
      expect(ended.stderr).toMatch(/^suite-sim: .+\n$/)
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(words) as string })
    }
  })

  test('tells Go to run tests whose results are in its cache', async () => {
    const script = 'process.exitCode = process.env.GOFLAGS === "-mod=mod -count=1" ? 0 : 1'
    const ended = await runHere(['mutate', '--', process.execPath, '-e', script], {
      folder: tmpdir(),
      variables: { GOFLAGS: '-mod=mod' },
    })
    // The command has passed: it only called no interface.
    expect(ended.code).toBe(3)
  })

  test('shows in a log how far it is, at the first change and every ten', async () => {
    const { stderr } = await mutate(['--only', 'amount-cent'])
    expect(stderr).toMatch(/^1\/2 amount-cent payments \S+, about \d+ s left\n$/)
  })

  test('exits with 2 if the suite cannot be started, or --only names nothing that was met', async () => {
    const missing = await runHere(['mutate', '--', 'no-such-program'], { folder: tmpdir() })
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') as string })
    expect(await mutate(['--only', 'Contact.email'])).toMatchObject({ code: 2 })
  })

  test('exits with 3 if the suite meets no interface', async () => {
    const ended = await runHere(['mutate', '--', process.execPath, '-e', '0'], { folder: tmpdir() })
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('--serve') as string })
  })

  test('prints what is known when it is interrupted, and leaves no folder behind', async () => {
    const foldersNow = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith('suite-sim-mutate-'))
    const before = foldersNow()
    const running = startHere(['mutate', '--', process.execPath, SUITE], {
      folder: tmpdir(),
      terminal: true,
      variables: { COLUMNS: '200' },
    })
    const shown = new Promise<void>((resolve) => {
      running.follow(() => {
        if (running.stderr().includes('\r3/')) resolve()
      })
    })
    await shown
    running.signal('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(stdout).toMatch(/did not run: interrupted/)
    expect(foldersNow().filter((name) => !before.includes(name))).toEqual([])
  })
})
