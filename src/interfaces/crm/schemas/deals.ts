/** Wire shapes of deals. Specification part 1, "CRM records", "Deal status", "CRM". */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, CalendarDate, Currency, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { pageQuery } from '../../../http/wireShapes.ts'
import { LARGEST_VALUE } from '../../../state/crm/amounts.ts'
import { LONGEST_REMARK } from '../../../state/crm/dealRecords.ts'
import { dealMachine } from '../../../state/crm/machines.ts'
import { CustomFields, DEMO_USER, Id, OwnerId, Text, Vertical } from './common.ts'

/** The largest amount that a deal may have. */
const LARGEST_AMOUNT = LARGEST_VALUE / 100

/** An amount as it is sent and answered: a number with at most two decimals. */
export const Amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: LARGEST_AMOUNT, description, examples: [12500.5] })

/** A sum or a mean of amounts. */
export const Sum = (description?: string) =>
  Type.Number({ minimum: 0, ...(description !== undefined && { description }), examples: [48200] })

/** Sums of money in the workspace's currency, and the same of each other currency beside them. */
export const money = <Sums extends TProperties>(sums: Sums) => ({
  ...sums,
  other_currencies: Assumed(
    'Not shown: amounts of several currencies are not added up. What there is in others than that of the workspace, by their codes.',
    Type.Array(Type.Object({ currency: Currency(), ...sums }), { examples: [[]] }),
  ),
})

const dealName = Assumed('The specification shows no length.', Text(200, 'Fleet of twelve vans'))

const sentAmount =
  'The specification shows a number; that it is not negative and has at most two decimals is assumed.'

/** The fields of a deal that a caller sends, beside its name, its pipeline and its stage. */
const dealFields = {
  contact_id: Nullable(Id('con_', { description: 'A contact of the workspace.' })),
  value: Assumed(sentAmount, Amount('At most two decimals. Default is 0.')),
  currency: Currency({ description: 'Default is the workspace currency.' }),
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
      Id('stage_', { description: 'A stage of that pipeline; default is its first (assumed).' }),
    ),
    status: Type.Optional(
      Assumed(
        'The specification has calls that win and lose a deal, and no status in this body.',
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

/** Fields that have a call of their own; changing them in an update is refused rather than passed over. */
export const MOVED_BY_CALLS = ['pipeline_id', 'stage_id', 'status'] as const

const refused = (description: string) =>
  Type.Optional(Type.Unknown({ writeOnly: true, deprecated: true, description }))

export const DealUpdate = named(
  'DealUpdate',
  Assumed(
    'The specification shows no body of the update: the fields of a new deal, each optional, but for those that have a call of their own.',
    Type.Object(
      {
        ...Type.Partial(Type.Object({ name: dealName, ...dealFields })).properties,
        pipeline_id: refused(
          'Refused unless it is the one that the deal is in: a deal stays in its pipeline.',
        ),
        stage_id: refused(
          'Refused unless it is the one that the deal is in: POST /deals/{deal_id}/move moves a deal.',
        ),
        status: refused(
          'Refused unless it is that of the deal: POST /deals/{deal_id}/won and /lost close a deal.',
        ),
      },
      { examples: [{ value: 48_200, expected_close_date: '2026-12-15' }] },
    ),
  ),
)

/** Text said when a deal moves or closes. */
const remark = (description: string, example: string) =>
  Type.Optional(
    Nullable(
      Assumed(
        'The specification shows no length.',
        Type.String({ maxLength: LONGEST_REMARK, description, examples: [example] }),
      ),
    ),
  )

export const DealMove = named(
  'DealMove',
  Type.Object({
    stage_id: Id('stage_', { description: "A stage of the deal's pipeline." }),
    reason: remark('Kept with the stay in the stage.', 'They asked for an offer'),
  }),
)

export const DealWon = named(
  'DealWon',
  Type.Object({
    final_value: Type.Optional(
      Assumed(
        sentAmount,
        Amount('The value from now on; it stays as it is when left out. At most two decimals.'),
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

/** Who owns a record, by id and name. */
export const Owner = Type.Object({
  id: Type.String({ examples: [DEMO_USER] }),
  name: Nullable(Type.String({ examples: ['Ana Ríos'] })),
})

export const PipelineReference = Type.Object({ id: Id('pipe_'), name: Type.String() })

export const StageReference = Type.Object({
  id: Id('stage_'),
  name: Type.String({ examples: ['Offer sent'] }),
  probability: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'That of the stage; 100 of a deal that is won, 0 of one that is lost (assumed).',
    examples: [60],
  }),
})

const closing = 'What the calls that close a deal are sent has to be seen somewhere; null while it is open.'
const said = () => Nullable(Assumed(closing, Type.String()))

export const Deal = named(
  'Deal',
  Type.Object({
    id: Id('deal_'),
    name: dealName,
    contact: Nullable(Type.Object({ id: Id('con_'), name: Type.String(), email: Nullable(Type.String()) })),
    pipeline: PipelineReference,
    stage: StageReference,
    value: Amount('A number with at most two decimals.'),
    weighted_value: Sum(
      'value times the probability of the stage, rounded to two decimals; a deal that is won counts whole, one that is lost not at all (assumed).',
    ),
    currency: Currency(),
    status: OneOf(dealMachine.states),
    expected_close_date: Nullable(CalendarDate()),
    days_in_stage: Type.Integer({
      minimum: 0,
      description: 'Whole days since it came into its stage; a closed deal counts no further.',
    }),
    total_days: Type.Integer({
      minimum: 0,
      description: 'Whole days since it was created; a closed deal counts no further.',
    }),
    owner: Nullable(Owner),
    custom_fields: CustomFields(),
    activities_count: Type.Integer({ minimum: 0 }),
    closed_at: Nullable(Assumed(closing, Instant())),
    close_reason: said(),
    close_notes: said(),
    competitor: said(),
    created_at: Instant(),
    updated_at: Instant(),
  }),
)

export const DealId = Type.Object({ deal_id: Id('deal_') })

export const DealQuery = Type.Object({
  ...pageQuery,
  pipeline_id: Type.Optional(Id('pipe_')),
  stage_id: Type.Optional(Id('stage_')),
  owner_id: Type.Optional(Type.String({ examples: [DEMO_USER] })),
  status: Type.Optional(OneOf(dealMachine.states)),
  min_value: Type.Optional(Assumed(sentAmount, Amount('Deals worth this much or more.'))),
  max_value: Type.Optional(Assumed(sentAmount, Amount('Deals worth this much or less.'))),
  vertical: Type.Optional(
    Vertical({ description: "The pipeline's vertical; where it has none, the contact's (assumed)." }),
  ),
})
