/** Deals. Specification part 1, "CRM", "Deal status"; routes in the order of operations.tsv. */
import { Type, type Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { allowMissingBody } from '../../http/definition/operation.ts'
import { users } from '../../http/lifecycle/namedRecords.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { deals as dealRecords, type DealDetails } from '../../state/crm/sales/dealRecords.ts'
import {
  createDeal,
  findDeals,
  findDeal,
  loseDeal,
  moveDeal,
  updateDeal,
  winDeal,
  type DealFields,
} from '../../state/crm/sales/deals.ts'
import { pipelines, stages } from '../../state/crm/sales/pipelines.ts'
import { assumed, documented, documentedBut } from '../../state/model/fidelity.ts'
import { refuseField } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { AssumedRecord } from './shapes/common.ts'
import {
  Deal,
  DealCreate,
  DealId,
  DealLost,
  DealMove,
  DealQuery,
  DealUpdate,
  dealView,
  DealWon,
  MOVED_BY_CALLS,
} from './shapes/deals.ts'

export const deals: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Deals' })
  const list = at('/deals')
  const item = at('/deals/:deal_id', { params: DealId, record: dealRecords })

  list.get({
    id: 'listDeals',
    summary: 'List deals',
    fidelity: documentedBut(
      'Assumed: the newest deals come first. min_value and max_value are both inclusive.',
    ),
    names: { pipeline_id: pipelines, stage_id: stages, owner_id: users },
    query: DealQuery,
    answers: { 200: PageOf(Deal) },
    run: ({ query, workspace }) => dealPage(workspace, query),
  })

  list.post({
    id: 'createDeal',
    summary: 'Create a deal',
    scope: 'crm:write',
    fidelity: documentedBut(
      'Assumed: name and pipeline_id are required. status must be open. Without stage_id the deal opens in the first stage of its pipeline. The deal belongs to the user of the key unless owner_id names another user. contact_id is optional.',
    ),
    body: DealCreate,
    answers: { 201: AssumedRecord(Deal) },
    run({ body, workspace, caller }) {
      const { name, pipeline_id: pipelineId, stage_id: stageId } = body
      const position = { name, pipelineId, ...(stageId !== undefined && { stageId }) }
      const deal = createDeal(workspace, caller.user, { ...fieldsOf(body), ...position })
      return dealView(deal, workspace)
    },
  })

  item.get({
    id: 'getDeal',
    summary: 'Get a deal',
    fidelity: documented,
    answers: { 200: Deal },
    run: ({ params, workspace }) => JSON.stringify(dealView(findDeal(workspace, params.deal_id), workspace)),
  })

  item.patch({
    id: 'updateDeal',
    summary: 'Update a deal',
    description:
      'Changes only the fields in the request body. To move or close a deal, use /move, /won or /lost. The status open opens a won or lost deal again.',
    fidelity: documentedBut(
      'Assumed: a closed deal can be updated, too. The response of a GET may be sent back whole; a value that would move or close the deal is refused. The status open opens a closed deal again in its stage: the data of its end are removed, its value stays, and its time in the stage begins anew. null clears a nullable field. custom_fields is replaced as a whole. A request that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: DealUpdate,
    answers: { 200: AssumedRecord(Deal) },
    run({ params, body, workspace }) {
      const deal = findDeal(workspace, params.deal_id)
      refuseMoves(body, deal)
      const reopens = body.status === 'open'
      return dealView(updateDeal(workspace, deal, fieldsOf(body), { reopens }), workspace)
    },
  })

  at('/deals/:deal_id/move', { params: DealId, record: dealRecords }).post({
    id: 'moveDeal',
    summary: 'Move a deal to another stage',
    description: 'Moves the deal to another stage of its pipeline.',
    scope: 'crm:write',
    fidelity: assumed(
      'The specification shows the body and no response; the simulator returns the deal in its new stage. stage_id is required. A move to the current stage changes nothing.',
    ),
    body: DealMove,
    answers: { 200: Deal },
    refuses: ['wrong_state'],
    run({ params, body, workspace }) {
      const deal = findDeal(workspace, params.deal_id)
      const { stage_id: stageId, reason = null } = body
      return dealView(moveDeal(workspace, deal, { stageId, reason }), workspace)
    },
  })

  at('/deals/:deal_id/won', { params: DealId, record: dealRecords }).post({
    id: 'winDeal',
    summary: 'Win a deal',
    scope: 'crm:write',
    fidelity: assumed(
      'The specification shows the body and no response; the simulator returns the deal. No field is required. The deal stays in the stage in which it was won.',
    ),
    body: Type.Optional(DealWon),
    before: allowMissingBody,
    answers: { 200: Deal },
    refuses: ['wrong_state'],
    run({ params, body, workspace }) {
      const { final_value: value, ...rest } = body
      const closing = {
        ...rest,
        ...(value !== undefined && { finalValue: hundredthsOf(value, 'final_value') }),
      }
      return dealView(winDeal(workspace, findDeal(workspace, params.deal_id), closing), workspace)
    },
  })

  at('/deals/:deal_id/lost', { params: DealId, record: dealRecords }).post({
    id: 'loseDeal',
    summary: 'Lose a deal',
    scope: 'crm:write',
    fidelity: assumed(
      'The specification shows the body and no response; the simulator returns the deal. No field is required. The deal stays in the stage in which it was lost.',
    ),
    body: Type.Optional(DealLost),
    before: allowMissingBody,
    answers: { 200: Deal },
    refuses: ['wrong_state'],
    run: ({ params, body, workspace }) =>
      dealView(loseDeal(workspace, findDeal(workspace, params.deal_id), body), workspace),
  })
}

/** Returns a page of deals, read in one query. */
function dealPage(workspace: Workspace, query: Static<typeof DealQuery>): string {
  const { page, per_page: perPage, min_value, max_value, ...others } = query
  const filters = {
    ...others,
    min_value: min_value === undefined ? undefined : hundredthsOf(min_value, 'min_value'),
    max_value: max_value === undefined ? undefined : hundredthsOf(max_value, 'max_value'),
  }
  if ((min_value ?? 0) > (max_value ?? Infinity)) {
    refuseField('max_value', 'too_small', 'max_value must not be less than min_value')
  }
  const window = { limit: perPage, offset: (page - 1) * perPage }
  const { heads, total } = dealRecords.list(workspace, {
    sort: 'created_at',
    order: 'desc',
    ...window,
    filters,
  })
  const pageDeals = findDeals(
    workspace,
    heads.map(({ id }) => id),
  )
  const meta = pageMeta({ page, perPage, total, pages: Math.ceil(total / perPage) })
  const data = pageDeals.map((deal) => dealView(deal, workspace))
  return JSON.stringify({ data, meta })
}

/**
 * Refuses changes of the pipeline, the stage and the status, except the status open. The current values are
 * accepted, so that the response of a GET can be sent back.
 */
function refuseMoves(body: Static<typeof DealUpdate>, deal: DealDetails): void {
  const current: Record<(typeof MOVED_BY_CALLS)[number], string> = {
    pipeline_id: deal.pipelineId,
    stage_id: deal.stageId,
    status: deal.status,
  }
  for (const field of MOVED_BY_CALLS) {
    if (body[field] === undefined || body[field] === current[field]) continue
    if (field === 'status' && body.status === 'open') continue
    const rule = field === 'status' ? 'must be open or stay as it is' : 'must stay as it is'
    refuseField(
      field,
      'not_allowed',
      `${field} ${rule} in an update; use POST /deals/{deal_id}/move to move the deal within its pipeline, and /won or /lost to close it`,
    )
  }
}

/** Returns the amount in `field` in hundredths. Throws if it has more than two decimals. */
function hundredthsOf(amount: number, field: string): number {
  const hundredths = Math.round(amount * 100)
  if (hundredths / 100 !== amount) {
    refuseField(field, 'too_precise', `${field} must have at most two decimals`)
  }
  return hundredths
}

/** Returns the fields under their names in the state. Fields that were not sent stay out. */
function fieldsOf(sent: Omit<Static<typeof DealUpdate>, (typeof MOVED_BY_CALLS)[number]>): DealFields {
  const { name, value, currency, contact_id, expected_close_date, owner_id, custom_fields } = sent
  return {
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value: hundredthsOf(value, 'value') }),
    ...(currency !== undefined && { currency }),
    ...(contact_id !== undefined && { contactId: contact_id }),
    ...(expected_close_date !== undefined && { expectedCloseDate: expected_close_date }),
    ...(owner_id !== undefined && { ownerId: owner_id }),
    ...(custom_fields !== undefined && { customFields: custom_fields }),
  }
}
