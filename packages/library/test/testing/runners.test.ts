/** The fixtures for Vitest, Jest and Playwright, in projects that install the package. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectWith, runIn } from '../../../../test/support/packed.ts'
import { start, type Ended } from '../../../../test/support/process.ts'

interface Runner {
  readonly name: string
  /** The file of the tests, and its first lines. */
  readonly file: string
  readonly head: string
  readonly command: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** Makes a `test` with the mode "error" for calls that no operation answers. */
  readonly strict: string
  /** The call that defines a test that is expected to fail. */
  readonly failing: string
  /** The call that defines a suite. */
  readonly suite: string
}

const VITEST: Runner = {
  name: 'Vitest',
  file: 'a.test.mjs',
  head: "import { any, test } from 'suite-simulator/vitest'; import { describe, expect } from 'vitest'",
  command: ['npx', 'vitest', 'run', '--testTimeout=120000'],
  strict: "const strict = test.extend({ onUnhandledRequest: 'error' })",
  failing: 'test.fails',
  suite: 'describe',
}

const JEST: Runner = {
  name: 'Jest',
  file: 'a.test.cjs',
  head: "const { any, test, testWith } = require('suite-simulator/jest')",
  command: ['npx', 'jest', '--testTimeout=120000'],
  files: { 'jest.config.cjs': "module.exports = { testMatch: ['**/*.test.cjs'] }" },
  strict: "const strict = testWith({ onUnhandledRequest: 'error' })",
  failing: 'test.failing',
  suite: 'describe',
}

const PLAYWRIGHT: Runner = {
  name: 'Playwright',
  file: 'a.spec.mjs',
  head: "import { any, expect, test } from 'suite-simulator/playwright'",
  command: ['npx', 'playwright', 'test', '--workers=1', '--reporter=json'],
  files: {
    'playwright.config.mjs':
      "export default { timeout: 120000, outputDir: 'results', use: { workspaceOptions: { currency: 'PAB' } } }",
  },
  strict: "const strict = test.extend({ onUnhandledRequest: 'error' })",
  failing: 'test.fail',
  suite: 'test.describe',
}

const RUNNERS = [VITEST, JEST, PLAYWRIGHT]

/** A test that fails after calls, a hint and a delivery. */
const FAILING = `
  test('takes a payment', async ({ workspace, webhooks }) => {
    webhooks.answerWith(() => 410)
    await webhooks.subscribe(workspace, { interface: 'pos' })
    await workspace.fetch('crm', '/contacts?colour=red')
    await workspace.fetch('payments', '/payment-links', { json: { amount: -1 } })
    await workspace.trigger('pos.event.emit', { event: 'sale.completed' })
    await webhooks.wait(1)
    await workspace.deliveries.wait({ status: 'dead' })
    expect(1).toBe(2)
  })`

interface Run extends Ended {
  readonly folder: string
  readonly output: string
}

async function runTests(
  { file, head, command, files = {} }: Runner,
  tests: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const folder = projectWith()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, file), `${head}\n${tests}`)
  const ended = await runIn(folder, command, { SUITE_SIM_URL: '', ...variables })
  return { ...ended, folder, output: ended.stdout + ended.stderr }
}

/** The attachments of a run of Playwright: the text and the files, by name. */
function attachmentsOf({ stdout }: Run): Record<string, string> {
  const found: Record<string, string> = {}
  JSON.stringify(JSON.parse(stdout), (_key, value: { attachments?: unknown } | null) => {
    if (Array.isArray(value?.attachments)) {
      // Those of Playwright itself are files.
      for (const { name, body } of value.attachments as { name: string; body?: string }[]) {
        if (body !== undefined) found[name] = Buffer.from(body, 'base64').toString()
      }
    }
    return value
  })
  return found
}

/** The report of the only failed test: its text and its files. */
function reportOf(runner: Runner, run: Run): Record<string, string> {
  if (runner === PLAYWRIGHT) {
    const { 'suite-simulator.txt': text = '', ...files } = attachmentsOf(run)
    return { text, ...files }
  }
  const failures = join(run.folder, '.suite-sim/failures')
  const [name = ''] = readdirSync(failures)
  expect(name).toMatch(/^a-test-c?m?js-takes-a-payment-[0-9a-f]{8}$/)
  expect(run.output).toContain(`.suite-sim/failures/${name}`)
  expect(readFileSync(join(run.folder, '.suite-sim/.gitignore'), 'utf8')).toBe('*\n')
  const files = readdirSync(join(failures, name))
  return {
    text: run.output,
    ...Object.fromEntries(files.map((file) => [file, readFileSync(join(failures, name, file), 'utf8')])),
  }
}

describe.each(RUNNERS)('$name', (runner) => {
  test('shows the calls, hints and deliveries of a failed test, with journal, timeline and HAR', async () => {
    const run = await runTests(runner, FAILING)
    expect(run.code, run.output).toBe(1)
    const { text = '', ...files } = reportOf(runner, run)
    expect(text).toMatch(/Suite Simulator, workspace \S+/)
    expect(text).toMatch(/GET \/crm\/v1\/contacts 200\s+POST \/pay\/v1\/payment-links 4\d\d \w+: .*amount/)
    expect(text).toMatch(/Hints:\s+unknown_query_parameter: .*colour/)
    expect(text).toMatch(/sale\.completed to http:\S+: dead, attempts: 1, the receiver responded with 410/)
    expect(Object.keys(files).sort()).toEqual(['calls.har', 'journal.json', 'timeline.json'])
    const har = JSON.parse(files['calls.har'] ?? '') as { log: { entries: unknown[] } }
    expect(har.log.entries).toHaveLength(2)
    expect(JSON.parse(files['journal.json'] ?? '')).toHaveLength(2)
    expect(files['timeline.json']).toContain('sale.completed')
  })

  test('reports nothing of tests that pass or are expected to fail', async () => {
    const run = await runTests(
      runner,
      `test('passes', async ({ workspace }) => { await workspace.fetch('crm', '/contacts/none') })
       ${runner.failing}('fails as expected', async ({ workspace }) => {
         await workspace.fetch('crm', '/contacts/none')
         expect(1).toBe(2)
       })`,
    )
    expect(run.code, run.output).toBe(0)
    if (runner === PLAYWRIGHT) expect(attachmentsOf(run)).toEqual({})
    else expect(run.output).not.toContain('Suite Simulator, workspace')
  })

  test('writes the page for going live of all tests, with SUITE_SIM_REPORT', async () => {
    const run = await runTests(
      runner,
      `test('sells a desk', async ({ workspace }) => {
         const answer = await workspace.fetch('payments', '/payment-links', { json: { amount: 1250 } })
         const { data } = await answer.json()
         await workspace.trigger('payments.link.pay', { link_id: data.id })
       })
       test('reads no desk', async ({ workspace }) => {
         await workspace.fetch('payments', '/payment-links/none')
         await workspace.delete()
       })
       test('fails', async ({ workspace }) => {
         await workspace.fetch('payments', '/payment-links/none')
         expect(1).toBe(2)
       })`,
      { SUITE_SIM_REPORT: 'going-live' },
    )
    expect(run.code, run.output).toBe(1)
    const page = (format: string): string =>
      readFileSync(join(run.folder, 'going-live', `report.${format}`), 'utf8')
    const { workspaces, questions } = JSON.parse(page('json')) as {
      workspaces: { name: string }[]
      questions: { place: string; requests: string[] }[]
    }
    expect(workspaces.map(({ name }) => name.replace(/^.* (?=sells|fails)/, ''))).toEqual([
      'fails',
      'sells a desk',
    ])
    expect(questions.map(({ place }) => place)).toEqual(['payments.link pay', 'Error.error'])
    expect(questions[0]?.requests).toEqual([expect.stringMatching(/ sells a desk: trg_\d+$/)])
    expect(page('html')).toContain('<h1>Before going live</h1>')
    expect(page('md')).toContain('# Before going live')
  })

  test('writes down the names of failed tests for suite-sim mutate, once for fixtures and reporter', async () => {
    const names = join(projectWith(), 'names.jsonl')
    const reporting: Partial<Record<string, readonly string[]>> = {
      Vitest: ['--reporter=default', '--reporter=suite-simulator/vitest/reporter'],
      Jest: ['--reporters=default', '--reporters=suite-simulator/jest/reporter'],
    }
    const run = await runTests(
      { ...runner, command: [...runner.command, ...(reporting[runner.name] ?? [])] },
      `${FAILING}
       ${runner.suite}('the shop', () => { test('is open', ({ workspace }) => { throw new Error(workspace.id) }) })
       test('passes', ({ workspace }) => { expect(workspace.id).not.toBe('') })`,
      { SUITE_SIM_FAILED_TESTS: names },
    )
    expect(run.code, run.output).toBe(1)
    const lines = readFileSync(names, 'utf8').trim().split('\n')
    const unique = [...new Set(lines.map((line) => JSON.parse(line) as string))].toSorted()
    expect(unique).toEqual([`${runner.file} takes a payment`, `${runner.file} the shop is open`])
    expect(lines).toHaveLength(runner === PLAYWRIGHT ? 2 : 4)
  })

  test('fails a test that calls an unknown path or uses an unknown key, if it is to', async () => {
    const run = await runTests(
      runner,
      `${runner.strict}
       strict('calls an unknown path', async ({ workspace }) => {
         await workspace.fetch('crm', '/contcts')
       })
       strict('uses an unknown key', async ({ workspace }) => {
         await workspace.withKey('mistyped').fetch('crm', '/contacts')
       })
       strict('makes good calls', async ({ workspace }) => {
         await workspace.fetch('crm', '/contacts')
       })
       test('calls an unknown path without a setting', async ({ workspace }) => {
         await workspace.fetch('crm', '/contcs')
       })`,
    )
    expect(run.code, run.output).toBe(1)
    expect(run.output).toMatch(
      /The test made calls that no operation answers:.{1,9}GET \/crm\/v1\/contcts 404/s,
    )
    expect(run.output).toMatch(
      /The test made calls that no operation answers:.{1,9}GET \/crm\/v1\/contacts 401/s,
    )
    expect(run.output).toMatch(/no operation answers these calls:.{1,9}GET \/crm\/v1\/contcs 404/s)
    expect(run.output).toMatch(
      runner === PLAYWRIGHT ? /"expected": 2,\s+"skipped": 0,\s+"unexpected": 2/ : /2 failed.*2 passed/,
    )
  })

  test('compares the changes of the workspace with the expected ones', async () => {
    const run = await runTests(
      runner,
      `const LINK = { amount: 1250, currency: 'USD', description: 'Desk' }
       const sell = async (workspace) => {
         const answer = await workspace.fetch('payments', '/payment-links', { json: LINK })
         return (await answer.json()).data.id
       }
       const links = (record) => ({ 'payments.links': { added: [expect.objectContaining({ ...LINK, ...record })] } })
       test('changes only the link', async ({ workspace }) => {
         await expect(workspace).not.toHaveChanged()
         const id = await sell(workspace)
         await expect(workspace).toHaveChanged(links({ id: any() }))
         await expect(workspace).toHaveChanged(links({ id: expect.any(String) }))
         await expect(workspace).not.toHaveChanged(links({ amount: 1300 }))
         expect({ id }).toEqual({ id: any() })
         await workspace.snapshots.save('sold')
         await expect(workspace).toHaveChanged({}, { from: 'sold' })
       })
       test('has a side effect', async ({ workspace }) => {
         await sell(workspace)
         await workspace.fetch('crm', '/contacts', { json: { name: 'Ana Prado' } })
         await expect(workspace).toHaveChanged(links({}))
       })
       test('has changed after all', async ({ workspace }) => {
         await sell(workspace)
         await expect(workspace).not.toHaveChanged()
       })`,
    )
    expect(run.code, run.output).toBe(1)
    expect(run.output).toMatch(
      /Unexpected:\W*n?\s+\+ crm\.contacts con_\w+ added\W*n?\s+name: 'Ana Prado'\W*n?\s+by POST \/crm\/v1\/contacts 201 \(req_\d+\)/,
    )
    expect(run.output).toContain('The workspace must not have changed since start.')
    expect(run.output).toMatch(
      runner === PLAYWRIGHT ? /"expected": 1,\s+"skipped": 0,\s+"unexpected": 2/ : /2 failed.*1 passed/,
    )
  })

  test('counts no calls of others on a shared server', async () => {
    const { url } = await start(['serve', '--db', ':memory:', '--port', '0'], { folder: projectWith() })
    const run = await runTests(
      runner,
      `${runner.strict}
       strict('uses an unknown key', async ({ workspace }) => {
         await workspace.withKey('mistyped').fetch('crm', '/contacts')
       })`,
      { SUITE_SIM_URL: url },
    )
    expect(run.code, run.output).toBe(0)
    const { data } = (await (await fetch(`${url}/_sim/workspaces`)).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['demo'])
  })

  test('keeps the error of the test if the server has gone', async () => {
    const run = await runTests(
      runner,
      `test('stops it', async ({ simulator, workspace }) => {
         await simulator.close()
         throw new Error('the error of the test')
       })`,
    )
    expect(run.code, run.output).toBe(1)
    expect(run.output).toContain('the error of the test')
  })
})

/** Tests that call what is a command as well, whose program runs outside the VM of Jest. */
const TOOLS = (load: (module: string) => string): string => `
  test('examines a receiver', async () => {
    const { exam } = ${load('suite-simulator')}
    const { createServer } = ${load('node:http')}
    const processed = []
    const server = createServer((request, response) => {
      processed.push(request.headers['x-service-delivery'])
      response.end()
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const receiver = 'http://127.0.0.1:' + server.address().port
    const options = { receiver, events: ['payment.completed'], timeout: 60 }
    const { result, properties } = await exam({ ...options, observe: () => processed })
    const failed = properties.filter(({ grade }) => grade === 'fail').map(({ name }) => name)
    expect([result, failed.includes('duplicates'), failed.includes('normal')]).toEqual(['failed', true, false])
    const observe = () => { throw new Error('no database') }
    const error = await exam({ ...options, observe }).catch((thrown) => thrown)
    expect([error.code, error.message]).toEqual(['exam_failed', 'observe failed: no database'])
    const wrong = await exam({ ...options, timeout: 0 }).catch((thrown) => thrown)
    expect([wrong instanceof TypeError, wrong.message]).toEqual([true, 'exam(): timeout must be 1 to 60 seconds'])
    server.close()
  })
  test('grades an agent', async ({ simulator }) => {
    const { grade, prepareTask } = ${load('suite-simulator')}
    const clock = { now: '2026-11-24T15:00:00Z' }
    const changes = [{ section: 'crm.contacts', change: 'added', fields: { email: 'ana@example.com' } }]
    const task = { title: 'Ana', instruction: 'Add Ana.', fixture: 'none', clock, interfaces: ['crm'], changes, budget: 2 }
    const run = await prepareTask(simulator, { ...task, scopes: ['crm:read', 'crm:write'] })
    expect(await run.grade()).toMatchObject({ passed: false, findings: [{ kind: 'missing' }] })
    const error = await prepareTask(simulator, { ...task, budget: 0 }).catch((thrown) => thrown)
    expect([error.name, error.code]).toEqual(['SimulatorError', 'grade_failed'])
    expect(error.message).toContain('task: budget must be a whole number from 1 to 900, not 0')
    expect((await grade(run.workspace, task)).findings).toHaveLength(1)
    await run[Symbol.asyncDispose]()
  })`

describe('exam and grade', () => {
  test.each([
    [VITEST.name, VITEST, TOOLS((name) => `await import('${name}')`)],
    [JEST.name, JEST, TOOLS((name) => `require('${name}')`)],
    [
      PLAYWRIGHT.name,
      PLAYWRIGHT,
      TOOLS((name) => `await import('${name}')`).replaceAll('async ()', 'async ({})'),
    ],
  ])('work in %s', async (_name, runner, tests) => {
    const run = await runTests(runner, tests)
    expect(run.code, run.output).toBe(0)
  })
})

describe('Jest', () => {
  test('shares one simulator of the global setup between its workers, and stops it', async () => {
    const source = `const { test } = require('suite-simulator/jest')
      test('one', async ({ simulator }) => {
        console.log('URL ' + simulator.url)
        expect('close' in simulator).toBe(false)
      })`
    const folder = projectWith()
    for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.test.cjs`), source)
    writeFileSync(
      join(folder, 'jest.config.cjs'),
      `module.exports = {
        testMatch: ['**/*.test.cjs'],
        globalSetup: 'suite-simulator/jest/setup',
        globalTeardown: 'suite-simulator/jest/teardown',
      }`,
    )
    const { code, stdout, stderr } = await runIn(folder, ['npx', 'jest', '--maxWorkers=2'], {
      SUITE_SIM_URL: '',
    })
    expect(code, stdout + stderr).toBe(0)
    const urls = [...(stdout + stderr).matchAll(/URL (http:\S+)/g)].map(([, url]) => url)
    expect([urls.length, new Set(urls).size]).toEqual([2, 1])
    expect(stderr).not.toContain('did not exit')
  })

  test('gives the rows of each before the fixtures, and has the other forms of test', async () => {
    const run = await runTests(
      JEST,
      `test.each([['PAB', 1], ['USD', 2]])('%s %i', async (currency, number, { workspace }) => {
         expect([typeof currency, typeof number, workspace.key.length > 0]).toEqual(['string', 'number', true])
       })
       test.each(['a', 'b'])('%s', async (value, { workspace }) => {
         expect(typeof value + workspace.currency).toBe('stringUSD')
       })
       const demo = testWith({ workspaceOptions: { fixtures: 'small', currency: 'PAB' } })
       demo('has other options', ({ workspace }) => { expect(workspace.currency).toBe('PAB') })
       test.skip('is skipped', () => { throw new Error('not skipped') })
       test.todo('later')`,
    )
    expect(run.code, run.output).toBe(0)
    expect(run.output).toMatch(/1 skipped, 1 todo, 5 passed/)
  })
})

test('a report goes to the folder of SUITE_SIM_FAILURES', async () => {
  const run = await runTests(VITEST, FAILING, { SUITE_SIM_FAILURES: 'reports' })
  expect(run.code, run.output).toBe(1)
  expect(readdirSync(join(run.folder, 'reports'))).toEqual([
    expect.stringMatching(/^a-test-c?m?js-takes-a-payment-[0-9a-f]{8}$/),
  ])
  expect(existsSync(join(run.folder, '.suite-sim'))).toBe(false)
})

test('Playwright takes the options of the workspace from its configuration', async () => {
  const run = await runTests(
    PLAYWRIGHT,
    "test('has them', ({ workspace }) => { expect(workspace.currency).toBe('PAB') })",
  )
  expect(run.code, run.output).toBe(0)
})
