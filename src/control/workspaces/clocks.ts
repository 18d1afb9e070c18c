/** Operations on the clock of a workspace: read, set, advance. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { allowMissingBody } from '../../http/definition/operation.ts'
import { instantOf, iso } from '@suite-sim/kit/time/instants'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, ListOf, workspaceMustExist, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { clockView } from '../shared/views.ts'
import { Advance, Advanced, Clock, ClockChange, DueJob } from './clockSchemas.ts'

export const clocks: ControlResource = async (app, context, { travel }) => {
  const at = controlRoutesOf(app, 'Time')
  const clock = at('/workspaces/:id/clock', { params: WorkspaceId })

  clock.get({
    id: 'getClock',
    summary: 'Get the clock of a workspace',
    answers: { 200: Clock },
    run: ({ target }) => clockView(target),
  })

  at('/workspaces/:id/clock/due', { params: WorkspaceId }).get({
    id: 'listDue',
    summary: 'List due jobs and delivery attempts',
    description:
      'Returns the next job of each kind and the next delivery attempt, earliest first. An overdue attempt that is held back is listed too, with the reason in heldBackBy.',
    answers: { 200: ListOf(DueJob) },
    run({ target: workspace }) {
      const jobs = context.workspaces.jobs.upcoming(workspace)
      const attempts = context.webhooks.nextAttempts(workspace)
      const due = [
        ...jobs.map((each) => ({ job: each.job, due: each.due, delivery: null, heldBackBy: null })),
        ...attempts.map((attempt) => ({ job: 'webhooks.attempt', ...attempt })),
      ]
      due.sort((one, other) => one.due - other.due)
      return { data: due.map(({ due: at, ...each }) => ({ ...each, at: iso(at) })) }
    },
  })

  clock.put({
    id: 'setClock',
    summary: 'Set the clock of a workspace',
    description: 'Moving the clock forward runs the jobs that become due. Moving it backward runs nothing.',
    body: Type.Optional(ClockChange),
    before: [workspaceMustExist, allowMissingBody],
    answers: { 200: Clock },
    refuses: ['conflict'],
    async run({ target: workspace, body: { now, ...body } }) {
      const before = workspace.now()
      await travel.set(workspace, { ...body, ...(now !== undefined && { now: instantOf(now, workspace) }) })
      const hint = workspace.now() < before ? hintOfFuture(context, workspace) : null
      return { ...clockView(workspace), ...(hint !== null && { hint }) }
    },
  })

  at('/workspaces/:id/clock/advance', { params: WorkspaceId }).post({
    id: 'advanceClock',
    summary: 'Advance the clock of a workspace',
    description:
      'Runs all jobs and sends all deliveries that become due, in order, then responds. A slow receiver does not delay the others. If receivers take longer than waitMs in total, the remaining deliveries are sent without waiting and complete is false.',
    body: Advance,
    before: workspaceMustExist,
    answers: { 200: Advanced },
    refuses: ['conflict'],
    async run({ target: workspace, body }) {
      const result = await travel.advance(workspace, body.duration, body.waitMs)
      return { ...clockView(workspace), ...result }
    },
  })
}

/** Maximum number of sections that a hint names. */
const MAX_NAMED = 5

/** Names the records that were created after the time of the workspace; null without any. */
function hintOfFuture({ records }: ControlContext, workspace: Workspace): string | null {
  const now = workspace.now()
  const counts = records.sets
    .map((set) => ({
      name: `${set.section}.${set.name}`,
      count: records.countCreatedAfter(workspace, set, now),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const named = counts.slice(0, MAX_NAMED).map(({ name, count }) => `${String(count)} ${name}`)
  const more = counts.length > MAX_NAMED ? ', and others' : ''
  return `${String(total)} ${total === 1 ? 'record has' : 'records have'} a creation in the future now: ${named.join(', ')}${more}. They stay as they are; lists by date show them as the newest.`
}
