/** `suite-sim exam --caller`: what it sees of clients of any kind, its reports, and wrong flags. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { examineCaller } from '../../src/exam/caller/examineCaller.ts'
import type { CallerRun } from '../../src/exam/caller/options.ts'
import { compare, describe as describeRecords, type ChangedRecord } from '../../src/exam/caller/records.ts'
import { atEndOfFile } from '../../../../test/support/endOfFile.ts'
import { runHere, serveHere, startHere } from '../../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../../test/support/process.ts'
import { buildApp, type App } from '../../../../src/app.ts'

let started: Promise<{ app: App; url: string }> | null = null

atEndOfFile(async () => {
  const { app } = (await started) ?? {}
  started = null
  await app?.close()
})

async function start() {
  const app = await buildApp({ fixtures: 'none', rateLimits: false })
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

/** A call of the CRM by a client that repeats nothing. */
type Call = (method: string, path: string, body?: object) => Promise<{ status: number; json: never }>

const callOf =
  ({ env, key, signal }: CallerRun): Call =>
  async (method, path, body) => {
    const response = await fetch(`${env['SUITE_SIM_CRM_URL'] ?? ''}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    })
    return { status: response.status, json: (await response.json().catch(() => null)) as never }
  }

/** Examines a client that is a function; returns the grade and the reason of one property. */
async function gradeOf(property: string, client: (call: Call, run: CallerRun) => Promise<void>, more = {}) {
  const { url } = await (started ??= start())
  const results = await examineCaller({
    run: (run) => client(callOf(run), run),
    only: [property],
    receiver: null,
    fixtures: 'small',
    seed: 'exam',
    timeout: 30,
    secret: 'whsec_exam',
    server: { url, adminToken: null },
    ...more,
  })
  const found = results.find(({ name }) => name === property)
  return { ...found, undisturbed: results[0]?.grade }
}

const DEAL = { name: 'Twelve vans', pipeline_id: 'pipe_demo0000000000000001' }

/** Throws unless the call succeeded. */
const mustWork = ({ status }: { readonly status: number }): void => {
  if (status >= 400) throw new Error(`status ${String(status)}`)
}

describe('a client', () => {
  test('that fails undisturbed is not judged further', async () => {
    expect(
      await gradeOf('waits', () => {
        throw new Error('no configuration')
      }),
    ).toMatchObject({ undisturbed: 'fail', grade: 'not judged', reason: 'The client fails undisturbed.' })
  })

  test('that makes no call fails', async () => {
    expect(await gradeOf('waits', () => Promise.resolve())).toMatchObject({ undisturbed: 'fail' })
  })

  test.each([
    ['lost_answer', /writes nothing/],
    ['gateway_timeout', /writes nothing/],
    ['lag', /reads nothing after a write/],
    ['early_webhook', /--receiver/],
    ['moving_pages', /no list in several pages/],
    ['expired_key', /only one call/],
  ])('that reads once does not meet %s', async (property, reason) => {
    const found = await gradeOf(property, async (call) => {
      mustWork(await call('GET', '/deals'))
    })
    expect(found).toMatchObject({ grade: 'not met', reason: expect.stringMatching(reason), runs: [] })
  })

  test('that gives up after a lost answer leaves the rest out', async () => {
    const found = await gradeOf('lost_answer', async (call) => {
      for (const name of ['One', 'Two']) mustWork(await call('POST', '/deals', { ...DEAL, name }))
    })
    expect(found.grade).toBe('fail')
    expect(found.reason).toMatch(
      /: 1 record of crm\.deals is missing at the end, .*\. The client ended with 1: fetch failed\.$/,
    )
    expect(found.proof?.map(({ call }) => [call.method, call.path])).toEqual([['POST', '/crm/v1/deals']])
  })

  test('may choose new values in each run', async () => {
    const found = await gradeOf('lost_answer', async (call) => {
      const name = `Vans ${String(Math.random())}`
      const had = async (): Promise<boolean> =>
        JSON.stringify((await call('GET', '/deals')).json).includes(name)
      await call('POST', '/deals', { ...DEAL, name }).catch(() => undefined)
      if (!(await had())) await call('POST', '/deals', { ...DEAL, name })
    })
    expect(found).toMatchObject({ grade: 'pass', reason: expect.stringContaining('1 write were lost') })
  })

  test('that repeats without pauses, and never gives up, is ended', async () => {
    const found = await gradeOf('server_errors', async (call) => {
      while ((await call('POST', '/deals', DEAL)).status >= 500) await pause(0)
    })
    expect(found).toMatchObject({ grade: 'fail' })
    expect(found.reason).toMatch(/failed each time, and was repeated \d+ times/)
  })

  test('that repeats at once has no pauses that grow', async () => {
    const found = await gradeOf('server_errors', async (call) => {
      for (let attempt = 1; attempt < 4; attempt++) {
        if ((await call('POST', '/deals', DEAL)).status < 500) return
      }
      throw new Error('out of order')
    })
    expect(found).toMatchObject({ grade: 'fail', reason: expect.stringMatching(/pauses .* do not grow/) })
  })

  test('that repeats no 500 is told the call', async () => {
    const found = await gradeOf('server_errors', async (call) => {
      mustWork(await call('POST', '/deals', DEAL))
    })
    expect(found.reason).toMatch(
      /POST \/crm\/v1\/deals got 500 before the work, and was not repeated\. .* status 500\./,
    )
  })

  test('that says success after its key has expired fails', async () => {
    const found = await gradeOf('expired_key', async (call) => {
      await call('POST', '/deals', DEAL)
      await call('POST', '/deals', { ...DEAL, name: 'Two' })
    })
    expect(found).toMatchObject({
      grade: 'fail',
      reason: expect.stringMatching(/1 call got 401.*ended with success/),
    })
  })

  /** Reads the contacts in pages, and again if their number changes in between. */
  const readContacts = async (call: Call, handle: (id: string) => Promise<unknown>): Promise<void> => {
    for (let isStable = false; !isStable;) {
      const counts = new Set<number>()
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { json } = await call('GET', `/contacts?page=${String(page)}&per_page=5`)
        const { data, meta } = json as {
          data: { id: string }[]
          meta: { total_pages: number; total_count: number }
        }
        pages = meta.total_pages
        counts.add(meta.total_count)
        for (const { id } of data) await handle(id)
      }
      isStable = counts.size === 1
    }
  }

  test('that reads again may handle no record twice', async () => {
    const handle = (call: Call) => (id: string) => call('PATCH', `/contacts/${id}`, { position: 'Buyer' })
    expect(await gradeOf('moving_pages', (call) => readContacts(call, handle(call)))).toMatchObject({
      grade: 'fail',
      reason: expect.stringMatching(/con_demo\d+ was handled 2 times instead of 1\. /),
    })
    const once = await gradeOf('moving_pages', async (call) => {
      const known = new Set<string>()
      await readContacts(call, async (id) => {
        if (!known.has(id)) await handle(call)(id)
        known.add(id)
      })
    })
    expect(once).toMatchObject({ grade: 'pass', reason: expect.stringContaining('saw 12 others') })
  })

  test('may add records to the list that it pages', async () => {
    const found = await gradeOf('moving_pages', async (call) => {
      mustWork(await call('POST', '/contacts', { name: 'Nora Paz' }))
      await readContacts(call, () => Promise.resolve())
    })
    expect(found).toMatchObject({ grade: 'pass', reason: expect.stringContaining('saw 12 others') })
  })

  test('that does not end is ended', async () => {
    const found = await gradeOf(
      'slow',
      async (call, { signal }) => {
        await call('POST', '/deals', DEAL)
        const { json } = await call('GET', '/deals')
        if ((json as { data: unknown[] }).data.length > 0) return
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve)
        })
      },
      { timeout: 2 },
    )
    expect(found).toMatchObject({ grade: 'fail', reason: expect.stringContaining('did not end in 2 s') })
  })

  test('can be a service that takes webhooks at a fixed port', async () => {
    const found = await gradeOf(
      'early_webhook',
      async (call) => {
        mustWork(await call('POST', '/deals', DEAL))
      },
      { receiver: 'http://127.0.0.1:1/webhooks' },
    )
    expect(found.runs).toHaveLength(1)
  })
})

describe('records', () => {
  const record = (
    section: string,
    name: string,
    change: ChangedRecord['change'] = 'added',
  ): ChangedRecord => ({
    section,
    id: name,
    change,
    fields: [
      { path: 'id', before: null, after: Math.random(), volatile: true },
      { path: 'name', before: null, after: name },
    ],
    causes: [],
  })

  test.each([
    ['equal', ['a', 'b'], ['b', 'a'], []],
    ['with other values', ['a', 'b'], ['c', 'd'], []],
    ['once more', ['a'], ['a', 'a'], ['1 record of crm.deals exists twice']],
    ['once more with other values', ['a'], ['a', 'c'], ['1 record of crm.deals exists twice']],
    [
      'one twice and one missing',
      ['a', 'b'],
      ['a', 'a'],
      ['1 record of crm.deals exists twice', '1 record of crm.deals is missing at the end'],
    ],
    ['new, and equal', [], ['c', 'c'], ['2 records of crm.deals exist twice']],
    ['missing', ['a', 'b'], [], ['2 records of crm.deals are missing at the end']],
  ])('that are %s', (_name, before, after, expected) => {
    const of = (names: readonly string[]): ChangedRecord[] => names.map((name) => record('crm.deals', name))
    expect(describeRecords(compare(of(before), of(after)))).toEqual(expected)
  })
})

describe('the command', () => {
  const CLIENT = `
    const call = (path, body) => fetch(process.env.SUITE_SIM_CRM_URL + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: 'Bearer ' + process.env.SUITE_SIM_KEY, 'content-type': 'application/json' },
      body,
    })
    const body = JSON.stringify({ name: 'Twelve vans', pipeline_id: 'pipe_demo0000000000000001' })
    for (let attempt = 1; attempt < 4; attempt++) if ((await call('/deals', body)).ok) break
  `
  const exam = (args: readonly string[], folder = scratchFolder()) =>
    runHere(['exam', '--caller', ...args], { folder })

  const CLIENT_ARGS = ['--', process.execPath, '--input-type=module', '-e', CLIENT]

  test('lists the properties', async () => {
    const { code, stdout } = await exam(['--list'])
    expect([code, (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)]).toEqual([
      0,
      expect.arrayContaining(['lost_answer', 'waits']),
    ])
  })

  test('prints JSON in a pipe, and ends with 1 and the names of the properties', async () => {
    const { code, stdout, stderr } = await exam(['--only', 'gateway_timeout,client_errors', ...CLIENT_ARGS])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('failed the exam: gateway_timeout, client_errors'),
    ])
    const report = JSON.parse(stdout) as { summary: object; properties: { calls: object[] }[] }
    expect(report).toMatchObject({
      caller: expect.stringContaining('--input-type=module'),
      seed: 'exam',
      result: 'failed',
      summary: { passed: 1, failed: 2, notMet: 0, notJudged: 0 },
    })
    expect(report.properties[1]?.calls).toMatchObject([
      { method: 'POST', path: '/crm/v1/deals', status: 201, weather: 'answered 504', link: null },
      { method: 'POST', path: '/crm/v1/deals', status: 201, weather: null },
    ])
    expect(stdout).not.toMatch(/\bsim_\w/)
  })

  test('writes text, JUnit and Markdown', async () => {
    const folder = scratchFolder()
    const of = async (...args: string[]): Promise<string> =>
      (await exam(['--only', 'gateway_timeout,lag', ...args, ...CLIENT_ARGS], folder)).stdout
    expect(await of('--report', 'text')).toMatch(
      /fail +gateway_timeout[^]*POST \/crm\/v1\/deals: 201, answered 504[^]*not met +lag[^]*1 passed, 1 failed, 1 not met/,
    )
    expect(await of('--report', 'md')).toMatch(/^# Exam of [^]*\| not met \| `lag` \|/)
    await of('--out', 'exam.xml')
    expect(readFileSync(join(folder, 'exam.xml'), 'utf8')).toMatch(
      /tests="3" failures="1" errors="0" skipped="1"[^]*classname="exam\.caller" name="gateway_timeout: /,
    )
  })

  test('uses a server that runs, and keeps the workspaces of failures with links', async () => {
    const folder = scratchFolder()
    const { url } = await serveHere(['--port', '0', '--db', ':memory:', '--fixtures', 'none'], { folder })
    const { stdout } = await exam([
      '--url',
      url,
      '--only',
      'gateway_timeout,lag',
      '--report',
      'text',
      ...CLIENT_ARGS,
    ])
    const [, workspace = ''] = /_sim\/#\/calls\?workspace=(\S+)/.exec(stdout) ?? []
    const { data } = (await (await fetch(`${url}/_sim/workspaces`)).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual([decodeURIComponent(workspace)])
  })

  test.each([
    [['--caller'], 'needs the command of the client'],
    [['--caller', '--only', 'lost_anwser', '--', 'true'], 'did you mean lost_answer?'],
    [['--caller', '--events', 'deal.created', '--', 'true'], '--events is not for --caller'],
    [['--caller', '--', 'no-such-program'], 'cannot run no-such-program: ENOENT'],
    [['--receiver', 'http://127.0.0.1:1/', '--only', 'waits'], '--only needs --caller'],
    [['--receiver', 'http://127.0.0.1:1/', '--', 'true'], 'a command needs --caller'],
    [[], "required option '--receiver <url>' not specified"],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, stderr } = await runHere(['exam', ...args], { folder: scratchFolder() })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('ends with 1 and one line if the server refuses a workspace', async () => {
    const { code, stderr } = await exam(['--fixtures', 'large', '--', 'true'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^suite-sim: .*fixtures.*\n$/)])
  })

  test('ends its clients on a signal', async () => {
    const folder = scratchFolder()
    const file = join(folder, 'pid')
    const script = `fs.writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`
    const running = startHere(['exam', '--caller', '--', process.execPath, '-e', script], { folder })
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\d/)
    expect(await running.stop('SIGINT')).toBe(1)
    expect(running.stderr()).toContain('ended by SIGINT')
    expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow('ESRCH')
  })

  test('shows both forms in its help', async () => {
    const { stdout } = await runHere(['exam', '--help'], { folder: scratchFolder() })
    expect(stdout).toContain('suite-sim exam --receiver <url>')
    expect(stdout).toContain('suite-sim exam --caller -- <command> [args]')
  })
})
