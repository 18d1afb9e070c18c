/**
 * What can be done to deals. Specification part 1, "CRM records", "Deal status".
 *
 * A deal is read together with what is shown beside it (contact, pipeline, stage, number of activities) in one
 * query, for a single deal as for a page of them.
 */
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import { iso, isoOrNull } from '../clock.ts'
import { addColumns } from '../columns.ts'
import { NEXT_REVISION, statement } from '../database.ts'
import { indexer } from '../indexes.ts'
import { numberedList, type Head } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { refuse, refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { amountOf, weighted } from './amounts.ts'
import { appendCrmEvent, type CrmEventName } from './events.ts'
import { dealMachine } from './machines.ts'
import { contacts, crmActivities, deals, pipelines, stages, stageStays } from './tables.ts'

export type Deal = typeof deals.$inferSelect
export type Stage = typeof stages.$inferSelect
export type Stay = typeof stageStays.$inferSelect

/** A deal with what is shown beside it. */
export type DealInFull = Deal & {
  readonly contactName: string | null
  readonly contactEmail: string | null
  readonly pipelineName: string
  readonly stageName: string
  /** Of the stage, in percent. */
  readonly probability: number
  readonly activitiesCount: number
}

/** Fields that an update may change; moving and closing are calls of their own. */
export type DealFields = {
  readonly [
    Field in 'name' | 'contactId' | 'value' | 'currency' | 'expectedCloseDate' | 'ownerId' | 'customFields'
  ]?: Deal[Field]
}
export type NewDeal = DealFields &
  Pick<Deal, 'name' | 'pipelineId'> & {
    /** The first stage of the pipeline when left out. */
    readonly stageId?: string
  }

/** What is said when a deal is won or lost. */
export interface Closing {
  /** In hundredths; the value stays as it is when left out. */
  readonly finalValue?: number
  readonly reason?: string | null
  readonly notes?: string | null
  readonly competitor?: string | null
}

const dealRows = rows(deals)
const stageRows = rows(stages)
const stayRows = rows(stageStays)

/** What reports group and add up stands in the indexes, so that they read no rows and sort nothing. */
const addedUp = [deals.createdAt, deals.status, deals.value, deals.closedAt, deals.pipelineId]

const INDEXES = {
  status: [deals.status, deals.createdAt, deals.value],
  owner_id: [deals.ownerId, ...addedUp],
  vertical: [deals.vertical, ...addedUp],
}

/** For reports of a large workspace: `expected` and `closed` are those of forecasts. */
export const indexDeals = indexer(deals, undefined, {
  ...INDEXES,
  expected: [deals.status, deals.expectedCloseDate, deals.pipelineId, deals.stageId, deals.value],
  closed: [deals.status, deals.closedAt, deals.pipelineId, deals.value],
})

/** Deals with every filter of GET /deals; values in hundredths. */
export const listDeals = numberedList({
  table: deals,
  sorts: { created_at: deals.createdAt },
  filters: {
    pipeline_id: (value) => sql`${deals.pipelineId} = ${value}`,
    stage_id: (value) => sql`${deals.stageId} = ${value}`,
    owner_id: (value) => sql`${deals.ownerId} = ${value}`,
    status: (value) => sql`${deals.status} = ${value}`,
    vertical: (value) => sql`${deals.vertical} = ${value}`,
    min_value: (value) => sql`${deals.value} >= ${value}`,
    max_value: (value) => sql`${deals.value} <= ${value}`,
  },
  indexes: INDEXES,
})

const dealsByIds = statement((orm) =>
  orm
    .select({
      ...getTableColumns(deals),
      contactName: contacts.name,
      contactEmail: contacts.email,
      pipelineName: pipelines.name,
      stageName: stages.name,
      probability: stages.probability,
      activitiesCount: sql<number>`(select count(*) from ${crmActivities} where ${crmActivities.workspace} = ${deals.workspace} and ${crmActivities.dealId} = ${deals.id})`,
    })
    .from(deals)
    .innerJoin(pipelines, and(eq(pipelines.workspace, deals.workspace), eq(pipelines.id, deals.pipelineId)))
    .innerJoin(stages, and(eq(stages.workspace, deals.workspace), eq(stages.id, deals.stageId)))
    .leftJoin(contacts, and(eq(contacts.workspace, deals.workspace), eq(contacts.id, deals.contactId)))
    .where(
      and(
        eq(deals.workspace, sql.placeholder('workspace')),
        sql`${deals.id} in (select value from json_each(${sql.placeholder('ids')}))`,
      ),
    )
    .prepare(),
)

/** Those of the deals that exist, in the order of their ids. */
export function dealsInFull(workspace: Workspace, ids: readonly string[]): DealInFull[] {
  const found = dealsByIds(workspace.database).all({ workspace: workspace.number, ids: JSON.stringify(ids) })
  const byId = new Map(found.map((deal) => [deal.id, deal]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const noDeal = (id: string): never => refuse('not_found', `There is no deal ${id}.`)

/** A deal with what is shown beside it, or a refusal. */
export const findDeal = (workspace: Workspace, id: string): DealInFull =>
  dealsInFull(workspace, [id])[0] ?? noDeal(id)

/** Id and revision of a deal, or a refusal. */
export const findDealHead = (workspace: Workspace, id: string): Head =>
  dealRows.head(workspace, id) ?? noDeal(id)

// ---------------------------------------------------------------- changes

const firstStage = statement((orm) =>
  orm
    .select()
    .from(stages)
    .where(
      and(
        eq(stages.workspace, sql.placeholder('workspace')),
        eq(stages.pipelineId, sql.placeholder('pipelineId')),
      ),
    )
    .orderBy(stages.position)
    .limit(1)
    .prepare(),
)

/** Opens a deal, in the first stage of its pipeline unless another is named. */
export function createDeal(workspace: Workspace, author: User, fields: NewDeal): DealInFull {
  return workspace.write(() => {
    const { stageId, ...sent } = fields
    const stage = stageForNewDeal(workspace, sent.pipelineId, stageId)
    const now = workspace.now()
    const deal = deriveDeal(workspace, {
      contactId: null,
      value: 0,
      currency: workspace.currency,
      expectedCloseDate: null,
      ownerId: author.id,
      customFields: {},
      ...sent,
      workspace: workspace.number,
      id: workspace.ids.prefixed('deal_'),
      stageId: stage.id,
      status: dealMachine.initial[0],
      stageEnteredAt: now,
      closedAt: null,
      closeReason: null,
      closeNotes: null,
      competitor: null,
      createdAt: now,
      updatedAt: now,
    })
    mustReferToRecords(workspace, deal)
    dealRows.insert(workspace.database, deal)
    enterStage(workspace, deal, null)
    return tell(workspace, 'deal.created', deal.id)
  })
}

/** Changes the fields that were sent; nothing at all when none was. A closed deal takes changes as well. */
export function updateDeal(workspace: Workspace, deal: Deal, fields: DealFields): DealInFull {
  if (Object.keys(fields).length === 0) return findDeal(workspace, deal.id)
  return workspace.write(() => {
    const updated = deriveDeal(workspace, { ...deal, ...fields, updatedAt: workspace.now() })
    mustReferToRecords(workspace, fields)
    dealRows.update(workspace.database, updated)
    return tell(workspace, 'deal.updated', deal.id)
  })
}

/** Moves an open deal to another stage of its pipeline; a move to where it is changes nothing. */
export function moveDeal(
  workspace: Workspace,
  deal: DealInFull,
  { stageId, reason }: { readonly stageId: string; readonly reason: string | null },
): DealInFull {
  return workspace.write(() => {
    const stage = stageOfPipeline(workspace, deal.pipelineId, stageId)
    const status = mustMove(dealMachine, deal.status, 'move')
    if (stage.id === deal.stageId) return deal
    const now = workspace.now()
    leaveStage(workspace, deal)
    const moved = deriveDeal(workspace, {
      ...deal,
      status,
      stageId: stage.id,
      stageEnteredAt: now,
      updatedAt: now,
    })
    dealRows.update(workspace.database, moved)
    enterStage(workspace, moved, reason)
    return tell(workspace, 'deal.stage_changed', deal.id, {
      from_stage: { id: deal.stageId, name: deal.stageName, probability: deal.probability },
      to_stage: stageFacts(stage),
      reason,
    })
  })
}

/** Wins an open deal, for good. */
export const winDeal = (workspace: Workspace, deal: Deal, closing: Closing): DealInFull =>
  closeDeal(workspace, deal, 'win', closing)

/** Loses an open deal, for good. */
export const loseDeal = (workspace: Workspace, deal: Deal, closing: Closing): DealInFull =>
  closeDeal(workspace, deal, 'lose', closing)

function closeDeal(workspace: Workspace, deal: Deal, move: 'win' | 'lose', closing: Closing): DealInFull {
  return workspace.write(() => {
    const status = mustMove(dealMachine, deal.status, move)
    const now = workspace.now()
    leaveStage(workspace, deal)
    dealRows.update(
      workspace.database,
      deriveDeal(workspace, {
        ...deal,
        status,
        value: closing.finalValue ?? deal.value,
        closeReason: closing.reason ?? null,
        closeNotes: closing.notes ?? null,
        competitor: closing.competitor ?? null,
        closedAt: now,
        updatedAt: now,
      }),
    )
    return tell(workspace, move === 'win' ? 'deal.won' : 'deal.lost', deal.id)
  })
}

/** Appends the event, and reads the deal again: what the event sets off may have changed it. */
function tell(
  workspace: Workspace,
  name: CrmEventName,
  id: string,
  more: Readonly<Record<string, unknown>> = {},
): DealInFull {
  appendCrmEvent(workspace, name, { deal: dealFacts(workspace, findDeal(workspace, id)), ...more })
  return findDeal(workspace, id)
}

function stageForNewDeal(workspace: Workspace, pipelineId: string, stageId: string | undefined): Stage {
  const first = firstStage(workspace.database).get({ workspace: workspace.number, pipelineId })
  if (!first) refuseField('pipeline_id', 'unknown', 'pipeline_id must be a pipeline of this workspace')
  return stageId === undefined ? first : stageOfPipeline(workspace, pipelineId, stageId)
}

function stageOfPipeline(workspace: Workspace, pipelineId: string, stageId: string): Stage {
  const stage = stageRows.find(workspace, stageId)
  if (stage?.pipelineId === pipelineId) return stage
  return refuseField('stage_id', 'unknown', "stage_id must be a stage of the deal's pipeline")
}

const contactRows = rows(contacts)

function mustReferToRecords(workspace: Workspace, { contactId, ownerId }: DealFields): void {
  if (typeof contactId === 'string' && !contactRows.head(workspace, contactId)) {
    refuseField('contact_id', 'unknown', 'contact_id must be a contact of this workspace')
  }
  if (typeof ownerId === 'string' && !workspace.user(ownerId)) {
    refuseField('owner_id', 'unknown', 'owner_id must be a user of this workspace')
  }
}

function enterStage(workspace: Workspace, deal: Deal, reason: string | null): void {
  const stay: Stay = {
    workspace: workspace.number,
    id: workspace.ids.prefixed('stay_'),
    dealId: deal.id,
    stageId: deal.stageId,
    enteredAt: deal.stageEnteredAt,
    leftAt: null,
    reason,
    dealCreatedAt: deal.createdAt,
  }
  stayRows.insert(workspace.database, stay)
}

const endStay = statement((orm) =>
  orm
    .update(stageStays)
    .set({ leftAt: sql`${sql.placeholder('leftAt')}` })
    .where(
      and(
        eq(stageStays.workspace, sql.placeholder('workspace')),
        eq(stageStays.dealId, sql.placeholder('dealId')),
        isNull(stageStays.leftAt),
      ),
    )
    .prepare(),
)

function leaveStage(workspace: Workspace, deal: Deal): void {
  endStay(workspace.database).run({
    workspace: workspace.number,
    dealId: deal.id,
    leftAt: workspace.now(),
  })
}

// ---------------------------------------------------------------- derived columns

export type DerivedOfDeal = 'vertical' | 'revision'

const verticalOf = (pipelineId: unknown, contactId: unknown, workspace: unknown): SQL<Deal['vertical']> =>
  sql`coalesce((select ${pipelines.vertical} from ${pipelines} where ${pipelines.workspace} = ${workspace} and ${pipelines.id} = ${pipelineId}), (select ${contacts.vertical} from ${contacts} where ${contacts.workspace} = ${workspace} and ${contacts.id} = ${contactId}))`

const findVertical = statement((orm) =>
  orm
    .select({
      vertical: verticalOf(
        sql.placeholder('pipelineId'),
        sql.placeholder('contactId'),
        sql.placeholder('workspace'),
      ),
    })
    .from(sql`(select 1)`)
    .prepare(),
)

/** The deal with the columns that follow from others: its vertical is the pipeline's, else the contact's. */
export function deriveDeal(workspace: Workspace, deal: Omit<Deal, DerivedOfDeal>): Deal {
  const { pipelineId, contactId } = deal
  const found = findVertical(workspace.database).get({ pipelineId, contactId, workspace: workspace.number })
  return addColumns(deal, {
    vertical: found?.vertical ?? null,
    revision: workspace.database.nextRevision(),
  })
}

const refreshVerticals = statement((orm) =>
  orm
    .update(deals)
    .set({
      vertical: verticalOf(deals.pipelineId, deals.contactId, deals.workspace),
      revision: NEXT_REVISION,
    })
    .where(
      and(
        eq(deals.workspace, sql.placeholder('workspace')),
        eq(deals.pipelineId, sql.placeholder('pipelineId')),
      ),
    )
    .prepare(),
)

/** To be called when the vertical of a pipeline has changed. Only inside a `write`. */
export const pipelineVerticalChanged = ({ database, number }: Workspace, pipelineId: string): void =>
  void refreshVerticals(database).run({ workspace: number, pipelineId })

/** The stay with the column that follows from its deal, which has to be there already. */
export const deriveStay = (workspace: Workspace, stay: Omit<Stay, 'dealCreatedAt'>): Stay =>
  addColumns(stay, {
    dealCreatedAt: dealRows.find(workspace, stay.dealId)?.createdAt ?? stay.enteredAt,
  })

// ---------------------------------------------------------------- facts

const DAY = 86_400_000

/** Whole days; none when the clock was set back meanwhile. */
const wholeDays = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / DAY))

/** The deal as the wire shows it, which is also how events tell of it. */
export function dealFacts(workspace: Workspace, deal: DealInFull) {
  const until = deal.closedAt ?? workspace.now()
  return {
    id: deal.id,
    name: deal.name,
    contact:
      deal.contactId === null
        ? null
        : { id: deal.contactId, name: deal.contactName ?? '', email: deal.contactEmail },
    pipeline: { id: deal.pipelineId, name: deal.pipelineName },
    stage: { id: deal.stageId, name: deal.stageName, probability: deal.probability },
    value: amountOf(deal.value),
    weighted_value: amountOf(weightedValue(deal)),
    currency: deal.currency,
    status: deal.status,
    expected_close_date: deal.expectedCloseDate,
    days_in_stage: wholeDays(deal.stageEnteredAt, until),
    total_days: wholeDays(deal.createdAt, until),
    owner: ownerFacts(workspace, deal.ownerId),
    custom_fields: deal.customFields,
    activities_count: deal.activitiesCount,
    closed_at: isoOrNull(deal.closedAt),
    close_reason: deal.closeReason,
    close_notes: deal.closeNotes,
    competitor: deal.competitor,
    created_at: iso(deal.createdAt),
    updated_at: iso(deal.updatedAt),
  }
}

/** What is won counts whole and what is lost not at all, whatever stage it is in. */
const weightedValue = ({ status, value, probability }: DealInFull): number =>
  weighted(value, { open: probability, won: 100, lost: 0 }[status])

export const stageFacts = ({ id, name, probability }: Stage) => ({ id, name, probability })

/** Who owns a record, or answers for a row of a report; null is nobody. */
export const ownerFacts = (workspace: Workspace, id: string | null) =>
  id === null ? null : { id, name: workspace.user(id)?.name ?? null }

/** When the days that the deal shows will next have changed; never for a closed deal. */
export function nextDayOf({ closedAt, createdAt, stageEnteredAt }: Deal, now: number): number {
  if (closedAt !== null) return Infinity
  return Math.min(...[createdAt, stageEnteredAt].map((from) => from + (wholeDays(from, now) + 1) * DAY))
}
