/** History is trimmed, so that an app that runs for months keeps only the newest entries. */
import { expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { sendEmail } from '../../../../src/state/shared/emails.ts'
import { KEPT_ROWS } from '../../../../src/state/storage/records/retention.ts'
import { emails, events } from '../../../../src/state/storage/tables.ts'
import { freshApp } from '../../../support/app.ts'

test('keeps the newest events of a workspace, and does not change others', async () => {
  const { app, workspace, tenant } = await freshApp()
  const other = tenant().workspace
  const append = (number: number): void => {
    workspace.append({ interface: 'pos', name: 'product.created', data: { number } })
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
  other.write(() => other.append({ interface: 'pos', name: 'product.created', data: {} }))
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
        subject: String(number),
        text: '',
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
