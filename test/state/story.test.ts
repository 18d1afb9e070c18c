/** The story of a workspace, and what does not belong to it. */
import { expect, test } from 'vitest'
import { storiesOf, storyOf, tell } from '../../src/state/story.ts'
import { freshApp } from '../support/app.ts'

test('the story tells nothing of what was refused in the middle', async () => {
  const { workspace } = await freshApp()
  expect(() =>
    workspace.write(() => {
      tell(workspace, { kind: 'trigger', title: 'undone', ref: 'undone' })
      throw new Error('undone')
    }),
  ).toThrow('undone')
  expect(storyOf(workspace).steps()).toEqual([])
  workspace.write(() => tell(workspace, { kind: 'trigger', title: 'done', ref: 'done' }))
  expect(storyOf(workspace).steps()).toMatchObject([{ title: 'done' }])
})

test('what is kept of the journal leaves nothing behind of what went before the calls that it keeps', async () => {
  const { app, at, workspace } = await freshApp()
  const call = at('catalog')
  const stories = storiesOf(app.workspaces.database)
  for (let n = 0; n < 2100; n++) {
    await call('GET', `/products/${String(n)}`)
    if (n % 300 === 299) stories.keepAll()
  }
  const pieces = app.workspaces.database.sqlite
    .prepare('SELECT count(*) FROM journal WHERE workspace = ?')
    .pluck()
    .get(workspace.number)
  expect(pieces).toBeGreaterThan(0)
  expect(pieces).toBeLessThanOrEqual(5)
})
