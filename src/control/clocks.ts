/** Each workspace's clock: real, shifted or standing still. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition.ts'
import { before, bodyMayBeLeftOut } from '../http/operation.ts'
import { instantOf, iso } from '../state/clock.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import { Advance, Advanced, Clock, ClockChange, DueJob, WorkspaceId } from './schemas.ts'
import type { TimeTravel } from './timetravel.ts'
import { clockView } from './views.ts'

const TAG = 'Time'

export const clocks =
  (context: ControlContext, travel: TimeTravel): Resource =>
  async (app) => {
    const mustExist = before<{ id: string }>((_request, params) => workspaceOf(context, params))

    app.get(
      '/workspaces/:id/clock',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'getClock',
          summary: "Read a workspace's clock",
          answers: { 200: Clock },
        }),
      },
      ({ params }) => clockView(workspaceOf(context, params)),
    )

    app.get(
      '/workspaces/:id/clock/due',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'listDue',
          summary: 'Tell what falls due next',
          description:
            'The next of each kind of job and the next attempt to deliver a webhook, the earliest first. An attempt in the past, which may stand beside the next one, says what holds it back.',
          answers: { 200: ListOf(DueJob) },
        }),
      },
      ({ params }) => {
        const workspace = workspaceOf(context, params)
        const jobs = context.workspaces.upcomingJobs(workspace)
        const attempts = context.webhooks.nextAttempts(workspace)
        const all = [
          ...jobs.map(({ job, due }) => ({ job, due, delivery: null, heldBackBy: null })),
          ...attempts.map((attempt) => ({ job: 'webhooks.attempt', ...attempt })),
        ]
        all.sort((one, other) => one.due - other.due)
        return { data: all.map(({ due, ...each }) => ({ ...each, at: iso(due) })) }
      },
    )

    app.put(
      '/workspaces/:id/clock',
      {
        preValidation: [mustExist, bodyMayBeLeftOut],
        schema: { params: WorkspaceId, body: Type.Optional(ClockChange) },
        config: controlOperation(TAG, {
          id: 'setClock',
          summary: "Set a workspace's clock",
          description: 'Forward, what falls due by then happens; backward, nothing does.',
          answers: { 200: Clock },
          refuses: ['conflict'],
        }),
      },
      async ({ params, body: { now, ...body } }) => {
        const workspace = workspaceOf(context, params)
        await travel.set(workspace, { ...body, ...(now !== undefined && { now: instantOf(now, workspace) }) })
        return clockView(workspace)
      },
    )

    app.post(
      '/workspaces/:id/clock/advance',
      {
        preValidation: mustExist,
        schema: { params: WorkspaceId, body: Advance },
        config: controlOperation(TAG, {
          id: 'advanceClock',
          summary: "Move a workspace's clock on",
          description:
            'Answers once all that falls due by then has happened in order, webhook retries included, each receiver for itself. After waitMs of waiting for receivers the rest is sent without waiting, and complete is false.',
          answers: { 200: Advanced },
          refuses: ['conflict'],
        }),
      },
      async ({ params, body }) => {
        const workspace = workspaceOf(context, params)
        const journey = await travel.advance(workspace, body.duration, body.waitMs)
        return { ...clockView(workspace), ...journey }
      },
    )
  }
