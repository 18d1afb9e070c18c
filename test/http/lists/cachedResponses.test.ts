/**
 * Cached responses: each request is repeated, so that its response is cached, and then something changes. The next
 * response must show the change and equal the response without a cache.
 */
import SQLite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { createProduct } from '../../../src/state/catalog/products.ts'
import { keys } from '../../../src/state/storage/tables.ts'
import type { Caller } from '../../../src/state/workspace/keys.ts'
import { Registry } from '../../../src/state/workspace/registry.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { freshApp, type FreshOptions, type Method } from '../../support/app.ts'
import { askCached, callerIn } from '../../support/cachedAnswers.ts'
import { freshState } from '../../support/state.ts'

const NOON = '2026-11-21T12:00:00.000Z'

const PRODUCTS = '/workspace/public/v1/products'
const ACTIVITIES = '/workspace/public/v1/activities'
const CONTACTS = '/crm/v1/contacts'
const DEALS = '/crm/v1/deals'
const PIPELINES = '/crm/v1/pipelines'
const CRM_ACTIVITIES = '/crm/v1/activities'
const AUTOMATIONS = '/crm/v1/automations'
const LINKS = '/pay/v1/payment-links'
const TRANSACTIONS = '/pay/v1/transactions'
const SETTLEMENTS = '/pay/v1/reports/settlements'
const REVENUE = '/pay/v1/reports/revenue?from=2026-01-01&to=2026-12-31&group_by=month'
const INTEGRATION_PRODUCTS = '/integration-pay/v1/products'
const CUSTOMERS = '/integration-pay/v1/customers'
const INTEGRATION_LINKS = '/integration-pay/v1/payment-links'

const LISTS = [
  PRODUCTS,
  ACTIVITIES,
  CONTACTS,
  DEALS,
  PIPELINES,
  CRM_ACTIVITIES,
  AUTOMATIONS,
  LINKS,
  TRANSACTIONS,
  SETTLEMENTS,
  REVENUE,
  INTEGRATION_PRODUCTS,
  CUSTOMERS,
  INTEGRATION_LINKS,
]

/** A workspace with the small demo and a clock frozen at NOON. */
async function demo(options: FreshOptions = {}) {
  const fresh = await freshApp(options)
  const { database } = fresh.app.workspaces
  const made = await fresh.call('POST', '/_sim/workspaces', { body: { fixtures: 'small' } })
  const { key, workspace } = made.body as { key: string; workspace: { id: string } }
  const own = `/_sim/workspaces/${workspace.id}`

  const ask = async (path: string): Promise<string> => {
    const answer = await fresh.call('GET', path, { key })
    // Integration payments add the current time to cached responses, and a reset unfreezes the clock.
    return `${String(answer.status)} ${answer.text.replace(/"timestamp":"[^"]+"/, '')}`
  }
  const act = async <Body>(method: Method, path: string, body?: unknown): Promise<Body> => {
    const answer = await fresh.call(method, path, { key, ...(body !== undefined && { body }) })
    if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as Body
  }
  const sim = <Body>(method: Method, path: string, body?: unknown) => act<Body>(method, own + path, body)
  const setClock = (now: string) => sim('PUT', '/clock', { now, frozen: true })
  const pull = (name: string, body: unknown) => sim('POST', `/triggers/${name}`, body)
  const remember = async (paths: readonly string[]): Promise<string[]> => {
    const answers: string[] = []
    for (const path of paths) {
      const first = await ask(path)
      const second = await ask(path)
      expect(second).toBe(first)
      answers.push(second)
    }
    return answers
  }
  const askAll = async (paths: readonly string[]): Promise<string[]> => {
    const answers: string[] = []
    for (const path of paths) answers.push(await ask(path))
    return answers
  }
  await setClock(NOON)

  return {
    fresh,
    own,
    workspace: fresh.app.workspaces.get(workspace.id),
    database,
    act,
    sim,
    pull,
    setClock,
    remember,
    askAll,
    /** The first record of a list with these fields. */
    async first<Row extends object>(list: string, fields: Partial<Row> = {}): Promise<Row & { id: string }> {
      const { data } = await act<{ data: (Row & { id: string })[] }>('GET', list)
      const found = data.find((row) =>
        Object.entries(fields).every(([name, value]) => row[name as keyof Row] === value),
      )
      if (!found) throw new Error(`${list} holds nothing like that`)
      return found
    },
    /** Checks that `change` changes the responses of all the paths, and returns the new ones. */
    async expectChange(paths: readonly string[], change: () => Promise<unknown>): Promise<void> {
      const before = await remember(paths)
      const others = LISTS.filter((list) => !paths.includes(list))
      await remember(others)
      await change()
      const after = await askAll([...paths, ...others])
      // Drops everything that is cached, as after a start.
      fresh.app.workspaces.get(workspace.id).forget()
      expect(after).toEqual(await askAll([...paths, ...others]))
      paths.forEach((path, index) => {
        expect(after[index], path).not.toBe(before[index])
      })
    },
  }
}

type Demo = Awaited<ReturnType<typeof demo>>

interface Case {
  readonly title: string
  /** Prepares the change and returns the paths whose responses it changes. */
  readonly tell: (app: Demo) => Promise<{ paths: readonly string[]; change: () => Promise<unknown> }>
}

const simple = (paths: readonly string[], change: () => Promise<unknown>) =>
  Promise.resolve({ paths, change })

const CHANGES: readonly Case[] = [
  {
    title: 'an added product',
    tell: ({ act }) => simple([PRODUCTS], () => act('POST', PRODUCTS, { name: 'Added', type: 'service' })),
  },
  {
    title: 'a changed product',
    async tell({ act, first }) {
      const { id } = await first(PRODUCTS)
      const one = `${PRODUCTS}/${id}`
      return { paths: [PRODUCTS, one], change: () => act('PUT', one, { name: 'Changed' }) }
    },
  },
  {
    title: 'a removed product',
    async tell({ act, first }) {
      const { id } = await first(PRODUCTS)
      const one = `${PRODUCTS}/${id}`
      return { paths: [PRODUCTS, one], change: () => act('DELETE', one) }
    },
  },
  {
    title: 'a completed activity of the catalog',
    async tell({ act }) {
      const body = { title: 'Call', type: 'call' }
      const { data } = await act<{ data: { id: string } }>('POST', ACTIVITIES, body)
      return { paths: [ACTIVITIES], change: () => act('PATCH', `${ACTIVITIES}/${data.id}/complete`) }
    },
  },
  {
    title: 'an activity that a job makes overdue',
    async tell({ act, setClock }) {
      await act('POST', ACTIVITIES, { title: 'Call', type: 'call', dueDate: '2026-11-21T13:00:00.000Z' })
      return { paths: [ACTIVITIES], change: () => setClock('2026-11-21T13:00:00.001Z') }
    },
  },
  {
    title: 'an added contact',
    tell: ({ act }) =>
      simple([CONTACTS, `${CONTACTS}?per_page=1&page=2`], () => act('POST', CONTACTS, { name: 'Ana' })),
  },
  {
    title: 'a new name of a contact in its deals',
    async tell({ act, first }) {
      const { id } = await act<{ id: string }>('POST', CONTACTS, { name: 'Ana' })
      const pipeline = await first(PIPELINES)
      const body = { name: 'Vans', pipeline_id: pipeline.id, contact_id: id }
      const deal = await act<{ id: string }>('POST', DEALS, body)
      return {
        paths: [CONTACTS, DEALS, `${DEALS}/${deal.id}`],
        change: () => act('PATCH', `${CONTACTS}/${id}`, { name: 'Changed' }),
      }
    },
  },
  {
    title: 'a contact removed with its deals',
    async tell({ act, first }) {
      const { id } = await act<{ id: string }>('POST', CONTACTS, { name: 'Ana' })
      const pipeline = await first(PIPELINES)
      const body = { name: 'Vans', pipeline_id: pipeline.id, contact_id: id, value: 100 }
      const deal = await act<{ id: string }>('POST', DEALS, body)
      await act('POST', CRM_ACTIVITIES, { type: 'task', subject: 'Call', deal_id: deal.id })
      return {
        paths: [
          CONTACTS,
          DEALS,
          `${DEALS}/${deal.id}`,
          PIPELINES,
          `${PIPELINES}/${pipeline.id}`,
          CRM_ACTIVITIES,
        ],
        change: () => act('DELETE', `${CONTACTS}/${id}`),
      }
    },
  },
  {
    title: 'a moved deal',
    async tell({ act, first }) {
      const pipeline = await first<{ stages: { id: string }[] }>(PIPELINES)
      const [from, to] = pipeline.stages
      const body = { name: 'Vans', pipeline_id: pipeline.id, stage_id: from?.id, value: 100 }
      const { id } = await act<{ id: string }>('POST', DEALS, body)
      return {
        paths: [DEALS, `${DEALS}/${id}`, PIPELINES, `${DEALS}?stage_id=${String(to?.id)}`],
        change: () => act('POST', `${DEALS}/${id}/move`, { stage_id: to?.id }),
      }
    },
  },
  {
    title: 'a won deal',
    async tell({ act, first }) {
      const { id } = await first(DEALS, { status: 'open' })
      return {
        paths: [DEALS, `${DEALS}/${id}`, PIPELINES, `${DEALS}?status=won`],
        change: () => act('POST', `${DEALS}/${id}/won`),
      }
    },
  },
  {
    title: 'an activity of the CRM in the count of its deal',
    async tell({ act, first }) {
      const { id } = await first(DEALS)
      const body = { type: 'task', subject: 'Call', deal_id: id }
      return {
        paths: [CRM_ACTIVITIES, DEALS, `${DEALS}/${id}`],
        change: () => act('POST', CRM_ACTIVITIES, body),
      }
    },
  },
  {
    title: 'a new name of a pipeline in its deals',
    async tell({ act, first }) {
      const deal = await first<{ pipeline: { id: string } }>(DEALS)
      const one = `${PIPELINES}/${deal.pipeline.id}`
      return {
        paths: [PIPELINES, one, DEALS, `${DEALS}/${deal.id}`],
        change: () => act('PATCH', one, { name: 'Changed' }),
      }
    },
  },
  {
    title: 'a triggered automation and its results',
    async tell({ act, first }) {
      const action = { type: 'create_task', config: { title: 'Call back' } }
      const trigger = { event: 'deal.created', conditions: [] }
      await act('POST', AUTOMATIONS, { name: 'Follow up', trigger, actions: [action] })
      const pipeline = await first(PIPELINES)
      return {
        paths: [AUTOMATIONS, CRM_ACTIVITIES, DEALS, PIPELINES],
        change: () => act('POST', DEALS, { name: 'Vans', pipeline_id: pipeline.id, value: 100 }),
      }
    },
  },
  {
    title: 'the days of a deal in its stage',
    async tell({ act, first, setClock }) {
      const pipeline = await first(PIPELINES)
      const { id } = await act<{ id: string }>('POST', DEALS, { name: 'Vans', pipeline_id: pipeline.id })
      return { paths: [DEALS, `${DEALS}/${id}`], change: () => setClock('2026-11-22T12:00:00.000Z') }
    },
  },
  {
    title: 'a clock that is set back',
    async tell({ act, first, setClock }) {
      const pipeline = await first(PIPELINES)
      const { id } = await act<{ id: string }>('POST', DEALS, { name: 'Vans', pipeline_id: pipeline.id })
      await setClock('2026-11-24T12:00:00.000Z')
      return { paths: [DEALS, `${DEALS}/${id}`], change: () => setClock('2026-11-23T12:00:00.000Z') }
    },
  },
  {
    title: 'an added payment link',
    tell: ({ act }) => simple([LINKS], () => act('POST', LINKS, { amount: 1000 })),
  },
  {
    title: 'a disabled payment link',
    async tell({ act }) {
      const { data } = await act<{ data: { id: string } }>('POST', LINKS, { amount: 1000 })
      return {
        paths: [LINKS, `${LINKS}?status=disabled`],
        change: () => act('DELETE', `${LINKS}/${data.id}`),
      }
    },
  },
  {
    title: 'a payment link that expires by a job',
    async tell({ act, setClock }) {
      await act('POST', LINKS, { amount: 1000, expires_at: '2026-11-21T13:00:00.000Z' })
      return { paths: [LINKS], change: () => setClock('2026-11-21T13:00:00.001Z') }
    },
  },
  {
    title: 'a payment, its link and the revenue',
    async tell({ act, pull }) {
      const { data } = await act<{ data: { id: string } }>('POST', LINKS, { amount: 1000 })
      return {
        paths: [LINKS, TRANSACTIONS, `${TRANSACTIONS}?status=completed`, REVENUE],
        change: () => pull('payments.link.pay', { link_id: data.id }),
      }
    },
  },
  {
    title: 'a refund',
    async tell({ act, first, pull }) {
      const { data } = await act<{ data: { id: string } }>('POST', LINKS, { amount: 1000 })
      await pull('payments.link.pay', { link_id: data.id })
      const { id } = await first(TRANSACTIONS, { status: 'completed' })
      return {
        paths: [TRANSACTIONS, REVENUE],
        change: () => act('POST', `${TRANSACTIONS}/${id}/refund`, {}),
      }
    },
  },
  {
    title: 'a settlement',
    async tell({ act, pull }) {
      const { data } = await act<{ data: { id: string } }>('POST', LINKS, { amount: 1000 })
      await pull('payments.link.pay', { link_id: data.id })
      return { paths: [SETTLEMENTS], change: () => pull('payments.settlement.create', {}) }
    },
  },
  {
    title: 'the time zone of the workspace',
    async tell({ act, pull, setClock, sim }) {
      await setClock('2026-10-31T23:30:00.000Z')
      const { data } = await act<{ data: { id: string } }>('POST', LINKS, { amount: 1000 })
      await pull('payments.link.pay', { link_id: data.id })
      return { paths: [REVENUE], change: () => sim('PATCH', '', { timezone: 'Asia/Tokyo' }) }
    },
  },
  {
    title: 'a product of integration payments',
    tell: ({ pull }) =>
      simple([INTEGRATION_PRODUCTS], () =>
        pull('integration-payments.product.create', {
          productCode: 'added',
          name: 'Added',
          paymentType: 'one_time',
          price: 4900,
          currency: 'USD',
        }),
      ),
  },
  {
    title: 'a customer of integration payments',
    tell: ({ act }) =>
      simple([CUSTOMERS], () => act('POST', CUSTOMERS, { name: 'Ana', email: 'ana@example.com' })),
  },
  {
    title: 'a created and a cancelled link of integration payments',
    async tell({ act }) {
      const add = () =>
        act<{ data: { hashUrl: string } }>('POST', '/integration-pay/v1/collections/links', {
          customer: { name: 'Ana Castillo' },
        })
      const { data } = await add()
      return {
        paths: [INTEGRATION_LINKS, `${INTEGRATION_LINKS}?status=cancelled`],
        async change() {
          await add()
          await act('PATCH', `${INTEGRATION_LINKS}/${data.hashUrl}/cancel`)
        },
      }
    },
  },
  {
    title: 'a link of integration payments that expires by a job',
    async tell({ act, setClock }) {
      const body = { customer: { name: 'Ana Castillo' } }
      await act('POST', '/integration-pay/v1/collections/links', body)
      return {
        paths: [INTEGRATION_LINKS],
        change: () => setClock('2026-11-22T12:00:00.001Z'),
      }
    },
  },
  {
    title: 'a new name of a user in owned records',
    async tell({ act, first, workspace }) {
      const pipeline = await first(PIPELINES)
      const body = { name: 'Desk', type: 'service' }
      const { data } = await act<{ data: { id: string; ownerId: string } }>('POST', PRODUCTS, body)
      const deal = await act<{ id: string }>('POST', DEALS, { name: 'Vans', pipeline_id: pipeline.id })
      return {
        paths: [PRODUCTS, `${PRODUCTS}/${data.id}`, DEALS, `${DEALS}/${deal.id}`],
        change: () =>
          Promise.resolve(workspace.addUser({ id: data.ownerId, name: 'Other', email: 'other@example.com' })),
      }
    },
  },
  {
    title: 'a snapshot that replaces all records',
    async tell({ sim }) {
      const { format } = await sim<{ format: unknown }>('GET', '/snapshot')
      return { paths: LISTS, change: () => sim('PUT', '/snapshot', { format }) }
    },
  },
  {
    title: 'a reset',
    async tell({ act, first, setClock, sim }) {
      const { id } = await first(PRODUCTS)
      await act('PUT', `${PRODUCTS}/${id}`, { name: 'Changed' })
      await act('POST', CONTACTS, { name: 'Added' })
      await act('POST', LINKS, { amount: 1000 })
      return {
        paths: [PRODUCTS, `${PRODUCTS}/${id}`, CONTACTS, LINKS],
        async change() {
          await sim('POST', '/reset')
          await setClock(NOON)
        },
      }
    },
  },
]

describe('a cached response reflects', () => {
  test.each(CHANGES)('$title', async ({ tell }) => {
    const app = await demo()
    const { paths, change } = await tell(app)
    await app.expectChange(paths, change)
  })
})

test('omits an invalid snapshot from every response', async () => {
  const { askAll, fresh, own, remember, sim } = await demo()
  const before = await remember(LISTS)
  const snapshot = await sim<{ catalog: { products: object[] }; users: { name: string }[] }>(
    'GET',
    '/snapshot',
  )
  const { catalog } = snapshot
  const twice = { ...catalog, products: [...catalog.products, ...catalog.products] }
  const users = snapshot.users.map((user) => ({ ...user, name: 'Other' }))

  const body = { ...snapshot, users, catalog: twice }
  expect((await fresh.call('PUT', `${own}/snapshot`, { body })).status).toBe(400)

  expect(await askAll(LISTS)).toEqual(before)
})

/** HTTP requests cannot arrive inside a write or before the shared commit. */
describe('a response that contained rolled-back data is dropped', () => {
  const setUp = () => {
    const { database, workspace, user } = freshState()
    createProduct(workspace, user, { name: 'Desk', type: 'physical' })
    const rename = database.sqlite.prepare('UPDATE catalog_products SET name = ?')
    const names = database.sqlite.prepare('SELECT group_concat(name) FROM catalog_products').pluck()
    const answer = () => askCached(callerIn(workspace), '/names', () => String(names.get()))
    /** The first response is not cached yet. */
    const thirdAnswer = () => [answer(), answer(), answer()].at(-1)
    const write = (change: () => void) => {
      workspace.write(change)
    }
    return { database, rename, write, asked: thirdAnswer }
  }

  test('with the failed write', () => {
    const { rename, write, asked: thirdAnswer } = setUp()
    expect(thirdAnswer()).toBe('Desk')
    expect(() => {
      write(() => {
        rename.run('Other')
        expect(thirdAnswer()).toBe('Other')
        throw new Error('half-way')
      })
    }).toThrow('half-way')
    expect(thirdAnswer()).toBe('Desk')
  })

  test('with the failed inner write whose error was caught', () => {
    const { rename, write, asked: thirdAnswer } = setUp()
    expect(thirdAnswer()).toBe('Desk')
    write(() => {
      rename.run('Lamp')
      try {
        write(() => {
          rename.run('Other')
          expect(thirdAnswer()).toBe('Other')
          throw new Error('half-way')
        })
      } catch {
        expect(thirdAnswer()).toBe('Lamp')
      }
    })
    expect(thirdAnswer()).toBe('Lamp')
  })

  test('with the turn that could not be committed', async () => {
    const { database, rename, write, asked: thirdAnswer } = setUp()
    await database.committed()
    expect(thirdAnswer()).toBe('Desk')
    write(() => {
      rename.run('Other')
      database.sqlite.pragma('defer_foreign_keys = ON')
      const lost = { key: 'k', workspace: 9, user: 'u', scopes: [], interfaces: [], createdAt: 0 }
      database.orm.insert(keys).values(lost).run()
    })
    expect(thirdAnswer()).toBe('Other')
    await expect(database.committed()).rejects.toThrow('FOREIGN KEY')
    expect(thirdAnswer()).toBe('Desk')
  })

  test('with the write after which SQLite rolled back the whole transaction', () => {
    const { database, rename, write, asked: thirdAnswer } = setUp()
    expect(thirdAnswer()).toBe('Desk')
    database.flush()
    const giveUp = database.sqlite.prepare("INSERT OR ROLLBACK INTO meta VALUES ('openings', '1')")
    expect(() => {
      write(() => {
        rename.run('Other')
        expect(thirdAnswer()).toBe('Other')
        expect(() => giveUp.run()).toThrow('UNIQUE')
        expect(thirdAnswer()).toBe('Desk')
        throw new Error('given up')
      })
    }).toThrow('given up')
    expect(thirdAnswer()).toBe('Desk')
  })

  test('with the transaction that had already ended', () => {
    const { database, rename, write, asked: thirdAnswer } = setUp()
    expect(thirdAnswer()).toBe('Desk')
    database.flush()
    const unnoticed = SQLite.prototype.prepare.call(database.sqlite, 'ROLLBACK') as SQLite.Statement
    retained.push(unnoticed)
    expect(() => {
      write(() => {
        rename.run('Other')
        expect(thirdAnswer()).toBe('Other')
        unnoticed.run()
        throw new Error('over')
      })
    }).toThrow('over')
    expect(thirdAnswer()).toBe('Desk')
  })
})

/** Newer versions of Node must not collect these (src/state/storage/sqlite/statements.ts). */
const retained: SQLite.Statement[] = []

test('keeps an answer that depends on the clock only until the instant at which it may change', () => {
  const { workspace } = freshState()
  const answerAt = (instant: number) =>
    workspace.clock.at(instant, () =>
      askCached(callerIn(workspace), '/day', () => {
        workspace.clock.nowUntil(() => 2000)
        return `made at ${String(workspace.clock.nowUntil(() => 1000))}`
      }),
    )
  expect([1, 2, 3, 999].map(answerAt).slice(2)).toEqual(['made at 2', 'made at 2'])
  expect(answerAt(1000)).toBe('made at 1000')
})

/** Asks three times, because an answer is kept at the second time. */
const thrice = (ask: () => string): string[] => [ask(), ask(), ask()]

test.each<[string, (workspace: Workspace) => unknown, string?]>([
  ['that has the time', (workspace) => workspace.now()],
  ['that was made with a write', (workspace) => workspace.write(() => null)],
  ['with an id', (workspace) => workspace.write(() => workspace.ids.nano('thing'))],
  ['that is a file', () => null, 'application/xml'],
])('keeps no answer %s', (_what, read, type) => {
  const { workspace } = freshState()
  let made = 0
  const ask = () =>
    askCached(
      callerIn(workspace),
      '/one',
      () => {
        read(workspace)
        return String(++made)
      },
      type,
    )
  expect(thrice(ask)).toEqual(['1', '2', '3'])
})

test('does not return an answer of one workspace object for its replacement', () => {
  const { workspace, workspaces } = freshState()
  const twin = new Registry(workspaces.database).get(workspace.id)
  let made = 0
  const answer = (of: Workspace) => askCached(callerIn(of), '/count', () => String(++made))
  expect(thrice(() => answer(workspace))).toEqual(['1', '2', '2'])
  expect(answer(twin)).toBe('3')
})

test('does not return an answer of one caller to another, or of one address at another', () => {
  const { workspace, workspaces, user } = freshState()
  const callerOf = (key: string, scopes: readonly string[]): Caller => {
    workspaces.keys.add(workspace, { key, userId: user.id, scopes })
    const caller = workspaces.keys.caller(key)
    if (!caller) throw new Error('there is no such key')
    return caller
  }
  const answer = (caller: Caller, url = '/scopes') =>
    askCached(caller, url, () => `${[...(caller.scopes ?? [])].join()} at ${url}`)
  const one = callerOf('one', ['a'])
  expect(thrice(() => answer(one))).toEqual(['a at /scopes', 'a at /scopes', 'a at /scopes'])
  expect(answer(one, '/scopes?page=2')).toBe('a at /scopes?page=2')
  expect(answer(callerOf('two', ['b']))).toBe('b at /scopes')

  workspaces.keys.remove('one')
  expect(answer(callerOf('one', ['c']))).toBe('c at /scopes')
  expect(answer(one)).toBe('a at /scopes')
})

/** A script changes tables without a write of the workspace, so cached responses do not show the change. */
describe('the cache saves work', () => {
  test('while other workspaces are written', async () => {
    const { act, askAll, database, fresh, remember } = await demo({ ownApp: true })
    const lists = [PRODUCTS, CONTACTS, DEALS, LINKS, TRANSACTIONS]
    const before = await remember(lists)
    database.sqlite.exec(
      `UPDATE catalog_products SET name = 'Hidden', revision = next_revision();
       UPDATE crm_contacts SET name = 'Hidden', revision = next_revision();
       UPDATE payment_links SET reference = 'Hidden', revision = next_revision();
       UPDATE payment_transactions SET amount = 1, revision = next_revision()`,
    )

    expect((await fresh.call('POST', PRODUCTS, { body: { name: 'Desk', type: 'physical' } })).status).toBe(
      201,
    )
    expect((await fresh.call('POST', CONTACTS, { body: { name: 'Ana' } })).status).toBe(201)
    fresh.app.workspaces.keys.add(fresh.workspace, {})
    expect(await askAll(lists)).toEqual(before)

    await act('POST', LINKS, { amount: 1000 })
    const after = await askAll(lists)
    lists.forEach((list, index) => {
      expect(after[index], list).not.toBe(before[index])
    })
  })

  test.each([
    ['contacts', CONTACTS, 'crm_contacts'],
    ['deals', DEALS, 'crm_deals'],
    ['transactions', TRANSACTIONS, 'payment_transactions'],
  ])('and counts %s once for all pages', async (_name, list, table) => {
    const { act, database } = await demo({ ownApp: true })
    const total = async (page: number) => {
      const path = `${list}?per_page=1&page=${String(page)}`
      const { meta } = await act<{ meta: { total_count?: number; total?: number } }>('GET', path)
      return meta.total_count ?? meta.total
    }
    const counted = await total(1)
    expect(counted).toBeGreaterThan(2)
    database.sqlite.exec(
      `PRAGMA foreign_keys = OFF;
       DELETE FROM ${table} WHERE rowid = (SELECT max(rowid) FROM ${table} WHERE workspace > 0);
       PRAGMA foreign_keys = ON`,
    )
    expect([await total(1), await total(2)]).toEqual([counted, counted])
  })

  test('and counts again if there are more or fewer', async () => {
    const { act } = await demo()
    const total = async () =>
      (await act<{ meta: { total_count: number } }>('GET', `${CONTACTS}?per_page=1`)).meta.total_count
    const before = await total()
    const { id } = await act<{ id: string }>('POST', CONTACTS, { name: 'Ana' })
    expect(await total()).toBe(before + 1)
    await act('DELETE', `${CONTACTS}/${id}`)
    expect(await total()).toBe(before)
  })
})
