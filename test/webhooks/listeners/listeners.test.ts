/** The places of listeners, and the errors that they report. packages/cli/test/listen has their deliveries. */
import { expect, test } from 'vitest'
import { parseResult } from '../../../src/control/webhooks/listenMessages.ts'
import { fileError } from '../../../src/state/storage/database/databaseFileError.ts'
import { Listeners, MAX_LISTENERS } from '../../../src/webhooks/listeners/listeners.ts'
import { controlApp, makeWorkspace } from '../../control/app.ts'

test('a listener that has lost its connection keeps no place from others', async () => {
  const app = await controlApp()
  const workspace = app.workspaces.get((await makeWorkspace(app)).id)
  const ended: string[] = []
  const listeners = new Listeners({
    timeoutMs: 1000,
    changed: () => undefined,
    ended: (_workspace, subscriptions) => ended.push(...subscriptions.map(({ id }) => id)),
    graceOver: () => undefined,
  })
  const connection = { send: () => undefined, close: () => undefined }
  const connect = (session: string) =>
    listeners.connect(
      workspace,
      {
        session,
        secret: 'secret',
        routes: [{ url: 'http://127.0.0.1:9', events: new Map([['pos', null]]) }],
      },
      connection,
    )
  const all = Array.from({ length: MAX_LISTENERS }, (_, index) => connect(`session-${String(index)}`))
  expect(listeners.countOthers(workspace, 'another')).toBe(MAX_LISTENERS)
  for (const { disconnect } of all.slice(0, 2)) disconnect(false)
  expect(listeners.countOthers(workspace, 'another')).toBe(MAX_LISTENERS - 2)
  connect('another')
  // The oldest of those that could connect again.
  expect(ended).toHaveLength(1)
  expect(ended[0]).toContain('session-0')
  for (const { disconnect } of all) disconnect(true)
})

test('a long error of a receiver is cut', () => {
  const sent = { type: 'result', number: 1, status: null, error: 'x'.repeat(2000), durationMs: 1 }
  expect(parseResult(JSON.stringify(sent)).result.error).toBe('x'.repeat(500))
})

test('an error of the disk that comes from a thread, as a plain object, has its text', () => {
  expect(fileError({ code: 'SQLITE_FULL', message: 'database or disk is full' })).toBe('the disk is full')
  expect(fileError({ cause: { code: 'EROFS' } })).toBe('the file or its disk is read-only')
  expect(fileError({})).toBeNull()
})
