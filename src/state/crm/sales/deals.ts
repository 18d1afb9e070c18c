/**
 * Creates, updates, moves and closes deals. Specification part 1, "CRM records", "Deal status". One query reads
 * deals with the fields of their contact, pipeline, stage and activities.
 */
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { mustMove, take } from '../../model/machine.ts'
import { isAmong, ofWorkspace, query } from '../../storage/queries/query.ts'
import { refuseProperty } from '../../model/refusal.ts'
import type { User } from '../../workspace/users.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { weighted } from '../amounts.ts'
import { contacts } from './contacts.ts'
import { deals, stays, type Deal, type DealDetails } from './dealRecords.ts'
import { appendCrmEvent, type CrmEventRecorder } from '../events.ts'
import { CLOSED, dealMachine } from '../machines.ts'
import { stages, type Stage } from './pipelines.ts'
import {
  contacts as contactTable,
  crmActivities,
  deals as table,
  pipelines,
  stages as stageTable,
  stageStays,
} from '../tables.ts'
import { isChange } from '../../storage/unchanged.ts'

/** Fields that an update may change. Separate calls move and close a deal. */
export type DealFields = {
  readonly [
    Field in 'name' | 'contactId' | 'value' | 'currency' | 'expectedCloseDate' | 'ownerId' | 'customFields'
  ]?: Deal[Field]
}
export type NewDeal = DealFields &
  Pick<Deal, 'name' | 'pipelineId'> & {
    /** Defaults to the first stage of the pipeline. */
    readonly stageId?: string
  }

/** The details of winning or losing a deal. */
export interface Closing {
  /** In hundredths. Without it, the value does not change. */
  readonly finalValue?: number
  readonly reason?: string | null
  readonly notes?: string | null
  readonly competitor?: string | null
}

const dealsByIds = query((orm) =>
  orm
    .select({
      ...getTableColumns(table),
      contactName: contactTable.name,
      contactEmail: contactTable.email,
      pipelineName: pipelines.name,
      stageName: stageTable.name,
      probability: stageTable.probability,
      activitiesCount: sql<number>`(select count(*) from ${crmActivities} where ${crmActivities.workspace} = ${table.workspace} and ${crmActivities.dealId} = ${table.id})`,
    })
    .from(table)
    .innerJoin(pipelines, and(eq(pipelines.workspace, table.workspace), eq(pipelines.id, table.pipelineId)))
    .innerJoin(stageTable, and(eq(stageTable.workspace, table.workspace), eq(stageTable.id, table.stageId)))
    .leftJoin(
      contactTable,
      and(eq(contactTable.workspace, table.workspace), eq(contactTable.id, table.contactId)),
    )
    .where(and(ofWorkspace(table), isAmong(table.id))),
)

/** Returns the deals that exist, in the order of their ids. */
export function findDeals(workspace: Workspace, ids: readonly string[]): DealDetails[] {
  const rows = dealsByIds.all(workspace, { ids: JSON.stringify(ids) })
  const byId = new Map(rows.map((deal) => [deal.id, deal]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns a deal with its details. Throws if it does not exist. */
export const findDeal = (workspace: Workspace, id: string): DealDetails =>
  findDeals(workspace, [id])[0] ?? deals.noSuch(id)

// ---------------------------------------------------------------- changes

const firstStage = query((orm) =>
  orm
    .select()
    .from(stageTable)
    .where(and(ofWorkspace(stageTable), eq(stageTable.pipelineId, sql.placeholder('pipelineId'))))
    .orderBy(stageTable.position)
    .limit(1),
)

/** Creates an open deal, in the first stage of its pipeline unless the fields name another. */
export function createDeal(workspace: Workspace, author: User, fields: NewDeal): DealDetails {
  return workspace.write(() => {
    const { stageId, ...sent } = fields
    const stage = stageForNewDeal(workspace, sent.pipelineId, stageId)
    const now = workspace.now()
    mustReferToRecords(workspace, { ownerId: author.id, ...sent })
    const deal = deals.insert(workspace, {
      value: 0,
      currency: workspace.currency,
      ownerId: author.id,
      customFields: {},
      ...sent,
      id: workspace.ids.prefixed('deal_'),
      stageId: stage.id,
      stageEnteredAt: now,
      createdAt: now,
      updatedAt: now,
    })
    enterStage(workspace, deal, null)
    return appendEvent(workspace, 'deal.created', deal.id)
  })
}

/** Updates the given fields, also of a closed deal, which `reopens` opens again. Without a change, does nothing. */
export function updateDeal(
  workspace: Workspace,
  deal: Deal,
  fields: DealFields,
  { reopens = false }: { readonly reopens?: boolean } = {},
): DealDetails {
  const isReopened = reopens && CLOSED.includes(deal.status)
  return workspace.write(() => {
    mustReferToRecords(workspace, fields)
    if (!isReopened && !isChange(deal, fields)) return findDeal(workspace, deal.id)
    const now = workspace.now()
    const changed = deals.update(workspace, deal, {
      ...fields,
      ...(isReopened && {
        ...OPEN_AGAIN,
        status: mustMove(dealMachine, deal.status, 'reopen'),
        stageEnteredAt: now,
      }),
      updatedAt: now,
    })
    // The stay that the closing ended stays in the history.
    if (isReopened) enterStage(workspace, changed, null)
    return appendEvent(workspace, 'deal.updated', deal.id)
  })
}

/** The closing data of a deal that is open. Its value keeps the final value, because no other is stored. */
const OPEN_AGAIN = { closedAt: null, closeReason: null, closeNotes: null, competitor: null } as const

/** Moves an open deal to another stage of its pipeline. A move to the current stage changes nothing. */
export function moveDeal(
  workspace: Workspace,
  deal: DealDetails,
  { stageId, reason }: { readonly stageId: string; readonly reason: string | null },
): DealDetails {
  return workspace.write(() => {
    const stage = stageOfPipeline(workspace, deal.pipelineId, stageId)
    const { state, event } = take(dealMachine, deal.status, 'move')
    if (stage.id === deal.stageId) return deal
    const now = workspace.now()
    leaveStage(workspace, deal)
    const moved = deals.update(workspace, deal, {
      status: state,
      stageId: stage.id,
      stageEnteredAt: now,
      updatedAt: now,
    })
    enterStage(workspace, moved, reason)
    appendCrmEvent(workspace, event, deal.id, { deal: findDeal(workspace, deal.id), before: deal, reason })
    return findDeal(workspace, deal.id)
  })
}

/** Wins an open deal. `updateDeal` can open it again. */
export const winDeal = (workspace: Workspace, deal: Deal, closing: Closing): DealDetails =>
  closeDeal(workspace, deal, 'win', closing)

/** Loses an open deal. `updateDeal` can open it again. */
export const loseDeal = (workspace: Workspace, deal: Deal, closing: Closing): DealDetails =>
  closeDeal(workspace, deal, 'lose', closing)

function closeDeal(workspace: Workspace, deal: Deal, move: 'win' | 'lose', closing: Closing): DealDetails {
  return workspace.write(() => {
    const { state, event } = take(dealMachine, deal.status, move)
    const now = workspace.now()
    leaveStage(workspace, deal)
    deals.update(workspace, deal, {
      status: state,
      value: closing.finalValue ?? deal.value,
      closeReason: closing.reason ?? null,
      closeNotes: closing.notes ?? null,
      competitor: closing.competitor ?? null,
      closedAt: now,
      updatedAt: now,
    })
    return appendEvent(workspace, event, deal.id)
  })
}

/** Appends the event, and reads the deal again because automations may have changed it. */
function appendEvent(
  workspace: Workspace,
  name: CrmEventRecorder<{ deal: DealDetails }>,
  id: string,
): DealDetails {
  appendCrmEvent(workspace, name, id, { deal: findDeal(workspace, id) })
  return findDeal(workspace, id)
}

function stageForNewDeal(workspace: Workspace, pipelineId: string, stageId: string | undefined): Stage {
  const first = firstStage.first(workspace, { pipelineId })
  if (!first) refuseProperty('pipelineId', 'unknown', '{pipelineId} must be a pipeline of this workspace')
  return stageId === undefined ? first : stageOfPipeline(workspace, pipelineId, stageId)
}

function stageOfPipeline(workspace: Workspace, pipelineId: string, stageId: string): Stage {
  const stage = stages.find(workspace, stageId)
  if (stage?.pipelineId === pipelineId) return stage
  return refuseProperty('stageId', 'unknown', "{stageId} must be a stage of the deal's pipeline")
}

function mustReferToRecords(workspace: Workspace, { contactId, ownerId }: DealFields): void {
  if (typeof contactId === 'string' && !contacts.head(workspace, contactId)) {
    refuseProperty('contactId', 'unknown', '{contactId} must be a contact of this workspace')
  }
  if (typeof ownerId === 'string' && !workspace.user(ownerId)) {
    refuseProperty('ownerId', 'unknown', '{ownerId} must be a user of this workspace')
  }
}

function enterStage(workspace: Workspace, deal: Deal, reason: string | null): void {
  stays.insert(workspace, {
    id: workspace.ids.prefixed('stay_'),
    dealId: deal.id,
    stageId: deal.stageId,
    enteredAt: deal.stageEnteredAt,
    reason,
  })
}

const endStay = stays.updateAll(
  { leftAt: sql`${sql.placeholder('leftAt')}` },
  and(eq(stageStays.dealId, sql.placeholder('dealId')), isNull(stageStays.leftAt)),
)

function leaveStage(workspace: Workspace, deal: Deal): void {
  endStay(workspace, { dealId: deal.id, leftAt: workspace.now() })
}

// ---------------------------------------------------------------- derived values

const DAY = 86_400_000

/** Returns whole days; 0 if the clock was set back. */
const wholeDays = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / DAY))

/** Returns the whole days since the deal entered its stage and since it was created, at most until it was closed. */
export function daysOf({ closedAt, createdAt, stageEnteredAt }: Deal, now: number) {
  const until = closedAt ?? now
  return { inStage: wholeDays(stageEnteredAt, until), inAll: wholeDays(createdAt, until) }
}

/** Returns the instant of the next change of these days; Infinity for a closed deal. */
export function nextDayOf({ closedAt, createdAt, stageEnteredAt }: Deal, now: number): number {
  if (closedAt !== null) return Infinity
  return Math.min(...[createdAt, stageEnteredAt].map((from) => from + (wholeDays(from, now) + 1) * DAY))
}

/** Returns the probability of winning the deal, in percent: that of its stage while it is open, then 100 or 0. */
export const probabilityOf = ({ status, probability }: DealDetails): number =>
  ({ open: probability, won: 100, lost: 0 })[status]

/** Returns the weighted value in hundredths. A won deal counts in full, and a lost deal counts as 0. */
export const weightedValue = (deal: DealDetails): number => weighted(deal.value, probabilityOf(deal))
