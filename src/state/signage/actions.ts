/** What devices are asked to do. Specification part 1, "Signage", POST /screens/{screen_id}/actions. */
import { Type } from '@sinclair/typebox'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { take } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import type { Workspace } from '../workspace.ts'
import { appendSignageEvent } from './events.ts'
import { actionMachine } from './machines.ts'
import { moveScreen, screens, type Screen } from './screenRecords.ts'
import { actions as table } from './tables.ts'

export type Action = typeof table.$inferSelect

export const actions = record(table, {
  noun: 'action',
  snapshot: {
    section: 'signage',
    name: 'actions',
    instants: ['requestedAt', 'finishedAt'],
    shapes: () => ({
      reason: Type.String({ maxLength: 500 }),
      error: Type.String({ maxLength: 500 }),
      resultUrl: Type.String({ format: 'uri', maxLength: 2000 }),
    }),
  },
})

/** Actions that a screen shows. */
const SHOWN = 20

const newest = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), eq(table.screenId, sql.placeholder('screenId'))))
    .orderBy(desc(table.requestedAt), desc(sql`rowid`))
    .limit(SHOWN),
)

/** The last that were asked for, the newest first. */
export const lastActionsOf = (workspace: Workspace, screenId: string): Action[] =>
  newest.all(workspace, { screenId })

/** Asks the device to do something. One that is offline does it when it is back (assumed). */
export const requestAction = (
  workspace: Workspace,
  screen: Screen,
  wanted: Pick<Action, 'action' | 'reason'>,
): Action =>
  workspace.write(() =>
    actions.insert(workspace, {
      ...wanted,
      id: workspace.ids.prefixed('act_'),
      screenId: screen.id,
      status: actionMachine.initial[0],
      error: null,
      resultUrl: null,
      requestedAt: workspace.now(),
      finishedAt: null,
    }),
  )

/** The device has done it, which is a sign of life; one that was restarted has just begun to run. */
export function completeAction(workspace: Workspace, id: string, resultUrl: string | null): Action {
  return workspace.write(() => {
    const action = actions.get(workspace, id)
    const { state: status, event } = take(actionMachine, action.status, 'complete')
    const finishedAt = workspace.now()
    const done = actions.update(workspace, action, { status, resultUrl, finishedAt })
    appendSignageEvent(workspace, event, done)
    isHeardOf(workspace, action.screenId, action.action === 'restart_device')
    return done
  })
}

/** The device could not do it, and says so. */
export function failAction(workspace: Workspace, id: string, error: string | null): Action {
  return workspace.write(() => {
    const action = actions.get(workspace, id)
    const { state: status, event } = take(actionMachine, action.status, 'fail')
    const failed = actions.update(workspace, action, { status, error, finishedAt: workspace.now() })
    appendSignageEvent(workspace, event, failed)
    isHeardOf(workspace, action.screenId, false)
    return failed
  })
}

function isHeardOf(workspace: Workspace, screenId: string, isRestarted: boolean): void {
  const screen = screens.get(workspace, screenId)
  moveScreen(workspace, screen, screen.status === 'standby' && !isRestarted ? 'sleep' : 'wake', {
    ...(isRestarted && { uptimeMs: 0, uptimeAt: workspace.now() }),
  })
}

const queued = query((orm) =>
  orm
    .select()
    .from(table)
    .where(
      and(ofWorkspace(table), eq(table.screenId, sql.placeholder('screenId')), eq(table.status, 'queued')),
    )
    .orderBy(asc(table.requestedAt), asc(sql`rowid`))
    .limit(SHOWN),
)

/** What the device is still to do, the oldest first. */
export const pendingActionsOf = (workspace: Workspace, screenId: string): Action[] =>
  queued.all(workspace, { screenId })
