/** Operations on the clock of a workspace: read, set, advance. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst, allowMissingBody } from '../../http/definition/operation.ts'
import { instantOf, iso } from '@suite-sim/kit/time/instants'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { controlOperation, ListOf } from '../shared/dialect.ts'
import { Advance, Advanced, Clock, ClockChange, DueJob, WorkspaceId } from '../shared/schemas.ts'
import type { TimeTravel } from './timetravel.ts'
import { clockView } from '../shared/views.ts'

const TAG = 'Time'

export const clocks =
  (context: ControlContext, travel: TimeTravel): Resource =>
  async (app) => {
    const mustExist = checkFirst<{ id: string }>((_request, params) => workspaceOf(context, params))

    app.get(
      '/workspaces/:id/clock',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'getClock',
          summary: 'Get the clock of a workspace',
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
          summary: 'List due jobs and delivery attempts',
          description:
            'Returns the next job of each kind and the next delivery attempt, earliest first. An overdue attempt that is held back is listed too, with the reason in heldBackBy.',
          answers: { 200: ListOf(DueJob) },
        }),
      },
      ({ params }) => {
        const workspace = workspaceOf(context, params)
        const jobs = context.workspaces.jobs.upcoming(workspace)
        const attempts = context.webhooks.nextAttempts(workspace)
        const due = [
          ...jobs.map((each) => ({ job: each.job, due: each.due, delivery: null, heldBackBy: null })),
          ...attempts.map((attempt) => ({ job: 'webhooks.attempt', ...attempt })),
        ]
        due.sort((one, other) => one.due - other.due)
        return { data: due.map(({ due: at, ...each }) => ({ ...each, at: iso(at) })) }
      },
    )

    app.put(
      '/workspaces/:id/clock',
      {
        preValidation: [mustExist, allowMissingBody],
        schema: { params: WorkspaceId, body: Type.Optional(ClockChange) },
        config: controlOperation(TAG, {
          id: 'setClock',
          summary: 'Set the clock of a workspace',
          description:
            'Moving the clock forward runs the jobs that become due. Moving it backward runs nothing.',
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
          summary: 'Advance the clock of a workspace',
          description:
            'Runs all jobs and sends all deliveries that become due, in order, then responds. A slow receiver does not delay the others. If receivers take longer than waitMs in total, the remaining deliveries are sent without waiting and complete is false.',
          answers: { 200: Advanced },
          refuses: ['conflict'],
        }),
      },
      async ({ params, body }) => {
        const workspace = workspaceOf(context, params)
        const result = await travel.advance(workspace, body.duration, body.waitMs)
        return { ...clockView(workspace), ...result }
      },
    )
  }
