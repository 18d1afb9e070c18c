/** Triggers for actions of the tax authority of Panama, outside the interface. */
import { Type } from '@sinclair/typebox'
import { trigger } from '../../http/definition/trigger.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { valueOf } from '../../http/shapes/shape.ts'
import { taxpayers } from '../../state/lite-invoicing/tables.ts'
import { registerTaxpayer } from '../../state/lite-invoicing/taxpayers.ts'
import { Ruc, SPELLINGS, Taxpayer, WHICH_TYPE } from './shapes/taxpayers.ts'

export const liteInvoicingTriggers = [
  trigger({
    name: 'lite-invoicing.taxpayer.register',
    summary: 'Register a taxpayer, or update the name of the one with this RUC and type.',
    body: Type.Object({
      ruc: Ruc({
        description: `For a natural person: 8-442-445, PE-10-442, E-12-342, N-45-832, 8AV-432-658, 8-NT-1-13422. For a legal entity: 155712345-2-2022, 61302-14-123411, 8-NT-1-13178. ${SPELLINGS}`,
      }),
      name: valueOf(taxpayers.name, {
        'x-wording': 'must not be blank',
        examples: ['Canal Logistics of Panama'],
      }),
      type: valueOf(taxpayers.type, { description: WHICH_TYPE, examples: [2] }),
    }),
    result: Taxpayer.item,
    fidelity: assumed('The interface only looks up taxpayers. They register outside it.'),
    run: (workspace, { ruc, name, type }) =>
      Taxpayer.view(registerTaxpayer(workspace, { ruc, name, type }), workspace),
  }),
]
