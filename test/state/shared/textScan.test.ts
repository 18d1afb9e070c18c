/** The budget of a search in texts. */
import { expect, test } from 'vitest'
import { sendEmail } from '../../../src/state/shared/emails.ts'
import { scanTexts, TextScan } from '../../../src/state/shared/textScan.ts'
import { emails } from '../../../src/state/storage/tables.ts'
import { controlApp, makeWorkspace } from '../../control/app.ts'

test('ends early when it has read as much as it may, and says so', async () => {
  const app = await controlApp()
  const workspace = app.workspaces.get((await makeWorkspace(app)).id)
  workspace.write(() => {
    for (let count = 1; count <= 40; count++) {
      const subject = `Offer ${String(count)}`
      sendEmail(workspace, {
        interface: 'crm',
        to: 'ana@example.com',
        subject: () => subject,
        text: () => 'x'.repeat(1000),
      })
    }
  })
  const { database, rowScope } = workspace
  const scopes = app.records.scopes(database)
  const source = { table: emails, id: 'id', titles: ['subject'], texts: ['subject', 'text'], at: 'at' }
  const scan = (budget: number, isCanceled = false) =>
    scanTexts(database, scopes, rowScope, source, new TextScan('offer', () => isCanceled, budget), 100)
  const { matches, isComplete } = await scan(10_000)
  // The newest ones were read first.
  expect(matches[0]?.title).toBe('Offer 40')
  expect(matches.length).toBeLessThan(40)
  expect(isComplete).toBe(false)
  expect(await scan(1_000_000)).toMatchObject({ matches: { length: 40 }, isComplete: true })
  // The client disconnected.
  expect((await scan(1_000_000, true)).isComplete).toBe(false)
})
