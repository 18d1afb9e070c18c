/**
 * The company of the demo: a year of it, played on the clock of a workspace by the calls that users make, with chance that
 * is the same in every run. What came of it is `fixtures/demo`, which stands beside the handful of `fixtures/small`;
 * `npm run demo` writes it anew.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { asc, eq, getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { App } from '../../../src/app.ts'
import { WRITTEN_FOR } from '../../../src/control/demoDates.ts'
import { emails } from '../../../src/state/tables.ts'
import type { Workspace } from '../../../src/state/workspace.ts'
import { deliveries } from '../../../src/webhooks/tables.ts'
import { ROOT } from '../process.ts'
import { chanceOf, type Chance } from './chance.ts'
import { listener, type Listener } from './receiver.ts'
import { planSales, type Business } from './sales.ts'
import { DAY, HOUR, Story } from './story.ts'
import { planTakings } from './takings.ts'
import { planTalks } from './talks.ts'

type Row = Readonly<Record<string, unknown>>
type Lists = Record<string, Row[]>

export const SMALL = join(ROOT, 'fixtures/small')
export const DEMO = join(ROOT, 'fixtures/demo')

/** The year ends with the week before the one that the handful was written for. */
const DAYS = 364

/** What the company has from the start, of the handful, by section. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  crm: ['segments', 'teams', 'templates', 'pipelines', 'stages'],
  conversations: ['inboxes', 'teams', 'agents'],
}

/** As fixtures call the receiver that was told of it all. */
const RECEIVER = 'https://receiver.example.com'

/** The files of `fixtures/demo`, by name. The app has to draw its ids from a seed. */
export async function company(app: App): Promise<Map<string, string>> {
  const { users, workspace: settings } = handful('workspace')
  const fixture = { format: 'suite-simulator/1', workspace: settings, users, ...given('counters') }
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
  const heard = await listener()
  try {
    await play(new Story(app, at.id, key, start), heard, app.workspaces.get(at.id).tenantId)
  } finally {
    await heard.close()
  }
  const workspace = app.workspaces.get(at.id)
  return filesOf(app, workspace, heard.url)
}

async function play(story: Story, heard: Listener, account: number): Promise<void> {
  const start = story.now
  const business = planSales(story, chanceOf(1), DAYS)
  planTakings(story, chanceOf(2), DAYS, business)
  planVisits(story, chanceOf(3), business)
  planTalks(story, chanceOf(5), DAYS, { business, account })
  const secret = 'demo-secret-of-the-receiver'
  let paymentsHook = ''
  story.at(start + 250 * DAY, async () => {
    await story.ask('crm', 'POST', '/webhooks', {
      url: `${heard.url}/deals`,
      events: ['deal.won', 'deal.lost', 'deal.created'],
      secret,
    })
  })
  story.at(start + 315 * DAY, async () => {
    const { data } = await story.ask<{ data: { id: string } }>('payments', 'POST', '/webhooks', {
      url: `${heard.url}/payments`,
      events: ['payment.completed', 'payment.refunded', 'payment.failed'],
      secret,
    })
    paymentsHook = data.id
  })
  // Hours in which attempts fail, and days after which deliveries are given up.
  for (const [day, hours, answer] of [
    [275, 6, 500],
    [318, 150, 503],
  ] as const) {
    story.at(start + day * DAY, () => Promise.resolve(void (heard.answer = answer)))
    story.at(start + day * DAY + hours * HOUR, () => Promise.resolve(void (heard.answer = 200)))
  }
  // Whoever gets the demo has nothing sent to a receiver that there is not: deals are no more wanted, payments paused.
  story.at(start + (DAYS - 40) * DAY, () => Promise.resolve(void heard.gone.add('/deals')))
  story.at(start + (DAYS - 2) * DAY, () =>
    story.ask('payments', 'PATCH', `/webhooks/${paymentsHook}`, { active: false }),
  )
  await story.tellUntil(WRITTEN_FOR - HOUR)
}

/** Activities of the catalog, which name contacts and deals of the CRM. */
function planVisits(story: Story, chance: Chance, { contacts, deals }: Business): void {
  for (let day = DAYS - 90; day < DAYS - 2; day += 6) {
    story.at(story.now + (day + 0.65) * DAY, async () => {
      const ofDeal = chance.happens(0.6)
      await story.ask('catalog', 'POST', '/activities', {
        title: ofDeal ? 'Bring samples of fabrics' : 'Show the new desks',
        type: chance.pick(['meeting', 'call', 'lunch']),
        priority: chance.pick(['low', 'medium', 'high']),
        ownerId: 'demo-user-00000000003',
        entityType: ofDeal ? 'deal' : 'contact',
        entityId: ofDeal ? deals.at(-chance.between(1, 6)) : chance.pick(contacts).id,
        dueDate: new Date(story.now + chance.between(3, 20) * DAY).toISOString(),
      })
    })
  }
}

function filesOf(app: App, workspace: Workspace, heardAt: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const [section, lists] of Object.entries(app.records.dump(workspace))) {
    const known = given()[section] ?? {}
    const isNew = (name: string, { id }: Row): boolean =>
      id === undefined || !known[name]?.some((each) => each['id'] === id)
    const rows = Object.entries(lists)
      .map(([name, all]) => {
        const isDefault = defaultsOf(app, section, name)
        const shown = all.filter((row) => isNew(name, row)).map((row) => without(row, isDefault))
        return [name, shown] as const
      })
      .filter(([, all]) => all.length > 0)
    if (rows.length > 0)
      files.set(`${section}.json`, written(Object.fromEntries(rows), heardAt, workspace.id))
  }
  files.set('history.json', written(historyOf(workspace), heardAt, workspace.id))
  return files
}

type IsDefault = (name: string, cell: unknown) => boolean

/** Tells whether a cell equals the default of its column, which loading fills in. */
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

/** What happened and is no record: e-mails, and deliveries that are over. */
function historyOf({ database: { orm }, rowScope }: Workspace): Lists {
  const chance = chanceOf(4)
  const sent = orm.select().from(emails).where(eq(emails.workspace, rowScope)).orderBy(asc(emails.at)).all()
  const told = orm
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
    webhook_deliveries: told.map(
      ({ workspace: _workspace, sequence: _sequence, createdAt, body, ...delivery }) => ({
        ...delivery,
        body: JSON.parse(body) as unknown,
        createdAt: new Date(createdAt).toISOString(),
        // How long this machine took says nothing of the receiver.
        attempts: delivery.attempts.map((attempt) => ({ ...attempt, durationMs: chance.between(18, 160) })),
      }),
    ),
  }
}

/** A line for each record, without nulls. */
function written(lists: Lists, heardAt: string, madeIn: string): string {
  const texts = Object.entries(lists).map(([name, rows]) => {
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null))),
    )
    return `${JSON.stringify(name)}: [\n${lines.join(',\n')}\n]`
  })
  return `{\n${texts.join(',\n')}\n}\n`.replaceAll(heardAt, RECEIVER).replaceAll(madeIn, 'demo')
}

const handful = (section: string): Lists =>
  JSON.parse(readFileSync(join(SMALL, `${section}.json`), 'utf8')) as Lists

/** The lists of the handful that the company has from the start, by section. */
const given = (...more: readonly string[]): Record<string, Lists> =>
  Object.fromEntries(
    Object.entries(GIVEN).map(([section, names]) => [section, only(handful(section), [...names, ...more])]),
  )

const only = (lists: Lists, names: readonly string[]): Lists =>
  Object.fromEntries(Object.entries(lists).filter(([name]) => names.includes(name)))
