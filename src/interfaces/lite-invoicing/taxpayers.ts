/** Taxpayers. Specification part 2, "Lite invoicing". */
import type { preValidationHookHandler } from 'fastify'
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { documentedBut } from '../../state/fidelity.ts'
import type { TaxpayerType } from '../../state/lite-invoicing/ruc.ts'
import { taxpayerOf } from '../../state/lite-invoicing/taxpayers.ts'
import { Result, resultOf } from './dialect.ts'
import { RucQuery, Taxpayer, TYPE_ALIAS } from './schemas.ts'
import { taxpayerView } from './views.ts'

const taxpayerOperation = operationsOf({ tag: 'Taxpayers' })

/** Takes the type under its other name where it did not come under its own. */
const typeByAlias: preValidationHookHandler = ({ query }, _reply, done) => {
  const sent = query as Record<string, unknown>
  if (sent['type'] === undefined && TYPE_ALIAS in sent) sent['type'] = sent[TYPE_ALIAS]
  done()
}

export const taxpayers: Resource = async (app) => {
  app.get(
    '/invoicing/ruc/info',
    {
      preValidation: typeByAlias,
      schema: { querystring: RucQuery },
      config: taxpayerOperation({
        id: 'getTaxpayer',
        summary: 'Look a taxpayer up',
        description:
          'type may be sent as tipo instead. Taxpayers are put into the registry by the trigger lite-invoicing.taxpayer.register and by fixtures.',
        fidelity: documentedBut(
          'Assumed: a RUC that is known with the other type is not found, and so is one in no form of a RUC.',
        ),
        answers: { 200: Result(Taxpayer) },
        refuses: ['not_found'],
      }),
    },
    ({ query: { ruc, type }, workspace }) =>
      resultOf(taxpayerView(taxpayerOf(workspace, ruc, type as TaxpayerType))),
  )
}
