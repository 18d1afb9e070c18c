/** Automations. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import { Type, type Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { BUDGET, MAX_UNMET } from '../../state/crm/automations/budget.ts'
import { deleteAutomation } from '../../state/crm/automations/removal.ts'
import {
  automations as automationRecords,
  createAutomation,
  executions as executionRecords,
  MAX_AUTOMATIONS,
  updateAutomation,
  type Automation as AutomationRow,
  type AutomationFields,
  type NewAutomation,
} from '../../state/crm/automations/automations.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { mustBeAutomation } from './automationRules.ts'
import { Automation, AutomationId, AutomationQuery, Execution, ExecutionQuery } from './shapes/automations.ts'

const collection = numberedCollection({
  records: automationRecords,
  rendering: Automation.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})
const executionCollection = numberedCollection({
  records: executionRecords,
  rendering: Execution.rendering(),
  sort: 'executed_at',
  meta: pageMeta,
})

/** The body of an update. */
const AutomationUpdate = named(
  'AutomationUpdate',
  Type.Unsafe<Sent>(
    Type.Object(
      Object.fromEntries(
        Object.entries(Automation.update.properties).map(([name, field]) => [
          name,
          name === 'active'
            ? field
            : Assumed(
                'The specification shows only active; the simulator also takes the other fields of a new automation.',
                field,
              ),
        ]),
      ),
    ),
  ),
)

const executionPage = PageOf(Execution.item)
const Executions = Type.Object({
  ...executionPage.properties,
  meta: Assumed(
    'The specification shows only data of this list; the simulator adds meta, as in the other lists.',
    executionPage.properties.meta,
  ),
})

export const automations: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Automations' })
  const list = at('/automations')
  const item = at('/automations/:automation_id', { params: AutomationId, record: automationRecords })

  list.get({
    id: 'listAutomations',
    order: collection.order,
    summary: 'List automations',
    description: 'Returns the newest automations first.',
    fidelity: documented,
    query: AutomationQuery,
    answers: { 200: PageOf(Automation.item) },
    run({ query, caller }) {
      const { active, type } = query
      const filters = { active: active === undefined ? undefined : Number(active), type }
      return collection.page(caller, query, filters)
    },
  })

  item.get({
    id: 'getAutomation',
    summary: 'Get an automation',
    fidelity: documented,
    answers: { 200: Automation.item },
    run: ({ params, workspace }) => collection.get(workspace, params.automation_id),
  })

  item.delete({
    id: 'deleteAutomation',
    summary: 'Delete an automation',
    description: 'Also deletes its executions. Actions that still wait do not run.',
    fidelity: documentedBut('Assumed: the deletion is permanent.'),
    answers: NO_CONTENT,
    async run({ record, workspace }) {
      await deleteAutomation(workspace, record)
    },
  })

  list.post({
    id: 'createAutomation',
    summary: 'Create an automation',
    description:
      'Runs the actions each time the event happens and the conditions are met, in the same transaction as the change that caused the event. Work beyond the limit of one request continues after the response, and is done before the next response. Actions run in order. If an action fails, the actions before it keep their effects, the actions after it do not run, and the change that caused the event is kept.',
    scope: 'crm:automations',
    fidelity: documentedBut(
      `Assumed: name, trigger and actions are required. Teams, templates and users are looked up when the actions run. A team that is not defined has all users as members. If a template is not defined, the message names it and lists the values that it could have used. A chain of automations that set each other off ends after five, or when an automation would run again in it; the end is recorded once. The delays of a sequence follow the clock of the workspace. Work beyond ${String(BUDGET.actions)} actions of one request continues after the response. A workspace has at most ${String(MAX_AUTOMATIONS)} automations.`,
    ),
    body: Automation.create,
    answers: { 201: Automation.item },
    run({ body, workspace }) {
      mustBeAutomation(body)
      const automation = createAutomation(workspace, fieldsOf(body) as NewAutomation)
      return collection.text(workspace, automation)
    },
  })

  item.patch({
    id: 'updateAutomation',
    summary: 'Update an automation',
    description:
      'Changes only the fields in the request body. Actions that already wait for the clock stay as they were.',
    fidelity: documentedBut(
      'Assumed: trigger and actions are replaced as a whole. A request that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: AutomationUpdate,
    answers: { 200: Automation.item },
    run({ record: automation, body, workspace }) {
      mustBeAutomation(withStored(automation, body))
      return collection.text(workspace, updateAutomation(workspace, automation, fieldsOf(body)))
    },
  })

  at('/automations/:automation_id/executions', { params: AutomationId }).get({
    id: 'listAutomationExecutions',
    order: executionCollection.order,
    summary: 'List the executions of an automation',
    description:
      'Returns the newest executions first. A sequence is one execution, which waits between its actions. If a condition is not met, the execution has the status skipped and failure_reason names the condition; the executions_count of the automation does not include it.',
    fidelity: documentedBut(
      `Assumed: if the conditions of very many automations are not met in one request, only the first ${String(MAX_UNMET)} skipped executions are recorded.`,
    ),
    query: ExecutionQuery,
    answers: { 200: Executions },
    run({ params, query, caller, workspace }) {
      const { id } = automationRecords.getHead(workspace, params.automation_id)
      return executionCollection.page(caller, query, { automation_id: id, status: query.status })
    },
  })
}

type Sent = Static<typeof Automation.update>

/** Adds what the automation has to a change of its type, trigger or actions, because each decides about the others. */
const withStored = ({ type, trigger, actions }: AutomationRow, sent: Sent): Sent =>
  sent.type === undefined && sent.trigger === undefined && sent.actions === undefined
    ? sent
    : { type, trigger, actions: [...actions] as NonNullable<Sent['actions']>, ...sent }

/** Returns the fields for the state, without unknown fields of conditions and actions. */
function fieldsOf({ trigger, actions, ...rest }: Sent): AutomationFields {
  return {
    ...rest,
    ...(trigger && {
      trigger: {
        event: trigger.event,
        conditions: (trigger.conditions ?? []).map(({ field, operator, value }) => ({
          field,
          operator,
          ...(value !== undefined && { value }),
        })),
      },
    }),
    ...(actions && { actions: actions.map(({ type, config }) => ({ type, config })) }),
  }
}
