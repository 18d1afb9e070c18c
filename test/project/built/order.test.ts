/** No interface depends on which one is called first, although module state and database caches outlive a call. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { everyOperation, requiredQuery, type Subject } from '../../support/examples.ts'
import { build, ROOT } from '../../support/process.ts'
import { INTERFACES } from '../../support/subject.ts'

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

interface Answer {
  readonly call: string
  readonly status: number
  readonly text: string
}

const PROBE = join(ROOT, 'test/support/callProbe.mjs')
const LIBRARY = join(ROOT, 'dist/index.js')
const WORKSPACE = '/_sim/workspaces/demo'

beforeAll(build)

async function callInFreshProcess(calls: readonly Call[]): Promise<Answer[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROBE, LIBRARY, JSON.stringify(calls)])
  return JSON.parse(stdout) as Answer[]
}

/** Triggers that read or write records of their interface and need no id. */
const TRIGGERS: readonly Call[] = [
  { method: 'POST', path: `${WORKSPACE}/triggers/pos.event.emit`, body: { event: 'sale.completed' } },
  { method: 'POST', path: `${WORKSPACE}/triggers/pos.day.run`, body: { sales: 2 } },
  { method: 'POST', path: `${WORKSPACE}/triggers/signage.pairing_code.issue`, body: {} },
  { method: 'POST', path: `${WORKSPACE}/triggers/payments.settlement.create`, body: {} },
]

const operations = everyOperation()

/** A read of the interface: a published path without an id, with its required query. */
const readOf = (subject: Subject): Call => ({
  method: 'GET',
  path: `${INTERFACES.find(({ name }) => name === subject.route.interface)?.basePath ?? ''}${pathOf(subject)}`,
})

/** The path with published examples as its parameters. */
function pathOf({ document, route }: Subject): string {
  const { parameters = [] } = document.paths[route.path]?.['get'] ?? {}
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => {
    const schema = parameters.find((each) => each['name'] === name)?.['schema'] as { examples?: unknown[] }
    return encodeURIComponent(String(schema.examples?.[0]))
  })
  return path + requiredQuery({ title: '', document, route })
}

const callsOf = (name: string): Call[] => [
  ...TRIGGERS.filter(({ path }) => path.startsWith(`${WORKSPACE}/triggers/${name}.`)),
  ...operations.filter(({ route }) => route.interface === name && route.method === 'GET').map(readOf),
]

const names = INTERFACES.map(({ name }) => name)

/** All interfaces in a circle: each is the first one once, and before and after each other one about as often. */
const orders: readonly (readonly string[])[] = names.map((_first, index) => {
  const order = [...names.slice(index), ...names.slice(0, index)]
  return index % 2 === 0 ? order : [names[index] ?? '', ...order.slice(1).toReversed()]
})

test.concurrent.each(orders.map((order) => [order.join(', then '), order] as const))(
  'responds to all interfaces in this order: %s',
  async (_title, order) => {
    const calls = [...order.flatMap(callsOf), { method: 'GET', path: `${WORKSPACE}/snapshot` }]
    const answers = await callInFreshProcess(calls)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    for (const name of order) {
      const own = new Set(callsOf(name).map(({ method, path }) => `${method} ${path}`))
      const statuses = answers.filter(({ call }) => own.has(call)).map(({ status }) => status)
      expect(statuses, name).toContain(200)
    }
  },
)
