/** The actions requested from devices. Specification part 1, "Signage", POST /screens/{screen_id}/actions. */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { take } from '../model/machine.ts'
import { isOneOf } from '../storage/columns.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendSignageEvent } from './events.ts'
import { actionMachine, MOVE_TO, UP } from './machines.ts'
import { moveScreen, screens, type Screen } from './screenRecords.ts'
import { actions as table } from './tables.ts'

export type Action = typeof table.$inferSelect

export const actions = record(table, {
  noun: 'action',
  snapshot: { section: 'signage', name: 'actions' },
})

/** The maximum number of actions that a screen lists. */
const MAX_ACTIONS = 20

const newest = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), eq(table.screenId, sql.placeholder('screenId'))))
    .orderBy(desc(table.requestedAt), desc(sql`rowid`))
    .limit(MAX_ACTIONS),
)

/** Returns the most recently requested actions of a screen, newest first. */
export const lastActionsOf = (workspace: Workspace, screenId: string): Action[] =>
  newest.all(workspace, { screenId })

/** Queues an action for the device. An offline device runs it when it is online again (assumed). */
export const requestAction = (
  workspace: Workspace,
  screen: Screen,
  request: Pick<Action, 'action'> & Partial<Pick<Action, 'reason'>>,
): Action =>
  workspace.write(() =>
    actions.insert(workspace, {
      ...request,
      id: workspace.ids.prefixed('act_'),
      screenId: screen.id,
      requestedAt: workspace.now(),
    }),
  )

/** Records that the device completed the action, and counts as a report. A device restart resets the uptime. */
export function completeAction(workspace: Workspace, id: string, resultUrl: string | null): Action {
  return workspace.write(() => {
    const action = actions.get(workspace, id)
    const { state: status, event } = take(actionMachine, action.status, 'complete')
    const finishedAt = workspace.now()
    const done = actions.update(workspace, action, { status, resultUrl, finishedAt })
    appendSignageEvent(workspace, event, done)
    recordContact(workspace, action.screenId, action.action === 'restart_device')
    return done
  })
}

/** Records that the action failed on the device, and counts as a report. */
export function failAction(workspace: Workspace, id: string, error: string | null): Action {
  return workspace.write(() => {
    const action = actions.get(workspace, id)
    const { state: status, event } = take(actionMachine, action.status, 'fail')
    const failed = actions.update(workspace, action, { status, error, finishedAt: workspace.now() })
    appendSignageEvent(workspace, event, failed)
    recordContact(workspace, action.screenId, false)
    return failed
  })
}

function recordContact(workspace: Workspace, screenId: string, isRestarted: boolean): void {
  const screen = screens.get(workspace, screenId)
  moveScreen(
    workspace,
    screen,
    UP.includes(screen.status) && !isRestarted ? MOVE_TO[screen.status] : 'wake',
    {
      ...(isRestarted && { uptimeMs: 0, uptimeAt: workspace.now() }),
    },
  )
}

const queued = query((orm) =>
  orm
    .select()
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.screenId, sql.placeholder('screenId')),
        isOneOf(table.status, actionMachine.moves.complete.from),
      ),
    )
    .orderBy(asc(table.requestedAt), asc(sql`rowid`))
    .limit(MAX_ACTIONS),
)

/** Returns the queued actions of a screen, oldest first. */
export const pendingActionsOf = (workspace: Workspace, screenId: string): Action[] =>
  queued.all(workspace, { screenId })
