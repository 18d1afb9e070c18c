/** The commands that control a running server. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runHere, sharedHere, startHere } from '../../../test/support/commandLine.ts'
import { resetServer, scratchFolder } from '../../../test/support/process.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import { VERSION } from '@suite-sim/kit/version'

/** Runs commands against a server of the file, for tests that change nothing. */
async function shared(adminToken?: string) {
  const folder = scratchFolder()
  const { url } = await sharedHere(adminToken === undefined ? [] : ['--admin-token', adminToken])
  return { folder, url, sim: (...args: string[]) => runHere(args, { folder, variables: { SIM_URL: url } }) }
}

/** Runs commands against a server with the demo, as it started. */
async function steered(adminToken?: string) {
  const { url, sim, folder } = await shared(adminToken)
  await resetServer(url, adminToken)
  return {
    folder,
    url,
    sim,
    /** Returns the output of a command, which must succeed. */
    async json<Result = Record<string, unknown>>(...args: string[]): Promise<Result> {
      const { code, stdout, stderr } = await sim(...args)
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
      return JSON.parse(stdout) as Result
    },
  }
}

describe('a misspelled name', () => {
  test.each([
    [['trigger', 'pos.event.emit', '--event', 'sale.complete'], 'did you mean sale.completed?'],
    [['trigger', 'pos.event.emit', '{"event":"sale.complete"}'], 'did you mean sale.completed?'],
    [['deliveries', 'list', '--event', 'sale.complete'], 'did you mean sale.completed?'],
    [['requests', 'list', '--interface', 'paymnts'], 'Did you mean payments?'],
  ])('in %j is named with the nearest', async (args, says) => {
    const { sim } = await shared()
    const { code, stderr } = await sim(...args)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(says)
  })

  test('that is like no other is refused by the server', async () => {
    const { sim } = await shared()
    expect((await sim('trigger', 'pos.event.emit', '--event', 'zzz')).stderr).toContain(
      'event must be one of',
    )
    expect((await sim('requests', 'list', '--interface', 'zzz')).stderr).toContain('interface must be one of')
  })
})

describe('commands against a server', () => {
  test('create, list, show and delete workspaces', async () => {
    const { json, sim } = await steered()
    const made = await json<{ workspace: { id: string }; key: string }>(
      'workspace',
      'create',
      'mine',
      '--fixtures',
      'demo',
    )
    const { id } = made.workspace
    const { data } = await json<{ data: { id: string }[] }>('workspace')
    expect(data.map((each) => each.id).sort()).toEqual(['demo', id].sort())
    expect(await json('workspace', 'show', id)).toMatchObject({ id, name: 'mine' })
    expect(await json('workspace', 'delete', id)).toEqual({ id, deleted: true })
    expect(await sim('workspace', 'show', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: `suite-sim: There is no workspace ${id}.\n`,
    })
  })

  test('create a workspace from a named snapshot of another', async () => {
    const { json, sim } = await steered()
    await json('snapshot', 'save', 'a.b-1', '--workspace', 'demo')
    const of = (fixtures: string) => ['workspace', 'create', '--fixtures', fixtures]
    const { workspace } = await json<{ workspace: { id: string; currency: string } }>(...of('demo@a.b-1'))
    expect(await json('diff', '--workspace', workspace.id)).toMatchObject({ summary: { added: 0 } })
    expect((await sim(...of('demo@a.b-2'))).stderr).toBe(
      'suite-sim: The workspace demo has no snapshot a.b-2; did you mean a.b-1?\n',
    )
    expect((await sim(...of('demo@shop.json'))).stderr).toContain('cannot read the file')
  })

  test('delete all workspaces with the given labels, and no others', async () => {
    const { json } = await steered()
    const create = async (...labels: string[]) => {
      const flags = labels.flatMap((label) => ['--label', label])
      return (await json<{ workspace: { id: string } }>('workspace', 'create', ...flags)).workspace.id
    }
    await create('team:a', 'branch:x')
    await create('team:a', 'branch:x')
    const kept = [await create('team:a', 'branch:y'), await create('team:b', 'branch:x')]
    const labels = ['--label', 'team:a', '--label', 'branch:x']
    const listed = await json<{ data: object[] }>('workspace', 'list', ...labels)
    expect(listed.data).toHaveLength(2)
    expect(await json('workspace', 'delete', ...labels)).toEqual({ count: 2 })
    const { data } = await json<{ data: { id: string }[] }>('workspace', 'list')
    expect(data.map(({ id }) => id).sort()).toEqual(['demo', ...kept].sort())
    expect(await json('workspace', 'delete', '--label', 'team:nobody')).toEqual({ count: 0 })
  })

  test('take commas and colons in the value of a label', async () => {
    const { json } = await steered()
    const label = ['--label', 'run:a,b:c']
    const { workspace } = await json<{ workspace: { id: string } }>('workspace', 'create', ...label)
    expect(workspace).toMatchObject({ labels: { run: 'a,b:c' } })
    expect(await json('workspace', 'delete', ...label)).toEqual({ count: 1 })
  })

  test('add up the values of a repeated flag with a list', async () => {
    const { json, sim, url } = await steered()
    const readings = ['--readings', 'scopes.unlisted=any', '--readings', 'payments.refund_event=requested']
    const { workspace } = await json<{ workspace: object }>('workspace', 'create', ...readings)
    expect(workspace).toMatchObject({
      readings: { 'scopes.unlisted': 'any', 'payments.refund_event': 'requested' },
    })
    const shards = ['--shards', url, '--shards', 'http://127.0.0.1:1']
    const { code, stdout, stderr } = await sim('workspace', 'list', ...shards)
    expect(JSON.parse(stdout)).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: 'demo' })]),
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('http://127.0.0.1:1 does not'),
    })
  })

  test('name the workspace of a control token that opens no other one', async () => {
    const { json, sim } = await steered()
    const { workspace, controlToken } = await json<{ workspace: { id: string }; controlToken: string }>(
      'workspace',
      'create',
    )
    const token = ['--admin-token', controlToken]
    const refusal = `suite-sim: This control token opens only the workspace ${workspace.id}.`
    const hint = ` Choose it with --workspace ${workspace.id} or SIM_WORKSPACE=${workspace.id}.`
    for (const args of [['clock'], ['snapshot', 'save', 'one'], ['listen', '--for', '5']]) {
      expect([args, await sim(...args, ...token)]).toEqual([
        args,
        { code: 1, stdout: '', stderr: `${refusal}${hint}\n` },
      ])
    }
    expect(await json('clock', ...token, '--workspace', workspace.id)).toHaveProperty('now')
    // This command has no --workspace.
    expect((await sim('workspace', 'show', 'demo', ...token)).stderr).toBe(`${refusal}\n`)
  })

  test('save and restore records by name and in a file', async () => {
    const { json, folder } = await steered()
    expect(await json('snapshot', 'save', 'before')).toMatchObject({ name: 'before' })
    const { data } = await json<{ data: { name: string }[] }>('snapshot')
    expect(data.map(({ name }) => name)).toEqual(['before'])
    expect(await json('snapshot', 'load', 'before')).toEqual({ workspace: 'demo', loaded: 'before' })
    await json('snapshot', 'save', '--file', 'kept.json')
    expect(existsSync(join(folder, 'kept.json'))).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8'))).toBeTypeOf('object')
    expect(await json('snapshot', 'load', '--file', 'kept.json')).toMatchObject({ loaded: 'kept.json' })
  })

  test('freeze, set and resume the clock', async () => {
    const { json } = await steered()
    const at = '2026-12-01T12:00:00.000Z'
    expect(await json('clock', 'freeze', '--at', at)).toEqual({ now: at, frozen: true })
    expect(await json('clock', 'advance', 'PT1H')).toMatchObject({ now: '2026-12-01T13:00:00.000Z' })
    expect(await json('clock')).toEqual({ now: '2026-12-01T13:00:00.000Z', frozen: true })
    expect(await json('clock', 'resume')).toMatchObject({ frozen: false })
  })

  test('put a record into a state, and print the way as JSON, commands or code', async () => {
    const { json, sim } = await steered()
    const fields = '{"description":"A chair"}'
    const reached = await json<{ record: { data: object }; state: string; way: object[] }>(
      ...['reach', 'payments.links', 'paid', '--fields', fields],
    )
    expect(reached).toMatchObject({ state: 'paid', record: { data: { description: 'A chair' } } })
    expect(reached.way).toHaveLength(2)
    const code = await sim('reach', 'catalog.products', 'draft', '--as', 'code')
    expect(code.stdout).toMatch(
      /^\/\/ Create a product\.\nawait workspace\.fetch\('catalog', '\/products', .*\n$/,
    )
    expect((await sim('reach', 'catalog.products', 'draft', '--as', 'curl')).stdout).toContain(
      'curl -sSf -X POST',
    )
    expect((await sim('reach', 'payments.links', 'payd')).stderr).toContain('did you mean paid?')
    for (const [record, message] of [
      ['payments.refunds', 'payments.refunds: processing, completed, failed'],
      ['payments.refund_', 'did you mean payments.refund?'],
    ] as const)
      expect(await sim('reach', record)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(message) as string,
      })
    expect((await sim('reach', 'payments.links', 'paid', '--fields', '[]')).stderr).toContain(
      '--fields must be a JSON object',
    )
  })

  test('fire triggers with typed flags and with JSON', async () => {
    const { json } = await steered()
    const score = ['--rfc', 'XAXX010101000', '--nombre', 'Uno', '--flagged']
    await json('trigger', 'tax-invoicing.taxpayer.register', ...score)
    await json('trigger', 'pos.day.run', '--sales=1')
    expect(await json('trigger', 'signage.pairing_code.issue')).toHaveProperty('pairing_code')
    expect(await json('trigger', 'pos.day.run', '{"sales":1}')).toHaveProperty('events')
    const { data } = await json<{ data: { name: string }[] }>('trigger')
    expect(data.map(({ name }) => name)).toContain('payments.link.pay')
  })

  test.each([
    [
      ['trigger', 'payments.link.pya'],
      "there is no trigger 'payments.link.pya'; did you mean payments.link.pay?",
    ],
    [['trigger', 'payments.link.pay', '--lnk_id', '1'], 'did you mean --link_id?'],
    [['trigger', 'payments.link.pay', '--link_id'], '--link_id needs a value'],
    [['trigger', 'payments.link.pay', 'nothing'], "or one JSON object, not 'nothing'"],
    [['trigger', '--jsn'], "unknown option '--jsn'"],
    [['workspace', 'lst'], "there is no command 'workspace lst'; did you mean workspace list?"],
    [['snapshot', 'save'], 'a snapshot must have a name or a --file'],
    [['snapshot', 'save', 'one', '--file', 'two'], 'a name or a --file, not both'],
    [['coverage', '--format', 'tables'], 'Allowed choices are json, text, mermaid.'],
    [['clock', 'advance'], "missing required argument 'duration'"],
    [['lisen'], 'did you mean listen?'],
    [['workspace', 'delete', '..'], 'workspace must not be ".."'],
    [['workspace', 'delete'], 'a deletion must have the id of a workspace or --label'],
    [['workspace', 'delete', 'demo', '--label', 'team:a'], 'id of a workspace or --label, not both'],
    [['workspace', 'delete', '--label', ''], 'It must be name:value'],
    [['workspace', 'delete', '--label', 'team:a', '--label', 'team:b'], 'It must contain each name once.'],
    [['workspace', 'create', '--readings', 'a=1', '--readings', 'a=2'], 'It must contain each name once.'],
    [['workspace', 'show', ''], 'workspace must not be empty'],
    [['clock', 'show', '--workspace', '.'], 'workspace must not be "."'],
    [['snapshot', 'load', '..'], 'name must not be ".."'],
    [['trigger', '..'], "there is no trigger '..'"],
    [['listen', '--workspace', '..', '--for', '0.1'], 'workspace must not be ".."'],
    [['openapi', '--interface', '..'], 'interface must not be ".."'],
    [['clock', '--ulr', 'x'], 'Did you mean --url?'],
    [['completion', 'fsh'], "no completion exists for 'fsh'"],
  ])('print one line and exit with 2 for %j', async (args, words) => {
    const { sim } = await shared()
    const { code, stdout, stderr } = await sim(...args)
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect(stderr).toContain(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('print the message of the server and exit with 1 if it refuses or does not run', async () => {
    const { sim } = await steered()
    expect(await sim('trigger', 'payments.link.pay')).toMatchObject({
      code: 1,
      stderr: 'suite-sim: link_id is required\n',
    })
    const { code, stderr } = await sim('clock', '--url', 'http://127.0.0.1:1')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^suite-sim: http:\/\/127\.0\.0\.1:1 does not respond: .+\n$/)
  })

  test('show coverage as JSON, as text and as Mermaid', async () => {
    const { json, sim } = await steered()
    expect(await json('coverage')).toHaveProperty('summary.operations')
    expect(await json('coverage', '--server')).toHaveProperty('summary.operations')
    expect((await sim('coverage', '--format', 'mermaid')).stdout).toContain('stateDiagram-v2')
  })

  test('show what changed as JSON and as text', async () => {
    const { json, sim } = await steered()
    await json('snapshot', 'save', 'before')
    await json('trigger', 'crm.segment.define', '--name', 'All', '--filters', '{}')
    expect(await json('diff', '--from', 'before')).toMatchObject({
      summary: { added: 1, changed: 0, removed: 0 },
      data: [{ section: 'crm.segments', change: 'added' }],
    })
    expect((await sim('diff', '--from', 'before', '--format', 'text')).stdout).toMatch(
      /^1 change since before: 1 added, 0 changed, 0 removed\n\n\+ crm\.segments \S+\n/,
    )
    expect(await json('diff', '--from', 'before', '--section', 'catalog')).toMatchObject({ data: [] })
    expect(await sim('diff', '--from', 'befor')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'suite-sim: There is no snapshot befor; did you mean before?\n',
    })
    expect(await sim('diff', '--format', 'xml')).toMatchObject({ code: 2, stdout: '' })
  })

  test('show the admin token', async () => {
    const { json, sim } = await steered('right')
    expect((await sim('clock')).stderr).toContain('Authorization: Bearer TOKEN')
    expect(await json('clock', '--admin-token', 'right')).toHaveProperty('now')
  })
})

describe('listen', () => {
  test('prints calls and deliveries as they happen, forwards signed deliveries, and removes its subscription', async () => {
    const { url, folder, json } = await steered()
    const arrived = await receiver()
    const args = ['--forward-to', arrived.url, '--interface', 'pos', '--secret', 's3cret']
    const { lines, stop, stderr } = startHere(['listen', '--url', url, ...args], { folder })
    const next = async () =>
      JSON.parse(((await lines.next()) as { value: string }).value) as { kind: string; title: string }
    await expect.poll(stderr).toContain('Sending')
    await fetch(`${url}/pos/public/v1/webhooks`, { headers: { authorization: 'Bearer demo-key' } })
    expect(await next()).toMatchObject({ kind: 'request', title: 'GET /pos/public/v1/webhooks 200' })
    await json('trigger', 'pos.event.emit', '--event', 'sale.completed')
    let output = await next()
    while (!(output.kind === 'delivery' && output.title.includes('answered'))) output = await next()
    expect(output.title).toContain('pos sale.completed answered 2')
    expect(await stop('SIGINT')).toBe(0)
    const { data } = (await (await fetch(`${url}/_sim/workspaces/demo/subscriptions`)).json()) as {
      data: { url: string }[]
    }
    expect(data.filter((each) => each.url.includes(arrived.url))).toEqual([])
  })

  test('ends after --for', async () => {
    const { sim } = await shared()
    expect(await sim('listen', '--for', '0.1')).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('doctor', () => {
  test('reports no problems on a working setup', async () => {
    const { json } = await steered()
    const { status, findings } = await json<{ status: string; findings: object[] }>('doctor')
    expect(status).toBe('ok')
    expect(findings).toEqual([
      { check: 'node', status: 'ok', message: `Node.js ${process.versions.node}` },
      { check: 'listen', status: 'ok', message: 'can listen at 127.0.0.1' },
      {
        check: 'database',
        status: 'ok',
        message: expect.stringMatching(/^can open a database, with SQLite 3\.\d+\.\d+$/),
      },
      { check: 'write', status: 'ok', message: 'can write data/suite.sqlite' },
      { check: 'server', status: 'ok', message: expect.stringContaining('a server runs at') },
      { check: 'version', status: 'ok', message: `the server and the command have version ${VERSION}` },
      { check: 'health', status: 'ok', message: 'the server is healthy' },
      { check: 'token', status: 'ok', message: 'the control plane accepts the token' },
    ])
  })

  test('warns about a server that does not run, and fails for a wrong token', async () => {
    const { sim } = await shared('right')
    const without = await sim('doctor', '--url', 'http://127.0.0.1:1')
    expect(without.code).toBe(0)
    expect(without.stdout).toContain('"warning"')
    const wrong = await sim('doctor', '--admin-token', 'wrong')
    expect(wrong).toMatchObject({
      code: 1,
      stderr:
        'suite-sim: The admin token is wrong. Use the value of --admin-token, or the token that the server printed at its start.\n',
    })
  })
})

describe('completion', () => {
  test('offers commands, subcommands and flags', async () => {
    const { stdout } = await runHere(['completion', 'bash'], { folder: scratchFolder() })
    const complete = (line: string) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${stdout}\nCOMP_WORDS=(${line} ""); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _suite_sim; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      )
        .stdout.trim()
        .split(' ')
    expect(complete('suite-sim')).toEqual(expect.arrayContaining(['serve', 'listen', 'clock', '--help']))
    expect(complete('suite-sim clock')).toEqual(expect.arrayContaining(['advance', 'freeze']))
    expect(complete('suite-sim clock advance')).toEqual(expect.arrayContaining(['--wait-ms', '--workspace']))
    expect((await runHere(['completion', 'zsh'], { folder: scratchFolder() })).stdout).toContain(
      'bashcompinit',
    )
    expect((await runHere(['completion', 'fish'], { folder: scratchFolder() })).stdout).toContain(
      "__fish_seen_subcommand_from clock; and __fish_seen_subcommand_from advance' -l wait-ms",
    )
  })
})
