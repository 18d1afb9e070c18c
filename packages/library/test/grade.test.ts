/** `prepareTask()` and `grade()`: a run of an agent in a test, the sources of tasks, and what is refused. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { connect, grade, prepareTask, Workspace, type TaskRun, type TaskSource } from '../src/index.ts'
import { scratchFolder } from '../../../test/support/process.ts'
import { ROOT } from '../../../test/support/root.ts'
import { freshWorkspace, sharedSimulator } from '../../client/test/simulator.ts'

const NAME = 'raise-furniture-prices'
const FILE = join(ROOT, `tasks/${NAME}.yaml`)
const ANSWER = 'DSK-001: 508.56\nCHR-010: 290.68'

async function prepared(task: TaskSource = NAME): Promise<TaskRun> {
  const run = await prepareTask(await sharedSimulator(), task)
  onTestFinished(() => run[Symbol.asyncDispose]())
  return run
}

async function setPrice({ workspace }: TaskRun, number: number, basePrice: string): Promise<number> {
  const path = `/products/demo-product-0000000${String(number)}`
  return (await workspace.fetch('catalog', path, { method: 'PUT', json: { basePrice } })).status
}

async function solve(run: TaskRun): Promise<void> {
  expect(await setPrice(run, 1, '508.56')).toBe(200)
  expect(await setPrice(run, 2, '290.68')).toBe(200)
}

describe('a prepared run', () => {
  test('has the records, the time and the key of the task, and its instruction', async () => {
    const run = await prepared()
    expect(run).toMatchObject({
      task: NAME,
      interfaces: ['catalog'],
      scopes: ['products:read', 'products:update'],
      budget: 12,
    })
    expect(run.instruction).toContain('Raise the base price')
    expect(run.workspace).toBeInstanceOf(Workspace)
    expect(await run.workspace.clock.get()).toMatchObject({ now: '2026-11-24T15:00:00.000Z' })
    expect((await run.workspace.changes()).summary).toEqual({ added: 0, changed: 0, removed: 0 })
    expect((await run.workspace.fetch('catalog', '/products')).status).toBe(200)
    expect((await run.workspace.fetch('crm', '/contacts')).status).toBe(403)
    const { url } = await sharedSimulator()
    expect(run.mcp).toEqual({
      command: 'suite-sim',
      args: [
        ...['mcp', '--url', url, '--workspace', run.workspace.id, '--tools', 'search'],
        ...['--interface', 'catalog', '--scopes', 'products:read,products:update'],
      ],
      env: { SIM_ADMIN_TOKEN: run.workspace.controlToken },
    })
  })

  test('passes if the agent solves it, and nothing is printed', async () => {
    const written = vi.spyOn(process.stdout, 'write')
    const run = await prepared()
    await solve(run)
    const result = await run.grade({ answer: ANSWER })
    expect(result).toEqual({
      task: NAME,
      workspace: run.workspace.id,
      passed: true,
      calls: 2,
      budget: 12,
      findings: [],
    })
    expect(written.mock.calls).toEqual([])
    written.mockRestore()
  })

  test('fails with findings and their causes', async () => {
    const run = await prepared()
    await setPrice(run, 1, '508.56')
    await setPrice(run, 2, '291.00')
    const { passed, findings } = await run.grade()
    expect(passed).toBe(false)
    expect(findings).toMatchObject([
      {
        kind: 'wrong',
        section: 'catalog.products',
        id: 'demo-product-00000002',
        field: 'basePrice',
        expected: '290.68',
        actual: '291.00',
        causes: [{ kind: 'request' }],
      },
      { kind: 'answer', message: 'the final answer is missing; pass it as { answer }', causes: [] },
    ])
    const [call] = await run.workspace.requests({ method: 'PUT' })
    expect(findings[0]?.causes[0]?.id).toBe(call?.id)
  })

  test('is graded by a client that has only its control token', async () => {
    const run = await prepared()
    await solve(run)
    const { url } = await sharedSimulator()
    const client = await connect(url, { adminToken: run.workspace.controlToken })
    const workspace = await client.workspaces.get(run.workspace.id)
    expect(await grade(workspace, FILE, { answer: ANSWER })).toMatchObject({ passed: true, calls: 2 })
  })

  test('is deleted at its end, also if that happened before', async () => {
    const run = await prepared()
    const simulator = await sharedSimulator()
    await run[Symbol.asyncDispose]()
    await run[Symbol.asyncDispose]()
    await expect(simulator.workspaces.get(run.workspace.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(run.grade()).rejects.toMatchObject({ name: 'SimulatorError', code: 'grade_failed' })
    expect(await simulator.workspaces.list({ labels: { task: NAME } })).toEqual([])
  })
})

describe('a task', () => {
  const parsed = (): Exclude<TaskSource, string> =>
    parse(readFileSync(FILE, 'utf8')) as Exclude<TaskSource, string>

  test.each<[string, () => TaskSource]>([
    ['a path', () => FILE],
    ['a name of the package', () => NAME],
    ['the parsed content of a file', () => ({ ...parsed(), name: NAME })],
  ])('is %s', async (_what, source) => {
    const run = await prepared(source())
    await solve(run)
    expect(await run.grade({ answer: ANSWER })).toMatchObject({ task: NAME, passed: true })
  })

  test('written in a test needs neither a name nor a reference', async () => {
    const run = await prepared({
      title: 'Tag Ana',
      instruction: 'Add the tag "vip" to the contact ana@example.com.',
      fixture: 'none',
      clock: { now: '2026-11-24T15:00:00Z' },
      setup: [
        {
          interface: 'crm',
          method: 'POST',
          path: '/contacts',
          body: { name: 'Ana', email: 'ana@example.com' },
          save: { contact: '/id' },
        },
      ],
      interfaces: ['crm'],
      scopes: ['crm:read', 'crm:write'],
      changes: [
        { section: 'crm.contacts', change: 'changed', match: { name: 'Ana' }, fields: { tags: ['vip'] } },
      ],
      budget: 5,
    })
    expect(await run.grade()).toMatchObject({
      task: 'task',
      passed: false,
      findings: [{ kind: 'missing', section: 'crm.contacts' }],
    })
  })

  const circular: Record<string, unknown> = {}
  circular['self'] = circular

  test.each<[string, unknown, string]>([
    ['unknown', 'raise-furniture-price', `there is no task raise-furniture-price; did you mean ${NAME}?`],
    ['a folder', join(ROOT, 'tasks'), 'the task must be a file'],
    ['a list', [], 'task: it must be an object with the fields of a task file'],
    ['circular', circular, 'task: it must be JSON of at most 262144 bytes'],
    ['large', { title: 'x'.repeat(262_144) }, 'task: it must be JSON of at most 262144 bytes'],
    ['without a title', {}, 'task: the task must have the field interfaces'],
    ['named with spaces', { name: 'a b' }, 'task: name must contain only a-z, 0-9 and -, at most 60'],
    [
      'with a wrong section',
      { ...parsed(), changes: [{ section: 'shop', change: 'added' }] },
      'task: changes[0].section must be a section, an interface or *, not "shop"',
    ],
    [
      'with an unknown section',
      { ...parsed(), changes: [{ section: 'catalog.product', change: 'added' }] },
      'task: there is no section catalog.product; did you mean catalog.products?',
    ],
  ])('that is %s is refused, and leaves no workspace', async (_what, task, message) => {
    const simulator = await sharedSimulator()
    const before = (await simulator.workspaces.list()).length
    await expect(prepareTask(simulator, task as TaskSource)).rejects.toMatchObject({
      name: 'SimulatorError',
      code: 'grade_failed',
      message: expect.stringContaining(message) as unknown,
    })
    expect(await simulator.workspaces.list()).toHaveLength(before)
  })

  test('in a file is refused with the line', async () => {
    const file = join(scratchFolder(), 'broken.yaml')
    writeFileSync(file, readFileSync(FILE, 'utf8').replace('budget: 12', 'budget: 0'))
    await expect(prepareTask(await sharedSimulator(), file)).rejects.toThrow(
      `${file}:10: budget must be a whole number from 1 to 900, not 0`,
    )
  })

  test('must be the one that the workspace was prepared for', async () => {
    const { workspace } = await prepared()
    await expect(grade(workspace, 'refund-second-payment')).rejects.toThrow(
      `the workspace ${workspace.id} was prepared for the task ${NAME}, not refund-second-payment`,
    )
  })
})

describe('grade', () => {
  test('takes any workspace', async () => {
    const workspace = await freshWorkspace({})
    const { findings } = await grade(workspace, NAME, { answer: ANSWER })
    expect(findings.map(({ kind }) => kind)).toEqual(['missing', 'missing'])
  })

  test('accepts an answer of a million characters, and no longer one', async () => {
    const workspace = await freshWorkspace({})
    const { findings } = await grade(workspace, NAME, { answer: ANSWER.padEnd(1_000_000) })
    expect(findings.map(({ kind }) => kind)).toEqual(['missing', 'missing'])
    await expect(grade(workspace, NAME, { answer: 'x'.repeat(1_000_001) })).rejects.toMatchObject({
      code: 'grade_failed',
      message: 'answer must have at most 1000000 characters',
    })
  })

  test('refuses wrong arguments', async () => {
    const workspace = await freshWorkspace({})
    const simulator = await sharedSimulator()
    await expect(grade('demo' as never, NAME)).rejects.toThrow(
      /grade\(\): the first argument must be a workspace/,
    )
    await expect(grade(workspace, '')).rejects.toThrow(/grade\(\): the task must be the path of a file/)
    await expect(grade(workspace, NAME, { answr: 'x' } as never)).rejects.toThrow(/did you mean answer\?/)
    await expect(grade(workspace, NAME, { answer: 7 } as never)).rejects.toThrow(
      'grade(): answer must be a string',
    )
    await expect(prepareTask(workspace as never, NAME)).rejects.toThrow(
      /prepareTask\(\): the first argument must be a simulator/,
    )
    await expect(prepareTask(simulator, 7 as never)).rejects.toThrow(/prepareTask\(\): the task must be/)
  })
})
