/** The commands that show the records, calls and messages of a workspace. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runHere, serveHere, sharedHere, startHere } from '../../../../test/support/commandLine.ts'
import {
  BINARY,
  build,
  resetServer,
  scratchFolder,
  start,
  stopAfterTest,
} from '../../../../test/support/process.ts'
import { receiver } from '../../../../test/support/webhooks.ts'

beforeAll(build)

/** Runs commands against the server of the file, for tests that change nothing. */
async function shared() {
  const folder = scratchFolder()
  const { url } = await sharedHere()
  return { folder, url, sim: (...args: string[]) => runHere(args, { folder, variables: { SIM_URL: url } }) }
}

/** Runs commands against a server with the demo, as it started. */
async function observed() {
  const { folder, url, sim } = await shared()
  await resetServer(url)
  const json = async <Result = Record<string, unknown>>(...args: string[]): Promise<Result> => {
    const { code, stdout, stderr } = await sim(...args)
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    return JSON.parse(stdout) as Result
  }
  const products = () =>
    fetch(`${url}/workspace/public/v1/products`, { headers: { authorization: 'Bearer demo-key' } })
  const listen = (...args: string[]) => {
    const running = startHere(['listen', '--url', url, ...args], { folder })
    const { lines, follow } = running
    const next = async () =>
      JSON.parse(((await lines.next()) as { value: string }).value) as Record<string, unknown>
    return { ...running, next, ready: new Promise<void>(follow) }
  }
  const subscriptions = async () =>
    (
      (await (await fetch(`${url}/_sim/workspaces/demo/subscriptions`)).json()) as {
        data: { url: string }[]
      }
    ).data.map((each) => each.url)
  return { folder, url, sim, json, products, listen, subscriptions }
}

interface Rows {
  readonly data: readonly Record<string, unknown>[]
}

test('requests --unmatched lists calls without a workspace, and refuses filters of a workspace', async () => {
  const { json, sim, url } = await observed()
  await fetch(`${url}/nowhere`)
  await fetch(`${url}/nowhere/else`)
  const { data } = await json<Rows>('requests', '--unmatched', '--wait', '10', '--count', '2')
  expect(data).toMatchObject([{ path: '/nowhere/else', status: 404 }, { path: '/nowhere' }])
  expect((await json<Rows>('requests', 'list', '--unmatched', '--limit', '1')).data).toHaveLength(1)
  const headers = { authorization: 'Bearer demo-key' }
  for (const limit of ['1', '2']) await fetch(`${url}/crm/v1/contacts?limit=${limit}`, { headers })
  const har = await json<{ log: { entries: unknown[] } }>('requests', 'list', '--as', 'har')
  const all = await json<Rows>('requests', 'list', '--limit', '1000')
  expect([har.log.entries.length, all.data.length]).toEqual([2, 2])
  expect(
    (await json<typeof har>('requests', 'list', '--as', 'har', '--limit', '1')).log.entries,
  ).toHaveLength(1)
  for (const [flag, value] of [
    ['--status', '4xx'],
    ['--body', 'desk'],
  ] as const) {
    const refused = await sim('requests', '--unmatched', flag, value)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain(`${flag} must not be used with --unmatched`)
  }
})

test('faults and requests show injected faults in the request log', async () => {
  const { json, sim, products } = await observed()
  const fault = await json<{ id: string }>(
    ...['faults', 'add', '--interface', 'catalog', '--path', '/products', '--status', '503', '--times', '1'],
    ...['--body', '{"a":1}', '--header', 'retry-after: 2', '--probability', '1'],
  )
  expect((await json<Rows>('faults')).data).toMatchObject([
    { id: fault.id, status: 503, times: 1, body: { a: 1 }, headers: { 'retry-after': '2' } },
  ])
  expect((await products()).status).toBe(503)
  expect((await products()).status).toBe(200)
  const { data } = await json<Rows>('requests', '--status', '5xx', '--interface', 'catalog')
  expect(data).toMatchObject([{ status: 503, path: '/workspace/public/v1/products' }])
  expect((await json<Rows>('requests', '--limit', '1')).data).toMatchObject([{ status: 200 }])
  expect((await json<Rows>('requests', '--body', 'NO SUCH TEXT')).data).toEqual([])
  expect((await json<Rows>('requests', '--body', '"DATA":', '--method', 'GET')).data).toMatchObject([
    { status: 200 },
  ])
  const id = String(data[0]?.['id'])
  expect(await json('requests', 'show', id)).toMatchObject({ id, hints: expect.anything() })
  expect((await sim('requests', 'show', id, '--as', 'curl')).stdout).toMatch(/^curl /)
  expect(await json('requests', 'clear')).toEqual({ cleared: true })
  expect((await json<Rows>('requests')).data).toEqual([])
  await json('faults', 'add', '{"interface":"catalog","status":500}')
  expect(await json('faults', 'clear')).toEqual({ cleared: true })
  const { id: last } = await json<{ id: string }>('faults', 'add', '--preset', 'outage')
  expect(await json('faults', 'delete', last)).toEqual({ id: last, deleted: true })
  expect((await json<Rows>('faults')).data).toEqual([])
})

test('faults release lets calls go on, and faults lists those that wait', async () => {
  const { json, sim, url, products } = await observed()
  const { id } = await json<{ id: string }>('faults', 'add', '--hold', '--interface', 'catalog')
  const held = [products(), products(), products()]
  const waiting = async () => ((await json<Rows>('faults')).data[0]?.['waiting'] ?? []) as { id: string }[]
  await expect.poll(waiting).toHaveLength(3)
  const [, , last] = await waiting()
  const list = await runHere(['faults'], {
    folder: scratchFolder(),
    variables: { SIM_URL: url },
    terminal: true,
  })
  expect(list.stdout).toMatch(/^fault_\d+ +\{"interface":"catalog","hold":true,/m)
  expect(
    list.stdout.match(/^ +req_\d+ waits since \S+Z: GET \/workspace\/public\/v1\/products$/gm),
  ).toHaveLength(3)
  expect(await json('faults', 'release', id, String(last?.id))).toEqual({ released: 1, waiting: 2 })
  expect((await sim('faults', 'release', id, 'req_0')).stderr).toContain('calls must be calls that wait')
  expect(await json('faults', 'release', id, '--count', '1')).toEqual({ released: 1, waiting: 1 })
  expect(await json('faults', 'release', id)).toEqual({ released: 1, waiting: 0 })
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('faults add sets faults of answers, limits, lags and random delays', async () => {
  const { json } = await observed()
  for (const flags of [
    ['--after', '--reset', '--delay-ms', '100-900'],
    ['--limit', '10/PT1M', '--delay-ms', '250'],
    ['--lag', 'PT2S'],
    ['--delivery', 'before_answer'],
  ])
    await json('faults', 'add', ...flags)
  expect((await json<Rows>('faults')).data).toMatchObject([
    { after: true, reset: true, delayMs: { min: 100, max: 900 } },
    { limit: { calls: 10, per: 'PT1M' }, delayMs: 250 },
    { lag: 'PT2S' },
    { delivery: 'before_answer' },
  ])
})

test('faults add sets conditions, a template and a case', async () => {
  const { json, url } = await observed()
  const { workspace, key } = await json<{ workspace: { id: string; cases: boolean }; key: string }>(
    ...['workspace', 'create', 'Cases', '--cases'],
  )
  expect(workspace.cases).toBe(true)
  await json(
    ...['faults', 'add', '--workspace', workspace.id, '--case', 'echo', '--template', '--status', '202'],
    ...[
      '--body',
      '{"name":"{{request.body.name}}"}',
      '--when-header',
      'x-a: 1',
      'x-b: {"matches":"^2"}',
      'x-c:null',
    ],
    ...[
      '--when-query',
      'limit=10',
      'q={"contains":"a=b"}',
      '--when-body',
      '{"type":"service"}',
      '--when-text',
      'Dé',
    ],
  )
  const { data } = await json<Rows>('faults', '--workspace', workspace.id)
  expect(data).toMatchObject([
    {
      case: 'echo',
      template: true,
      when: {
        headers: { 'x-a': '1', 'x-b': { matches: '^2' }, 'x-c': null },
        query: { limit: '10', q: { contains: 'a=b' } },
        body: { type: 'service' },
        bodyContains: 'Dé',
      },
    },
  ])
  const answer = await fetch(`${url}/workspace/public/v1/products?limit=10&q=xa%3Dbx`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...{ 'x-sim-case': 'echo', 'x-a': '1', 'x-b': '22' },
    },
    body: '{"name":"Désk","type":"service"}',
  })
  expect([answer.status, await answer.json()]).toEqual([202, { name: 'Désk' }])
})

test('records, deliveries, emails and clock show the workspace', async () => {
  const { json, sim, folder, url } = await observed()
  const arrived = await receiver()
  expect((await json<Rows>('records')).data).toEqual(
    expect.arrayContaining([expect.objectContaining({ section: 'payments.links' })]),
  )
  const page = await json<Rows & { nextCursor: string }>('records', 'payments.links', '--limit', '1')
  const [first] = page.data
  const again = await json<Rows>('records', 'list', 'payments.links', '--cursor', page.nextCursor)
  expect(again.data[0]).not.toEqual(first)
  const id = String(first?.['id'])
  expect(await json('records', 'show', 'payments.links', id)).toMatchObject({ record: { id } })

  await fetch(`${url}/_sim/workspaces/demo/subscriptions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ interface: 'pos', url: arrived.url }),
  })
  await json('trigger', 'pos.event.emit', '--event', 'sale.completed')
  const sent = await json<Rows>(
    'deliveries',
    '--event',
    'sale.completed',
    '--status',
    'delivered',
    '--wait',
    '20',
  )
  expect(sent.data).toMatchObject([{ event: 'sale.completed', status: 'delivered' }])
  const delivery = String(sent.data[0]?.['id'])
  const subscription = String(sent.data[0]?.['subscriptionId'])
  expect(await json('deliveries', 'list', '--subscription', subscription)).toEqual(sent)
  expect(await json('deliveries', 'redeliver', delivery)).toEqual({ redelivered: [delivery] })
  await arrived.received(2)
  expect(await sim('deliveries', 'redeliver', 'none')).toMatchObject({ code: 1, stdout: '' })
  await json('deliveries', 'list', '--event', 'sale.completed', '--status', 'delivered', '--wait', '300')
  expect(await json('deliveries', 'redeliver', '--status', 'delivered', '--event', 'sale.completed')).toEqual(
    {
      count: 1,
    },
  )
  await arrived.received(3)
  expect(await json('deliveries', 'redeliver', '--status', 'dead')).toEqual({ count: 0 })

  const { data: emails } = await json<Rows>('emails', '--limit', '100')
  const email = emails.find(({ attachments }) => (attachments as object[]).length > 0) ?? emails[0]
  if (email) {
    const emailId = String(email['id'])
    expect(await json('emails', 'show', emailId)).toMatchObject({ id: emailId })
    expect((await sim('emails', 'show', emailId, '--eml')).stdout).toContain('Subject:')
    const [file] = email['attachments'] as { size: number }[]
    if (file) {
      await json('emails', 'attachment', emailId, '0', '--out', 'file.bin')
      expect(readFileSync(join(folder, 'file.bin')).length).toBe(file.size)
    }
  }
  const now = '2027-01-02T03:04:05.000Z'
  expect(await json('clock', 'freeze')).toMatchObject({ frozen: true })
  expect(await json('clock', 'set', now)).toEqual({ now, frozen: true })
})

test('readings lists the alternatives of a workspace and chooses others', async () => {
  const { json, sim } = await observed()
  const created = await json<{ workspace: { id: string; readings: Record<string, string> } }>(
    'workspace',
    'create',
    '--readings',
    'scopes.unlisted=any',
  )
  const { id } = created.workspace
  expect(created.workspace.readings).toMatchObject({ 'scopes.unlisted': 'any' })

  const chosen = 'payments.refund_event=requested,recruiting.delete_vacancy=200'
  expect(await json('readings', 'set', chosen, '--workspace', id)).toMatchObject({
    'payments.refund_event': 'requested',
    'recruiting.delete_vacancy': '200',
    'scopes.unlisted': 'any',
  })
  const { data } = await json<Rows>('readings', '--workspace', id)
  expect(data.find(({ name }) => name === 'payments.refund_event')).toMatchObject({
    value: 'requested',
    alternatives: [{ value: 'completed' }, { value: 'requested' }],
  })
  const wrong = await sim('readings', 'set', 'scopes.unlistd=any', '--workspace', id)
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('did you mean scopes.unlisted?')])
  const malformed = await sim('readings', 'set', 'any', '--workspace', id)
  expect([malformed.code, malformed.stderr]).toEqual([2, expect.stringContaining('It must be name=value')])
})

describe('prints one line and exits with 2', () => {
  test.each([
    [['clock', 'advance', '7d'], 'must be an ISO 8601 duration, not 7d; did you mean P7D?'],
    [['clock', 'advance', '1h30m'], 'did you mean PT1H30M?'],
    [['clock', 'advance', '2 days 3 hours'], 'did you mean P2DT3H?'],
    [['requests', 'shw'], "there is no command 'requests shw'; did you mean requests show?"],
    [
      ['faults', 'add', '{"status":500}', '--status', '500'],
      'a fault must be flags or one JSON object, not both',
    ],
    [['faults', 'add', 'outage'], "a fault must be one JSON object, not 'outage'"],
    [['faults', 'add', '--header', 'x'], "--header must be NAME: VALUE, not 'x'"],
    [['faults', 'add', '--when-header', 'x'], "--when-header must be NAME: VALUE, not 'x'"],
    [['faults', 'add', '--when-query', 'x'], "--when-query must be NAME=VALUE, not 'x'"],
    [
      ['faults', 'add', '--when-query', 'page=1', '--when-query', 'page=2'],
      '--when-query must have each name once, not page again',
    ],
    [
      ['faults', 'add', '--when-header', 'a: 1', 'A: 2'],
      '--when-header must have each name once, not a again',
    ],
    [['faults', 'add', '--when-body', '[1]'], "--when-body must be one JSON object, not '[1]'"],
    [['faults', 'add', '--probability', '2'], 'It must be a number from 0 to 1.'],
    [['faults', 'add', '--delay-ms', '1-'], 'It must be a whole number, or two such as 100-900.'],
    [['faults', 'add', '--limit', '10'], 'It must be CALLS/DURATION, such as 10/PT1M.'],
    [['faults', 'release', 'fault_1', 'req_1', '--count', '1'], 'release takes calls or --count, not both'],
    [['faults', 'delete', '..'], 'id must not be ".."'],
    [['requests', 'show', '..'], 'id must not be ".."'],
    [['emails', 'show', ''], 'id must not be empty'],
    [['records', 'show', 'payments.links', '..'], 'id must not be ".."'],
    [['deliveries', 'redeliver', '.'], 'id must not be "."'],
    [['deliveries', 'redeliver'], 'redeliver needs ids, or flags that select deliveries'],
    [['deliveries', 'redeliver', 'one', '--status', 'dead'], 'it does not take both'],
    [['deliveries', 'redeliver', '--status', 'ded'], '--status'],
    [
      ['listen', '--events', 'sale.completd'],
      "there is no event 'sale.completd'; did you mean sale.completed?",
    ],
    [['listen', '--interface', 'poss', '--print'], "there is no interface 'poss'; did you mean pos?"],
    [
      ['listen', '--events', 'payments'],
      'payments is an interface; use --interface payments, or the names of its events\n',
    ],
    [
      ['listen', '--events', 'qqqqqq'],
      "there is no event 'qqqqqq'; GET /_sim/workspaces/{id}/coverage lists the events\n",
    ],
    [['listen', '--interface', 'qqqqqq', '--print'], "there is no interface 'qqqqqq'; use one of catalog, "],
    [['listen', '--secret', 'x'], '--secret needs --forward-to or --print'],
    [['listen', '--interface', 'pos'], '--interface needs --forward-to or --print'],
    [['listen', '--print', '--secret', 'x'.repeat(201)], '--secret must have 1 to 200 characters'],
    [
      ['listen', ...Array.from({ length: 11 }, () => ['--forward-to', 'http://127.0.0.1:1']).flat()],
      '--forward-to must be given at most 10 times',
    ],
    [['listen', '--events', ','], 'It must be names, separated by commas.'],
  ])('for %j', async (args, words) => {
    const { sim } = await shared()
    const { code, stdout, stderr } = await sim(...args)
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect(stderr).toContain(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

describe('listen', () => {
  test('accepts ten targets, a secret of 200 characters, and events in several flags', async () => {
    const { sim, url, folder } = await shared()
    const targets = Array.from({ length: 10 }, () => ['--forward-to', 'http://127.0.0.1:1']).flat()
    const events = ['--events', 'sale.completed', '--events', 'stock.low']
    const secret = ['--secret', 'x'.repeat(200)]
    const listening = startHere(['listen', '--url', url, ...targets, ...events, ...secret], { folder })
    await expect.poll(() => listening.stderr().split('Sending')).toHaveLength(11)
    expect(await listening.stop('SIGINT')).toBe(0)
    const unknown = await sim('listen', '--events', 'sale.completd', '--events', 'stock.low')
    expect(unknown.stderr).toContain("there is no event 'sale.completd'")
  })

  test('prints events without subscriptions, limited to the named ones', async () => {
    const { listen, json } = await observed()
    const { stop, next } = listen('--events', 'stock.low')
    const emit = () => json('trigger', 'pos.event.emit', '--event', 'sale.completed')
    const first = next()
    // It may not be connected to the stream yet.
    const received: unknown[] = []
    void first.then((value) => received.push(value))
    while (received.length === 0) {
      await emit()
      await json('trigger', 'pos.event.emit', '--event', 'stock.low')
    }
    expect(await first).toMatchObject({ kind: 'event', title: 'pos stock.low' })
    expect(await stop('SIGINT')).toBe(0)
  })

  test('receives, verifies and forwards webhooks with --print, and removes its subscription', async () => {
    const { listen, json, subscriptions } = await observed()
    const arrived = await receiver()
    const before = await subscriptions()
    const { stop, next, ready } = listen(
      ...['--print', '--events', 'sale.completed', '--kind', 'email', '--forward-to', arrived.url],
    )
    await ready
    await json('trigger', 'pos.event.emit', '--event', 'stock.low')
    await json('trigger', 'pos.event.emit', '--event', 'sale.completed')
    const printed = await next()
    expect(printed).toMatchObject({
      kind: 'webhook',
      event: 'sale.completed',
      attempt: 1,
      verified: true,
      payload: { event: 'sale.completed' },
    })
    await arrived.received(1)
    expect(await stop('SIGINT')).toBe(0)
    expect(await subscriptions()).toEqual(before)
  })

  test('prints webhooks without an envelope, with the id of the delivery', async () => {
    const { listen, json } = await observed()
    await json('readings', 'set', 'conversations.webhook_payload=flat')
    const { stop, next, ready } = listen('--print', '--events', 'contact_created', '--kind', 'email')
    await ready
    const message = { inbox_id: 1, content: 'Hello', contact: { name: 'Marta' } }
    await json('trigger', 'conversations.message.receive', JSON.stringify(message))
    expect(await next()).toMatchObject({
      kind: 'webhook',
      id: expect.stringMatching(/^[a-z0-9]{24}$/) as unknown,
      event: 'contact_created',
      verified: true,
      payload: { event: 'contact_created', name: 'Marta', account: { id: 1 } },
    })
    await stop('SIGINT')
    await json('readings', 'set', 'conversations.webhook_payload=nested')
  })

  test('ends silently when its output is closed, and removes its subscriptions', async () => {
    const { listen, products, subscriptions } = await observed()
    const before = await subscriptions()
    const { closePipe, ended, next, ready } = listen('--print', '--interface', 'pos')
    await ready
    await products()
    await next()
    closePipe()
    await products()
    expect(await ended).toMatchObject({ code: 0 })
    expect(await subscriptions()).toEqual(before)
  })
})

test('ends a command silently when its pipe is closed', async () => {
  const child = spawn(
    'bash',
    ['-c', `"${process.execPath}" "${BINARY}" openapi | head -1; echo \${PIPESTATUS[0]}`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  stopAfterTest(child)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  expect({ stdout, stderr }).toEqual({ stdout: '{\n0\n', stderr: '' })
})

test('names the running server on a second start with the same port or database', async () => {
  const folder = scratchFolder()
  const first = await start(['--port', '0', '--db', 'a.sqlite'], { folder })
  const { port } = new URL(first.url)
  expect(await runHere(['--port', port, '--db', 'b.sqlite'], { folder })).toMatchObject({
    code: 1,
    stderr: `suite-sim: cannot listen at 127.0.0.1 port ${port}: a suite simulator runs at ${first.url}\n`,
  })
  expect(await runHere(['--port', '0', '--db', 'a.sqlite'], { folder })).toMatchObject({
    code: 1,
    stderr: `suite-sim: cannot use a.sqlite: another process is using it: a suite simulator runs at ${first.url}\n`,
  })
  expect(await first.stop('SIGTERM')).toBe(0)
  const second = await serveHere(['--port', '0', '--db', 'a.sqlite'], { folder })
  expect(second.url).not.toBe('')
})
