/** Triggers for actions of the tax authority of Panama, outside the interface. */
import { Type } from '@sinclair/typebox'
import { trigger } from '../../http/definition/trigger.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { LONGEST_NAME, registerTaxpayer } from '../../state/lite-invoicing/taxpayers.ts'
import { Taxpayer } from './schemas.ts'
import { taxpayerView } from './views.ts'

export const liteInvoicingTriggers = [
  trigger({
    name: 'lite-invoicing.taxpayer.register',
    summary: 'Register a taxpayer, or update its name.',
    body: Type.Object({
      ruc: Type.String({
        minLength: 1,
        maxLength: 30,
        description:
          'For a natural person: 8-442-445, PE-10-442, E-12-342, N-45-832, 8-NT-1-13422. For a legal entity: 155712345-2-2022, 61302-14-123411.',
        examples: ['155712345-2-2022'],
      }),
      name: Type.String({
        minLength: 1,
        maxLength: LONGEST_NAME,
        pattern: '\\S',
        'x-wording': 'must not be blank',
        examples: ['Canal Logistics of Panama'],
      }),
      type: Type.Integer({
        minimum: 1,
        maximum: 2,
        description: '1: natural person. 2: legal entity.',
        examples: [2],
      }),
    }),
    result: Taxpayer,
    fidelity: assumed('The interface only looks up taxpayers. They register outside it.'),
    run: (workspace, { ruc, name, type }) => taxpayerView(registerTaxpayer(workspace, { ruc, name, type })),
  }),
]
