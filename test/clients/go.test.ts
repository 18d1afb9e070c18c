/** The Go client: its own tests against a server, formatting, and what a failed test shows. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runIn } from '../support/packed.ts'
import { BINARY, build, ROOT, scratchFolder, start, type Ended } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'

const CLIENT = join(ROOT, 'clients/go')

const runGo = (
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  folder = CLIENT,
): Promise<Ended> =>
  runIn(folder, ['go', ...args], {
    // Nothing is downloaded.
    GOPROXY: 'off',
    GOFLAGS: '-mod=mod',
    SUITE_SIM_COMMAND: `${process.execPath} ${BINARY}`,
    ...variables,
  })

/** Results are not cached, because Go does not know that the server is an input. */
const TEST = ['test', '-count=1', '-v']
const ONE = [...TEST, '-run', 'TestTakesAPayment', '.']

describeWith('Go', 'Go client', () => {
  beforeAll(build)

  test('passes its tests with a simulator that it starts', async () => {
    const { code, stdout, stderr } = await runGo([...TEST, './...'])
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/^--- PASS: TestTakesAPayment/m)
    expect(stdout).not.toContain('--- SKIP')
  })

  test('passes its tests against a server with a token, and leaves no workspaces', async () => {
    const flags = ['--db', ':memory:', '--port', '0', '--admin-token', 'open-sesame']
    const { url } = await start(['serve', ...flags], { folder: scratchFolder() })
    const ended = await runGo([...TEST, '.'], { SUITE_SIM_URL: url, SIM_ADMIN_TOKEN: 'open-sesame' })
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    const headers = { authorization: 'Bearer open-sesame' }
    const response = await fetch(`${url}/_sim/workspaces`, { headers })
    const { data } = (await response.json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['demo'])
  })

  test('logs the calls, hints and deliveries of a failed test, and of no other', async () => {
    const { code, stdout } = await runGo([...TEST, './simtest/testdata/failing'])
    expect(code).toBe(1)
    expect(stdout).toContain('the error of the test')
    expect(stdout.match(/Suite Simulator, workspace/g)).toHaveLength(1)
    expect(stdout).toMatch(/Suite Simulator, workspace \S+ \(TestFails\):\s+Calls:/)
    expect(stdout).toMatch(/GET \/crm\/v1\/contacts 200\s+POST \/pay\/v1\/payment-links 4\d\d \w+: .*amount/)
    expect(stdout).toMatch(/Hints:\s+unknown_query_parameter: .*colour/)
    expect(stdout).toMatch(/sale\.completed to http:\S+: dead, attempts: 1, the receiver responded with 410/)
  })

  test('explains a server that cannot be reached or started', async () => {
    const unreachable = await runGo(ONE, { SUITE_SIM_URL: 'http://127.0.0.1:1' })
    expect(unreachable.code).toBe(1)
    expect(unreachable.stdout).toContain('No simulator responds at http://127.0.0.1:1/_sim')
    const missing = await runGo(ONE, { SUITE_SIM_COMMAND: '/nowhere/suite-sim' })
    expect(missing.code).toBe(1)
    expect(missing.stdout).toContain('/nowhere/suite-sim serve --db :memory: --port 0 could not be started')
    const ended = await runGo(ONE, { SUITE_SIM_COMMAND: `${process.execPath} ${BINARY} --sede` })
    expect(ended.stdout).toMatch(/ended: .*--sede/)
  })

  test('is formatted and has no findings of vet, also for Windows', async () => {
    const formatted = await runIn(CLIENT, ['gofmt', '-l', '.'])
    expect(formatted).toMatchObject({ code: 0, stdout: '', stderr: '' })
    for (const variables of [{}, { GOOS: 'windows', CGO_ENABLED: '0' }]) {
      const vetted = await runGo(['vet', './...', './simtest/testdata/failing'], variables)
      expect(vetted.code, vetted.stderr).toBe(0)
    }
  })

  test('passes the test in its README', async () => {
    const [, code = ''] = /```go\n([\s\S]+?)```/.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? []
    const folder = scratchFolder()
    writeFileSync(join(folder, 'shop_test.go'), code)
    const lines = ['module shop', 'go 1.19', 'require suitesimulator.dev/suitesim v0.0.0']
    writeFileSync(
      join(folder, 'go.mod'),
      [...lines, `replace suitesimulator.dev/suitesim => ${CLIENT}`, ''].join('\n'),
    )
    const ended = await runGo([...TEST, './...'], {}, folder)
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    expect(ended.stdout.match(/(?<=^--- PASS: )\w+/gm)?.sort()).toEqual([
      'TestShowsAFailedRefund',
      'TestTakesAPayment',
    ])
  })
})
