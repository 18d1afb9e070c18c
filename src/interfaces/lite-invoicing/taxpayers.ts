/** Taxpayers. Specification part 2, "Lite invoicing". */
import type { preValidationHookHandler } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { Refusal } from '../../state/model/refusal.ts'
import { taxpayerOf } from '../../state/lite-invoicing/taxpayers.ts'
import { Result, resultOf } from './dialect.ts'
import { RucQuery, Taxpayer, TYPE_ALIAS } from './shapes/taxpayers.ts'

/** Reads `type` from its alias. Refuses a query in which both differ. */
const typeByAlias: preValidationHookHandler = ({ query }, _reply, done) => {
  const sent = query as Record<string, string | undefined>
  const alias = sent[TYPE_ALIAS]
  const type = (sent['type'] ??= alias)
  if (alias !== undefined && type !== alias) {
    const message = `type and ${TYPE_ALIAS} must be equal`
    const details = [{ field: TYPE_ALIAS, code: 'not_allowed', message }]
    done(new Refusal('invalid_query', `Query: ${message}`, { details }))
  } else done()
}

export const taxpayers: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Taxpayers' })

  at('/invoicing/ruc/info').get({
    id: 'getTaxpayer',
    summary: 'Look up a taxpayer',
    description:
      'Returns 404 if the registry has no taxpayer with this RUC and type. tipo is an alias of type. To add a taxpayer, use the trigger lite-invoicing.taxpayer.register or a fixture.',
    fidelity: documentedBut(
      'Assumed: the call returns 404 if the RUC does not have the form of a RUC, or if only a taxpayer of the other type has it. A natural person and a legal entity with the same RUC are two taxpayers with their own check digits. The response has the canonical form of the RUC, without leading zeros. It returns 400 if type and tipo differ.',
    ),
    query: RucQuery,
    before: typeByAlias,
    answers: { 200: Result(Taxpayer.item) },
    refuses: ['not_found'],
    run: ({ query: { ruc, type }, workspace }) =>
      resultOf(Taxpayer.view(taxpayerOf(workspace, ruc, type), workspace)),
  })
}
