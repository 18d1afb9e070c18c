/**
 * Simulates one year of the demo company through the calls that users make, with the same random numbers in every
 * run. The result is `fixtures/demo`; `npm run demo` writes it again. `fixtures/small` is written by hand.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { asc, eq, getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { App } from '../../../src/app.ts'
import { WRITTEN_FOR } from '../../../src/control/snapshots/builtIn/demoDates.ts'
import { emails } from '../../../src/state/storage/tables.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { deliveries } from '../../../src/webhooks/deliveries/tables.ts'
import { ROOT } from '../process.ts'
import { randomFrom, type Random } from './random.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { planSales, type Business } from './sales.ts'
import { DAY, HOUR, Simulation } from './simulation.ts'
import { planPayments } from './payments.ts'
import { planConversations } from './conversations.ts'
import { dumpOf } from '../records.ts'

type Row = Readonly<Record<string, unknown>>
type Lists = Record<string, Row[]>

export const SMALL = join(ROOT, 'fixtures/small')
export const DEMO = join(ROOT, 'fixtures/demo')

/** The year ends with the week before the date of `fixtures/small`. */
const DAYS = 364

/** The lists of `fixtures/small` that the company starts with, by section. */
const INITIAL: Readonly<Record<string, readonly string[]>> = {
  crm: ['segments', 'teams', 'templates', 'pipelines', 'stages'],
  conversations: ['inboxes', 'teams', 'agents'],
}

/** The URL of the receiver in the fixtures. */
const RECEIVER = 'https://receiver.example.com'

/** Returns the files of `fixtures/demo` by name. The app must draw its ids from a seed. */
export async function company(app: App): Promise<Map<string, string>> {
  const { users, workspace: settings } = smallFixture('workspace')
  const fixture = { format: 'suite-simulator/1', workspace: settings, users, ...initialLists('counters') }
  const made = await app.fastify.inject({
    method: 'POST',
    url: '/_sim/workspaces',
    payload: { fixtures: fixture },
  })
  const { workspace: at, key } = JSON.parse(made.payload) as { workspace: { id: string }; key: string }
  const start = WRITTEN_FOR - DAYS * DAY
  await app.fastify.inject({
    method: 'PUT',
    url: `/_sim/workspaces/${at.id}/clock`,
    payload: { now: new Date(start).toISOString(), frozen: true },
  })
  const receiver = await startReceiver()
  try {
    await simulate(new Simulation(app, at.id, key, start), receiver, app.workspaces.get(at.id).tenantId)
  } finally {
    await receiver.close()
  }
  const workspace = app.workspaces.get(at.id)
  return filesOf(app, workspace, receiver.url)
}

async function simulate(simulation: Simulation, receiver: Receiver, account: number): Promise<void> {
  const start = simulation.now
  const business = planSales(simulation, randomFrom(1), DAYS)
  planPayments(simulation, randomFrom(2), DAYS, business)
  planVisits(simulation, randomFrom(3), business)
  planConversations(simulation, randomFrom(5), DAYS, { business, account })
  const secret = 'demo-secret-of-the-receiver'
  let paymentsHook = ''
  simulation.at(start + 250 * DAY, async () => {
    await simulation.request('crm', 'POST', '/webhooks', {
      url: `${receiver.url}/deals`,
      events: ['deal.won', 'deal.lost', 'deal.created'],
      secret,
    })
  })
  simulation.at(start + 315 * DAY, async () => {
    const { data } = await simulation.request<{ data: { id: string } }>('payments', 'POST', '/webhooks', {
      url: `${receiver.url}/payments`,
      events: ['payment.completed', 'payment.refunded', 'payment.failed'],
      secret,
    })
    paymentsHook = data.id
  })
  // Hours in which attempts fail, and days after which deliveries give up.
  for (const [day, hours, answer] of [
    [275, 6, 500],
    [318, 150, 503],
  ] as const) {
    simulation.at(start + day * DAY, () => Promise.resolve(void (receiver.status = answer)))
    simulation.at(start + day * DAY + hours * HOUR, () => Promise.resolve(void (receiver.status = 200)))
  }
  // The demo must not send to a receiver that does not exist: the deals subscription ends up disabled and the
  // payments one paused.
  simulation.at(start + (DAYS - 40) * DAY, () => Promise.resolve(void receiver.removedPaths.add('/deals')))
  simulation.at(start + (DAYS - 2) * DAY, () =>
    simulation.request('payments', 'PATCH', `/webhooks/${paymentsHook}`, { active: false }),
  )
  await simulation.runUntil(WRITTEN_FOR - HOUR)
}

/** Plans activities of the catalog that refer to contacts and deals of the CRM. */
function planVisits(simulation: Simulation, chance: Random, { contacts, deals }: Business): void {
  for (let day = DAYS - 90; day < DAYS - 2; day += 6) {
    simulation.at(simulation.now + (day + 0.65) * DAY, async () => {
      const ofDeal = chance.happens(0.6)
      await simulation.request('catalog', 'POST', '/activities', {
        title: ofDeal ? 'Bring samples of fabrics' : 'Show the new desks',
        type: chance.pick(['meeting', 'call', 'lunch']),
        priority: chance.pick(['low', 'medium', 'high']),
        ownerId: 'demo-user-00000000003',
        entityType: ofDeal ? 'deal' : 'contact',
        entityId: ofDeal ? deals.at(-chance.between(1, 6)) : chance.pick(contacts).id,
        dueDate: new Date(simulation.now + chance.between(3, 20) * DAY).toISOString(),
      })
    })
  }
}

function filesOf(app: App, workspace: Workspace, receiverUrl: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const [section, lists] of Object.entries(dumpOf(app.records, workspace))) {
    const known = initialLists()[section] ?? {}
    const isNew = (name: string, { id }: Row): boolean =>
      id === undefined || !known[name]?.some((each) => each['id'] === id)
    const rows = Object.entries(lists)
      .map(([name, all]) => {
        const isDefault = defaultsOf(app, section, name)
        const newRows = all.filter((row) => isNew(name, row)).map((row) => without(row, isDefault))
        return [name, newRows] as const
      })
      .filter(([, all]) => all.length > 0)
    if (rows.length > 0)
      files.set(`${section}.json`, formatLists(Object.fromEntries(rows), receiverUrl, workspace.id))
  }
  files.set('history.json', formatLists(historyOf(workspace), receiverUrl, workspace.id))
  return files
}

type IsDefault = (name: string, cell: unknown) => boolean

/** Returns a check whether a cell equals the default of its column, which loading fills in. */
function defaultsOf(app: App, section: string, name: string): IsDefault {
  const set = app.records.sets.find((each) => each.section === section && each.name === name)
  const columns: Record<string, { hasDefault: boolean; default?: unknown }> = set
    ? getTableColumns(set.table as SQLiteTable)
    : {}
  return (column, cell) =>
    columns[column]?.hasDefault === true && isDeepStrictEqual(columns[column].default, cell)
}

const without = (row: Row, isDefault: IsDefault): Row =>
  Object.fromEntries(Object.entries(row).filter(([name, cell]) => !isDefault(name, cell)))

/** The history that is not in records: e-mails and finished deliveries. */
function historyOf({ database: { orm }, rowScope }: Workspace): Lists {
  const chance = randomFrom(4)
  const sent = orm.select().from(emails).where(eq(emails.workspace, rowScope)).orderBy(asc(emails.at)).all()
  const sentDeliveries = orm
    .select()
    .from(deliveries)
    .where(eq(deliveries.workspace, rowScope))
    .orderBy(asc(deliveries.sequence))
    .all()
  return {
    emails: sent.map(({ workspace: _workspace, at, ...email }) => ({
      ...email,
      at: new Date(at).toISOString(),
    })),
    webhook_deliveries: sentDeliveries.map(
      ({ workspace: _workspace, sequence: _sequence, createdAt, body, ...delivery }) => ({
        ...delivery,
        body: JSON.parse(body) as unknown,
        createdAt: new Date(createdAt).toISOString(),
        // The real duration depends on this machine, so a random one replaces it.
        attempts: delivery.attempts.map((attempt) => ({ ...attempt, durationMs: chance.between(18, 160) })),
      }),
    ),
  }
}

/** Writes one line per record, without nulls. */
function formatLists(lists: Lists, receiverUrl: string, madeIn: string): string {
  const texts = Object.entries(lists).map(([name, rows]) => {
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null))),
    )
    return `${JSON.stringify(name)}: [\n${lines.join(',\n')}\n]`
  })
  return `{\n${texts.join(',\n')}\n}\n`.replaceAll(receiverUrl, RECEIVER).replaceAll(madeIn, 'demo')
}

const smallFixture = (section: string): Lists =>
  JSON.parse(readFileSync(join(SMALL, `${section}.json`), 'utf8')) as Lists

/** The lists of `fixtures/small` that the company starts with, by section. */
const initialLists = (...more: readonly string[]): Record<string, Lists> =>
  Object.fromEntries(
    Object.entries(INITIAL).map(([section, names]) => [
      section,
      only(smallFixture(section), [...names, ...more]),
    ]),
  )

const only = (lists: Lists, names: readonly string[]): Lists =>
  Object.fromEntries(Object.entries(lists).filter(([name]) => names.includes(name)))
