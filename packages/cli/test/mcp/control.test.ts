/** The control plane behind the search, as agents use it: found by words, described, called, and confined. */
import { beforeAll, describe, expect, test } from 'vitest'
import { WORDS } from '../../src/mcp/control.ts'
import { build } from '../../../../test/support/process.ts'
import {
  connected,
  everyOperation,
  keysOf,
  parsed,
  serverUrl,
  sessionAt,
  type Found,
  type Session,
} from './connected.ts'

beforeAll(build)

const control = (operation: string, rest: object = {}) => ({ interface: 'control', operation, ...rest })

/** The names of the operations of the control plane that a search finds. */
async function foundBy({ call }: Session, words: string, limit = 50) {
  const { data } = parsed<Found>(await call('search_operations', { words, limit }))
  return data.map((each) => `${each.interface} ${each.operation}`)
}

interface Described {
  readonly example: Readonly<Record<string, unknown>>
  readonly parameters: { readonly path: readonly { name: string; required: boolean; schema: object }[] }
  readonly body?: Readonly<Record<string, unknown>>
}

const describedBy = async ({ call }: Session, operation: string) =>
  parsed<Described>(await call('describe_operation', control(operation)))

test('offers four tools by default, which are few bytes', async () => {
  const { client } = await connected()
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['search_operations', true],
    ['describe_operation', true],
    ['call_operation', false],
    ['readAnswer', true],
  ])
  expect(JSON.stringify(tools).length).toBeLessThan(5000)
})

test('leads from its instructions to a workspace, a later time, and the deliveries', async () => {
  const session = await connected()
  const { call, client, url } = session
  const calls = [...(client.getInstructions() ?? '').matchAll(/\{"interface":"control".*?\}(?=\.)/g)].map(
    ([text]) => text,
  )
  expect(calls.map((text) => (JSON.parse(text) as { operation: string }).operation)).toEqual([
    'createWorkspace',
    'advanceClock',
    'listDeliveries',
  ])
  const [create = '', ...rest] = calls
  const made = await call('call_operation', JSON.parse(create) as Record<string, unknown>)
  const { workspace } = parsed<{ workspace: { id: string } }>(made)
  const inWorkspace = { workspace: workspace.id }
  const subscribed = await call(
    'call_operation',
    control('createSubscription', {
      ...inWorkspace,
      body: { interface: 'crm', url: `${url}/_sim/receiver` },
    }),
  )
  expect(subscribed.isError, subscribed.text).toBe(false)
  await call('call_operation', {
    ...{ interface: 'crm', operation: 'createContact', body: { name: 'Zoe' } },
    ...inWorkspace,
  })
  const [advanced, deliveries] = rest.map(
    (text) => JSON.parse(text.replace('"ID"', JSON.stringify(workspace.id))) as Record<string, unknown>,
  )
  expect(parsed(await call('call_operation', advanced))).toMatchObject({ complete: true })
  const { data } = parsed<{ data: object[] }>(await call('call_operation', deliveries))
  expect(data).toContainEqual(
    expect.objectContaining({ interface: 'crm', event: 'contact.created', status: 'delivered' }),
  )
})

test('finds the right call of a question among the first three', async () => {
  const session = await connected()
  const questions: Readonly<Record<string, readonly string[]>> = {
    'move time forward': ['control advanceClock'],
    'skip two weeks ahead': ['control advanceClock'],
    'what time is it': ['control getClock'],
    'freeze time': ['control setClock'],
    'make the next payment fail': ['control createFault', 'control payments.transaction.settle'],
    'simulate an outage of crm': ['control createFault'],
    'simulate a declined card': ['control payments.link.pay'],
    'drop a webhook': ['control createFault'],
    'what did my app call': ['control listRequests'],
    'why was my call refused': ['control getRequest', 'control listHints'],
    'see deliveries': ['control listDeliveries'],
    'which webhooks were sent': ['control listDeliveries'],
    'resend a webhook': ['control redeliver'],
    'did the email arrive': ['control listEmails'],
    'create a workspace': ['control createWorkspace'],
    'list tenants': ['control listWorkspaces'],
    'start over': ['control resetWorkspace'],
    'what changed since the start': ['control getDiff'],
    'candidate applies for a job': ['control recruiting.candidate.apply'],
    'interview was confirmed': ['control recruiting.interview.confirm'],
    'stock is low': ['control pos.event.emit'],
    'which states can an invoice have': ['control listMachines'],
    'create contact': ['crm createContact'],
    refund: ['payments refundTransaction'],
    'book a meeting': ['meetings createMeeting'],
  }
  for (const [question, wanted] of Object.entries(questions)) {
    const found = await foundBy(session, question, 3)
    expect(found, question).toEqual(expect.arrayContaining([...wanted]))
  }
})

test('has the calls of the tools of `--tools all`, and each trigger, once', async () => {
  const [session, all] = [await connected(), await connected('--tools', 'all')]
  const operations = (await everyOperation(session)).filter((each) => each.interface === 'control')
  const names = operations.map(({ operation }) => operation)
  const { data } = (await (await fetch(`${session.url}/_sim/triggers`)).json()) as {
    data: { name: string }[]
  }
  const triggers = data.map(({ name }) => name)
  const own = [...(await session.names()), 'describeTrigger']
  const tools = (await all.names()).filter((name) => !own.includes(name))
  expect(names.toSorted()).toEqual([...tools, ...triggers].toSorted())
  expect(names).toEqual(expect.arrayContaining(Object.keys(WORDS)))
})

/** An operation that a session does not offer, with the flag that says so, and the flags of one that offers it. */
const refused: readonly (readonly [string, readonly string[], string, object, readonly string[]])[] = [
  ['--read-only', ['--read-only'], 'createUser', { body: { name: 'Zoe', email: 'zoe@example.com' } }, []],
  ['--read-only', ['--read-only'], 'signage.pairing_code.issue', { body: {} }, []],
  ['--allow-reset', [], 'resetServer', {}, ['--allow-reset']],
  ['--workspace', ['--workspace', 'demo'], 'listWorkspaces', {}, []],
  ['--workspace', ['--workspace', 'demo'], 'cloneWorkspace', { body: { name: 'Copy' } }, []],
]

test.each(refused)(
  'with %s (%j) does not find, describe or call %s',
  async (flag, flags, name, rest, others) => {
    const session = await connected(...flags)
    const { call, url } = session
    const stateOf = async () => (await fetch(`${url}/_sim/workspaces/demo/snapshot`)).text()
    const before = await stateOf()
    expect(await foundBy(session, name)).not.toContain(`control ${name}`)
    const isConfined = flag === '--workspace'
    const workspace = isConfined || name === 'resetServer' ? {} : { workspace: 'demo' }
    for (const answer of [
      await call('describe_operation', control(name)),
      await call('call_operation', control(name, { ...rest, ...workspace })),
    ]) {
      expect(answer.isError).toBe(true)
      expect(answer.text).toContain(`control has no operation "${name}" in this session. `)
      expect(answer.text).toContain(flag)
    }
    await expect(call(name)).rejects.toThrow(flag)
    expect(await stateOf()).toBe(before)
    const open = await connected(...others)
    expect(await foundBy(open, name)).toContain(`control ${name}`)
    expect((await open.call('describe_operation', control(name))).isError).toBe(false)
    const inDemo = ['listWorkspaces', 'resetServer'].includes(name) ? {} : { workspace: 'demo' }
    expect(await open.call('call_operation', control(name, { ...rest, ...inDemo }))).toMatchObject({
      isError: false,
    })
  },
)

test('with --workspace calls only this workspace, whose id may be left out', async () => {
  const session = await connected('--workspace', 'demo')
  const { call, post, url } = session
  const made = (await (await post('/_sim/workspaces', { name: 'other' })).json()) as {
    workspace: { id: string }
  }
  const { id } = made.workspace
  for (const [name, args] of [
    ['deleteWorkspace', { path: { id } }],
    ['payments.link.pay', { path: { id }, body: { link_id: 'none' } }],
    ['listKeys', { query: { workspaceId: id } }],
    ['createKey', { body: { workspaceId: id } }],
  ] as const) {
    const answer = await call('call_operation', control(name, args))
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining('This session is confined to the workspace demo'),
    })
  }
  expect(await keysOf(url, id)).toHaveLength(1)
  const { parameters, example } = await describedBy(session, 'getClock')
  expect(parameters.path).toEqual([
    { name: 'id', required: false, schema: { type: 'string', enum: ['demo'] } },
  ])
  expect(await call('call_operation', { ...example })).toMatchObject({ isError: false })
  for (const args of [{}, { path: { id: 'demo' } }]) {
    expect(parsed(await call('call_operation', control('getWorkspace', args)))).toMatchObject({ id: 'demo' })
  }
  expect(parsed(await call('call_operation', control('createKey', { body: {} })))).toMatchObject({
    workspaceId: 'demo',
  })
})

test('with --workspace describes its own workspace in the examples', async () => {
  const url = await serverUrl()
  const made = await fetch(`${url}/_sim/workspaces`, { method: 'POST' })
  const { workspace } = (await made.json()) as { workspace: { id: string } }
  const { example } = await describedBy(await sessionAt(url, '--workspace', workspace.id), 'createKey')
  expect(example).toMatchObject({ body: { workspaceId: workspace.id } })
})

test('with --scopes the calls of the interfaces have these scopes, and those of control none', async () => {
  const { call } = await connected('--workspace', 'demo', '--scopes', 'crm:read')
  const create = { interface: 'crm', operation: 'createContact', body: { name: 'Zoe' } }
  expect((await call('call_operation', create)).text).toMatch(/^HTTP 403 /)
  expect(await call('call_operation', control('getClock'))).toMatchObject({ isError: false })
})

describe('a call of control', () => {
  test('has its workspace as workspace or in the path', async () => {
    const { call } = await connected()
    for (const args of [
      { workspace: 'demo' },
      { path: { id: 'demo' } },
      { workspace: 'demo', path: { id: 'demo' } },
    ]) {
      expect(await call('call_operation', control('getClock', args))).toMatchObject({ isError: false })
    }
  })

  test('is refused with the argument that is wrong', async () => {
    const { call } = await connected()
    for (const [args, words] of [
      [control('getClock'), 'getClock must have a workspace'],
      [control('getMachine'), 'path.name is required in /_sim/machines/{name}'],
      [
        control('getClock', { workspace: 'demo', path: { id: 'other' } }),
        'workspace must be path.id, or be left out',
      ],
      [control('listMachines', { workspace: 'demo' }), 'listMachines takes no workspace'],
      [control('deleteWorkspaces', { workspace: 'demo', query: { label: 'a:b' } }), 'takes no workspace'],
      [control('getClock', { workspace: '..' }), 'id must not be ".."'],
      [control('getClock', { workspace: 'demo', path: { name: 'a' } }), 'path.name is not a parameter of'],
      [control('getClock', { workspace: 'demo', body: {} }), 'getClock takes no body'],
      [control('getClock', { workspace: 'demo', headers: { accept: 'a' } }), 'getClock takes no headers'],
      [control('saveSnapshot', { workspace: 'demo', files: {} }), 'saveSnapshot takes no files'],
      [control('listRequests', { workspace: 'demo', query: { limti: 1 } }), 'limit'],
      [control('advanceClok', { workspace: 'demo' }), 'The nearest name is advanceClock.'],
      [control('payments.link.pya', { workspace: 'demo' }), 'The nearest name is payments.link.pay.'],
    ] as const) {
      const answer = await call('call_operation', args)
      expect(answer.isError, JSON.stringify(args)).toBe(true)
      expect(answer.text).toContain(words)
    }
  })

  test('tells the parameters of path and query with the same name apart, as its own tool does', async () => {
    const { call } = await connected('--tools', 'all')
    const id = 'demo-product-00000001'
    const query = { id, section: 'catalog.products' }
    const found = await call('call_operation', control('findRecords', { workspace: 'demo', query }))
    expect(parsed(found)).toMatchObject({ data: [{ id }] })
    expect(await call('findRecords', { id: 'demo', query_id: id, section: 'catalog.products' })).toEqual(
      found,
    )
    const text = await call(
      'call_operation',
      control('listRequests', { workspace: 'demo', query: { body: 'name' } }),
    )
    expect(parsed(text)).toMatchObject({ data: [] })
  })

  test('pulls a trigger by its name, with the body of its description', async () => {
    const session = await connected('--workspace', 'demo')
    const described = await describedBy(session, 'payments.link.pay')
    expect(described).toMatchObject({
      summary: expect.stringContaining('hosted payment page'),
      fidelity: { level: expect.any(String) },
      body: { required: true, 'application/json': { required: ['link_id'] } },
      answers: { 200: { 'application/json': { properties: { transaction_id: expect.anything() } } } },
    })
    const issued = await session.call('call_operation', control('signage.pairing_code.issue', { body: {} }))
    expect(parsed(issued)).toMatchObject({ pairing_code: expect.any(String) })
    const refusal = await session.call('call_operation', control('payments.link.pay', { body: {} }))
    expect(refusal).toMatchObject({ isError: true, text: expect.stringContaining('link_id') })
  })
})

test('says for the tools of `--tools all` how the search calls them', async () => {
  const { call } = await connected()
  await expect(call('advanceClock', { id: 'demo', body: { duration: 'PT1H' } })).rejects.toThrow(
    'There is no tool advanceClock. Use call_operation {"interface":"control","operation":"advanceClock"}, or start suite-sim mcp with --tools all.',
  )
  await expect(call('describeTrigger', { name: 'payments.link.pay' })).rejects.toThrow(
    'There is no tool describeTrigger. Use describe_operation with control and the name of a trigger',
  )
  await expect(call('getTime')).rejects.toThrow('There is no tool getTime. search_operations finds')
})
