/** The trigger that defines plans of products, which no call creates. */
import { Type } from '@sinclair/typebox'
import { Decimal, Int, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { trigger } from '../../http/definition/trigger.ts'
import { definePlan, products } from '../../state/catalog/products.ts'
import { BILLING_PERIODS } from '../../state/catalog/tables.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { Plan } from './shapes/products.ts'

export const catalogTriggers = [
  trigger({
    name: 'catalog.plan.define',
    summary: 'Create a plan of a product, or replace the one with this name.',
    body: Type.Object({
      product_id: Type.String(),
      name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', 'x-wording': 'must not be blank' }),
      price: Decimal({ examples: ['49.00'] }),
      billing_period: Type.Optional(
        Nullable(
          OneOf(BILLING_PERIODS, {
            description: 'Defaults to month for a subscription, and to none for other products.',
          }),
        ),
      ),
      billing_interval: Type.Optional(
        Nullable(Int({ minimum: 1, maximum: 1000, description: 'Periods per cycle. Defaults to 1.' })),
      ),
      trial_days: Type.Optional(Int({ minimum: 0, maximum: 3650, description: 'Defaults to 0.' })),
    }),
    records: { product_id: 'catalog.products' },
    result: Plan.item,
    fidelity: assumed('The specification shows plans of products and no call that creates one.'),
    run(workspace, { product_id, name, price, billing_period, billing_interval, trial_days }) {
      const plan = definePlan(workspace, products.get(workspace, product_id), {
        name,
        price,
        ...(typeof billing_period === 'string' && { billingPeriod: billing_period }),
        ...(typeof billing_interval === 'number' && { billingInterval: billing_interval }),
        ...(trial_days !== undefined && { trialDays: trial_days }),
      })
      return Plan.view(plan, workspace)
    },
  }),
]
