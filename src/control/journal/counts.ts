/** The counts of a workspace, which the dashboard shows in its navigation. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { named } from '../../http/schemas/schemas.ts'
import { emails } from '../../state/storage/tables.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { deliveries } from '../../webhooks/deliveries/tables.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { Slices } from '../../state/model/slices.ts'
import { hintsIn } from './hints.ts'

/** The highest count, so that a workspace with very many rows is counted as fast as one with some. */
const MAX_COUNT = 1000

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_COUNT, description: `${description}; at most 1,000.` })

const Counts = named(
  'Counts',
  Type.Object({
    calls: count('Calls in the request journal'),
    hints: count('Different hints of these calls, as in GET /workspaces/{id}/hints'),
    deliveries: count('Webhook deliveries'),
    deadDeliveries: count('Deliveries without further attempts that never succeeded'),
    emails: count('E-mails'),
    records: count('Records of all sections'),
  }),
)

export const counts: ControlResource = async (app, context) => {
  controlRoutesOf(app, 'Journal')('/workspaces/:id/counts', { params: WorkspaceId }).get({
    id: 'getCounts',
    summary: 'Count the calls, hints, deliveries, e-mails and records of a workspace',
    description: 'Each count ends at 1,000, so that the call is fast in every workspace.',
    answers: { 200: Counts },
    async run({ target: workspace }) {
      const scopes = context.records.scopes(workspace.database)
      const rowsIn = (tables: Parameters<typeof scopes.countUpTo>[0]): number =>
        scopes.countUpTo(tables, workspace.rowScope, MAX_COUNT)
      return {
        calls: timelineOf(workspace).calls().length,
        hints: await countHints(context, workspace),
        deliveries: rowsIn([deliveries]),
        deadDeliveries: context.webhooks.countDead(workspace, MAX_COUNT),
        emails: rowsIn([emails]),
        records: rowsIn(context.records.sets.map(({ table }) => table)),
      }
    },
  })
}

/** Counts the different hints of all calls. Only new calls are examined, because hints of a call are cached. */
async function countHints(context: ControlContext, workspace: Workspace): Promise<number> {
  const hintsOf = hintsIn(context, workspace)
  const slices = new Slices()
  const found = new Set<string>()
  for (const call of timelineOf(workspace).calls()) {
    if (slices.isOver) await slices.turn()
    for (const { code, message } of await hintsOf(call.toRecord())) found.add(`${code} ${message}`)
  }
  return Math.min(found.size, MAX_COUNT)
}
