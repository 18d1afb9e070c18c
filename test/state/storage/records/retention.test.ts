/** History is trimmed, so that an app that runs for months keeps only the newest entries. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { sendEmail } from '../../../../src/state/shared/emails.ts'
import { KEPT_ROWS } from '../../../../src/state/storage/queries/retention.ts'
import { emails, events } from '../../../../src/state/storage/tables.ts'
import { MAX_KEYS } from '../../../../src/state/workspace/keys.ts'
import { MAX_USERS } from '../../../../src/state/workspace/users.ts'
import type { Workspace } from '../../../../src/state/workspace/workspace.ts'
import { freshApp } from '../../../support/app.ts'
import { multiply } from '../../../support/filling.ts'
import { scratchFolder } from '../../../support/process.ts'
import { buildApp } from '../../../support/subject.ts'

test('keeps the newest events of a workspace, and does not change others', async () => {
  const { app, workspace, tenant } = await freshApp()
  const other = tenant().workspace
  const append = (number: number): void => {
    workspace.append({ interface: 'pos', name: 'product.created', data: { number }, record: null })
  }
  const countOf = (number: number): number =>
    app.workspaces.database.orm
      .select({ count: sql<number>`count(*)` })
      .from(events)
      .where(sql`${events.workspace} = ${number}`)
      .all()[0]?.count ?? 0

  workspace.write(() => {
    for (let number = 0; number < KEPT_ROWS; number++) append(number)
  })
  other.write(() => other.append({ interface: 'pos', name: 'product.created', data: {}, record: null }))
  expect(countOf(workspace.rowScope)).toBe(KEPT_ROWS)

  workspace.write(() => {
    for (let number = 0; number < 3000; number++) append(KEPT_ROWS + number)
  })

  expect(countOf(workspace.rowScope)).toBe(KEPT_ROWS)
  expect(countOf(other.rowScope)).toBe(1)
  const [oldest] = app.workspaces.database.orm
    .select({ data: events.data })
    .from(events)
    .where(sql`${events.workspace} = ${workspace.rowScope}`)
    .orderBy(sql`rowid`)
    .limit(1)
    .all()
  expect(oldest?.data).toEqual({ number: 3000 })
})

test('keeps the newest e-mails, which the control plane shows', async () => {
  const { app, workspace, call } = await freshApp()
  workspace.write(() => {
    for (let number = 0; number < KEPT_ROWS + 1000; number++) {
      sendEmail(workspace, {
        interface: 'crm',
        to: 'reader@example.com',
        subject: () => String(number),
        text: () => '',
      })
    }
  })

  const remaining = app.workspaces.database.orm
    .select({ count: sql<number>`count(*)` })
    .from(emails)
    .all()
  expect(remaining[0]?.count).toBe(KEPT_ROWS)
  const { body } = await call('GET', `/_sim/workspaces/${workspace.id}/emails?limit=1`)
  expect(body).toMatchObject({ data: [{ subject: String(KEPT_ROWS + 999) }] })
})

test('trims at the first insert after a start', async () => {
  const db = join(scratchFolder(), 'suite.sqlite')
  const first = await buildApp({ db })
  const { id } = first.workspaces.create({ name: 'Test' }, (workspace) => workspace)
  const append = (workspace: Workspace) =>
    workspace.append({ interface: 'pos', name: 'product.created', data: {}, record: null })
  const before = first.workspaces.get(id)
  before.write(() => {
    for (let number = 0; number < KEPT_ROWS + 900; number++) append(before)
  })
  await first.close()

  const second = await buildApp({ db })
  const after = second.workspaces.get(id)
  after.write(() => append(after))
  const count = second.workspaces.database.orm
    .select({ count: sql<number>`count(*)` })
    .from(events)
    .get()
  expect(count).toEqual({ count: KEPT_ROWS })
  await second.close()
})

test('keeps no more dead deliveries than others, and all pending ones', async () => {
  const { workspace, call } = await freshApp()
  const path = `/_sim/workspaces/${workspace.id}`
  await call('POST', `${path}/subscriptions`, {
    body: { interface: 'pos', url: 'https://hooks.example.com' },
  })
  const { sqlite } = workspace.database
  const emit = () =>
    workspace.write(() =>
      workspace.append({ interface: 'pos', name: 'sale.completed', data: { number: 1 }, record: null }),
    )
  emit()
  multiply(workspace, 'webhook_deliveries', KEPT_ROWS + 500, {
    sequence: 'next_revision()',
    status: `CASE WHEN n <= 10 THEN "status" ELSE 'dead' END`,
  })
  for (let number = 0; number < 1000; number++) emit()
  const counts = sqlite
    .prepare(
      `SELECT status = 'dead' AS dead, count(*) AS count FROM webhook_deliveries WHERE workspace = ? GROUP BY 1`,
    )
    .all(workspace.rowScope)
  // The first delivery and ten copies are older than the limit and pending.
  const dead = (counts as { dead: number; count: number }[]).find((row) => row.dead === 1)?.count ?? 0
  const others = (counts as { dead: number; count: number }[]).find((row) => row.dead === 0)?.count ?? 0
  expect(dead).toBeLessThan(KEPT_ROWS)
  expect(others).toBe(11 + 1000)
})

test('a workspace has at most 10,000 users and as many keys', async () => {
  const { app, workspace, call, key } = await freshApp()
  const addUser = () =>
    call('POST', `/_sim/workspaces/${workspace.id}/users`, { body: { name: 'Ana', email: 'a@example.com' } })
  const addKey = () => call('POST', '/_sim/keys', { body: { workspaceId: workspace.id } })
  const { database, tenantId } = workspace
  database.write(() => {
    for (let n = 0; n < MAX_USERS - 2; n++) {
      database.sqlite
        .prepare(`INSERT INTO users VALUES (?, ?, 'A', 'a@example.com', 0)`)
        .run(tenantId, `u${String(n)}`)
    }
    database.sqlite
      .prepare(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
         INSERT INTO keys SELECT key || '_' || n, workspace, user, scopes, interfaces, expires_at, created_at
         FROM keys, numbers WHERE key = ?`,
      )
      .run(MAX_KEYS - 2, key)
  })
  workspace.forget()
  for (const add of [addUser, addKey]) {
    expect((await add()).status).toBe(201)
    expect(await add()).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } })
  }
  expect(app.workspaces.keys.of(workspace)).toHaveLength(MAX_KEYS)
})
