/** The stored deals and their stays in stages; `deals.ts` changes them. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { numbered } from '../../storage/queries/listing.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { record } from '../../storage/records/record.ts'
import { refuse } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { CLOSED } from '../machines.ts'
import { contacts, deals as table, pipelines, stages, stageStays } from '../tables.ts'

export type Deal = typeof table.$inferSelect
export type Stay = typeof stageStays.$inferSelect

/** A deal with the fields of its contact, pipeline, stage and activities. */
export type DealDetails = Deal & {
  readonly contactName: string | null
  readonly contactEmail: string | null
  readonly pipelineName: string
  readonly stageName: string
  /** The probability of the stage, in percent. */
  readonly probability: number
  readonly activitiesCount: number
}

const INDEXES = {
  status: [table.status, table.createdAt, table.value],
  owner_id: [table.ownerId, table.createdAt, table.value],
  vertical: [table.vertical, table.createdAt, table.value],
}

/** Selects the vertical of the pipeline or, if it has none, of the contact. */
export const verticalOf = (
  pipelineId: unknown,
  contactId: unknown,
  workspace: unknown,
): SQL<Deal['vertical']> =>
  sql`coalesce((select ${pipelines.vertical} from ${pipelines} where ${pipelines.workspace} = ${workspace} and ${pipelines.id} = ${pipelineId}), (select ${contacts.vertical} from ${contacts} where ${contacts.workspace} = ${workspace} and ${contacts.id} = ${contactId}))`

const findVertical = query((orm) =>
  orm
    .select({
      vertical: verticalOf(
        sql.placeholder('pipelineId'),
        sql.placeholder('contactId'),
        sql.placeholder('workspace'),
      ),
    })
    .from(sql`(select 1)`),
)

/** Deals with every filter of GET /deals; values are in hundredths. */
export const deals = record(table, {
  noun: 'deal',
  derived: {
    vertical: ({ pipelineId, contactId }: Pick<Deal, 'pipelineId' | 'contactId'>, workspace) =>
      findVertical.first(workspace, { pipelineId, contactId })?.vertical ?? null,
  },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      pipeline_id: (value) => sql`${table.pipelineId} = ${value}`,
      stage_id: (value) => sql`${table.stageId} = ${value}`,
      owner_id: (value) => sql`${table.ownerId} = ${value}`,
      status: (value) => sql`${table.status} = ${value}`,
      vertical: (value) => sql`${table.vertical} = ${value}`,
      min_value: (value) => sql`${table.value} >= ${value}`,
      max_value: (value) => sql`${table.value} <= ${value}`,
    },
    indexes: INDEXES,
  }),
  snapshot: { section: 'crm', name: 'deals', check: mustBeConsistent },
})

const stageInPipeline = query((orm) =>
  orm
    .select({ one: sql`1` })
    .from(stages)
    .where(
      and(
        ofWorkspace(stages),
        eq(stages.id, sql.placeholder('stageId')),
        eq(stages.pipelineId, sql.placeholder('pipelineId')),
      ),
    ),
)

/** Throws if a deal in a snapshot has a stage of another pipeline, or a status that contradicts closedAt. */
function mustBeConsistent({ id, status, closedAt, pipelineId, stageId }: Deal, workspace: Workspace): void {
  const problem =
    CLOSED.includes(status) !== (closedAt !== null)
      ? `is ${status} but ${closedAt === null ? 'has no' : 'has a'} closedAt`
      : !stageInPipeline.first(workspace, { pipelineId, stageId })
        ? `is in ${stageId}, which is not a stage of ${pipelineId}`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the deal ${id} ${problem}.`)
}

/** Stays of deals in stages. The deal must exist before its stays. */
export const stays = record(stageStays, {
  noun: 'stay',
  derived: {
    dealCreatedAt: ({ dealId, enteredAt }: Pick<Stay, 'dealId' | 'enteredAt'>, workspace) =>
      deals.find(workspace, dealId)?.createdAt ?? enteredAt,
  },
  snapshot: { section: 'crm', name: 'stageStays', isInternal: true },
})
