/** Wire shapes of deals. Specification part 1, "CRM records", "Deal status", "CRM". */
import { Type, type Static, type TProperties } from '@sinclair/typebox'
import {
  Assumed,
  CalendarDate,
  Currency,
  documentedLimits,
  Instant,
  named,
  Nullable,
  OneOf,
} from '../../../http/schemas/schemas.ts'
import { pageQuery } from '../../../http/schemas/wireShapes.ts'
import { valueOf } from '../../../http/shapes/shape.ts'
import { LARGEST_VALUE } from '../../../state/crm/amounts.ts'
import { dealMachine } from '../../../state/crm/machines.ts'
import type { DealDetails } from '../../../state/crm/sales/dealRecords.ts'
import { daysOf, nextDayOf, probabilityOf, weightedValue } from '../../../state/crm/sales/deals.ts'
import { deals } from '../../../state/crm/tables.ts'
import { iso, isoOrNull } from '@suite-sim/kit/time/instants'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import { CustomFields, DEMO_USER, Id, notBlank, OwnerId, Vertical } from './common.ts'

/** The largest amount that a deal may have. */
const LARGEST_AMOUNT = LARGEST_VALUE / 100

/** An amount on the wire: a number with at most two decimals. */
export const Amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: LARGEST_AMOUNT, description, examples: [12500.5] })

/** Converts hundredths to an amount on the wire, a number with at most two decimals. */
export const amountOf = (hundredths: number): number => hundredths / 100

/** A sum or a mean of amounts. */
export const Sum = (description?: string) =>
  Type.Number({ minimum: 0, ...(description !== undefined && { description }), examples: [48200] })

/** Sums in the currency of the workspace, and the same sums for each other currency. */
export const money = <Sums extends TProperties>(sums: Sums) => ({
  ...sums,
  other_currencies: Assumed(
    'The specification does not show this field; amounts of different currencies are not added up. It lists the sums of each other currency, sorted by code.',
    Type.Array(Type.Object({ currency: Currency(), ...sums }), { examples: [[]] }),
  ),
})

const dealName = valueOf(deals.name, notBlank('Fleet of twelve vans'))

/** The fields of a deal in a request, in addition to its name, its pipeline and its stage. */
const dealFields = {
  contact_id: Nullable(Id('con_', { description: 'A contact of the workspace.' })),
  value: Amount('At most two decimals (assumed). Default is 0 (assumed).'),
  currency: Currency({ description: 'Default is the currency of the workspace (assumed).' }),
  expected_close_date: Nullable(CalendarDate({ examples: ['2026-12-15'] })),
  owner_id: Nullable(OwnerId()),
  custom_fields: CustomFields(),
}

export const DealCreate = named(
  'DealCreate',
  Type.Object({
    name: dealName,
    pipeline_id: Id('pipe_', { description: 'A pipeline of the workspace.' }),
    stage_id: Type.Optional(
      Id('stage_', { description: 'A stage of that pipeline. Defaults to its first stage (assumed).' }),
    ),
    status: Type.Optional(
      Assumed(
        'The specification shows no status in this body; separate calls win and lose a deal.',
        Type.String({
          enum: [dealMachine.initial[0]],
          writeOnly: true,
          'x-rule': 'must be open; POST /deals/{deal_id}/won and /lost close a deal',
        }),
      ),
    ),
    ...Type.Partial(Type.Object(dealFields)).properties,
  }),
)

/** Fields with separate calls. An update refuses to change them instead of ignoring them; it only reopens a deal. */
export const MOVED_BY_CALLS = ['pipeline_id', 'stage_id', 'status'] as const

const refused = (description: string) =>
  Type.Optional(Type.Unknown({ writeOnly: true, deprecated: true, description }))

export const DealUpdate = named(
  'DealUpdate',
  Assumed(
    'The specification shows no request body; the simulator takes the fields of a new deal, each optional, except those that separate calls change.',
    Type.Object(
      {
        ...Type.Partial(Type.Object({ name: dealName, ...dealFields })).properties,
        pipeline_id: refused(
          'Must be the current pipeline of the deal, because a deal stays in its pipeline.',
        ),
        stage_id: refused(
          'Must be the current stage of the deal. To move the deal, use POST /deals/{deal_id}/move.',
        ),
        status: Type.Optional(
          OneOf(dealMachine.states, {
            writeOnly: true,
            description:
              'open opens a won or lost deal again. The other values must be the current status of the deal. To close the deal, use POST /deals/{deal_id}/won or /lost.',
          }),
        ),
      },
      { examples: [{ value: 48_200, expected_close_date: '2026-12-15' }] },
    ),
  ),
)

/** A remark on moving or closing a deal. */
const remark = (description: string, example: string) =>
  Type.Optional(Nullable(valueOf(deals.closeReason, { description, examples: [example] })))

export const DealMove = named(
  'DealMove',
  Type.Object({
    stage_id: Id('stage_', { description: "A stage of the deal's pipeline." }),
    reason: remark('Recorded with the move to the stage.', 'They asked for an offer'),
  }),
)

export const DealWon = named(
  'DealWon',
  Type.Object({
    final_value: Type.Optional(
      Amount(
        'The new value of the deal, with at most two decimals (assumed). Without it, the value does not change (assumed).',
      ),
    ),
    reason: remark('Why it was won.', 'Best delivery date'),
    notes: remark('Internal notes.', 'Signed by the fleet manager'),
  }),
)

export const DealLost = named(
  'DealLost',
  Type.Object({
    reason: remark('Why it was lost.', 'Price'),
    competitor: remark('Who won it.', 'Another dealer'),
    notes: remark('Internal notes.', 'Ask again next spring'),
  }),
)

/** The owner of a record, with id and name. */
export const Owner = Type.Object({
  id: Type.String({ examples: [DEMO_USER] }),
  name: Nullable(Type.String({ examples: ['Ana Ríos'] })),
})

/** Returns the owner of a record or of a report row; null without an owner. */
export const ownerView = (workspace: Workspace, id: string | null) =>
  id === null ? null : { id, name: workspace.user(id)?.name ?? null }

export const PipelineReference = Type.Object({ id: Id('pipe_'), name: Type.String() })

export const StageReference = Type.Object({
  id: Id('stage_'),
  name: Type.String({ examples: ['Offer sent'] }),
  probability: Type.Integer({
    minimum: 0,
    maximum: 100,
    ...documentedLimits('minimum', 'maximum'),
    description: 'The probability of the stage; 100 for a won deal and 0 for a lost one (assumed).',
    examples: [60],
  }),
})

const closing =
  'The specification does not show where the values of the calls that close a deal are returned; the simulator returns them here. null while the deal is open.'
const closingText = () => Nullable(Assumed(closing, Type.String()))

export const Deal = named(
  'Deal',
  Type.Object({
    id: Id('deal_'),
    name: dealName,
    contact: Nullable(Type.Object({ id: Id('con_'), name: Type.String(), email: Nullable(Type.String()) })),
    pipeline: PipelineReference,
    stage: StageReference,
    value: Amount('A number with at most two decimals (assumed).'),
    weighted_value: Sum(
      'value times the probability of the stage, rounded to two decimals. A won deal counts in full, and a lost deal counts as 0 (assumed).',
    ),
    currency: Currency(),
    status: OneOf(dealMachine.states),
    expected_close_date: Nullable(CalendarDate()),
    days_in_stage: Type.Integer({
      minimum: 0,
      description: 'Whole days since the deal entered its stage, or until it was closed.',
    }),
    total_days: Type.Integer({
      minimum: 0,
      description: 'Whole days since the deal was created, or until it was closed.',
    }),
    owner: Nullable(Owner),
    custom_fields: CustomFields(),
    activities_count: Type.Integer({ minimum: 0 }),
    closed_at: Nullable(Assumed(closing, Instant())),
    close_reason: closingText(),
    close_notes: closingText(),
    competitor: closingText(),
    created_at: Instant(),
    updated_at: Instant(),
  }),
)

/** Returns the stage of a deal as responses show it. */
export const stageOf = (deal: DealDetails) => ({
  id: deal.stageId,
  name: deal.stageName,
  probability: probabilityOf(deal),
})

/** Returns a deal as responses show it: with sums and records that its table does not have. */
export function dealView(deal: DealDetails, workspace: Workspace): Static<typeof Deal> {
  const days = daysOf(
    deal,
    workspace.clock.nowUntil((now) => nextDayOf(deal, now)),
  )
  return {
    id: deal.id,
    name: deal.name,
    contact:
      deal.contactId === null
        ? null
        : { id: deal.contactId, name: deal.contactName ?? '', email: deal.contactEmail },
    pipeline: { id: deal.pipelineId, name: deal.pipelineName },
    stage: stageOf(deal),
    value: amountOf(deal.value),
    weighted_value: amountOf(weightedValue(deal)),
    currency: deal.currency,
    status: deal.status,
    expected_close_date: deal.expectedCloseDate,
    days_in_stage: days.inStage,
    total_days: days.inAll,
    owner: ownerView(workspace, deal.ownerId),
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

export const DealId = Type.Object({ deal_id: Id('deal_') })

export const DealQuery = Type.Object({
  ...pageQuery,
  pipeline_id: Type.Optional(Id('pipe_')),
  stage_id: Type.Optional(Id('stage_')),
  owner_id: Type.Optional(Type.String({ examples: [DEMO_USER] })),
  status: Type.Optional(OneOf(dealMachine.states)),
  min_value: Type.Optional(Amount('Deals worth this much or more (assumed).')),
  max_value: Type.Optional(Amount('Deals worth this much or less (assumed).')),
  vertical: Type.Optional(
    Vertical({ description: 'The vertical of the pipeline or, if it has none, of the contact (assumed).' }),
  ),
})
