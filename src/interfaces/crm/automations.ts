/** Automations. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, before, noContent, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { rendering } from '../../http/renderings.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { BUDGET, MAX_UNMET } from '../../state/crm/automationBudget.ts'
import { deleteAutomation } from '../../state/crm/automationRemoval.ts'
import {
  automations as automationRecords,
  createAutomation,
  executions as executionRecords,
  MAX_AUTOMATIONS,
  updateAutomation,
  type Automation as AutomationRow,
  type AutomationFields,
  type Execution as ExecutionRow,
  type NewAutomation,
} from '../../state/crm/automations.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { mustBeAutomation } from './automationRules.ts'
import {
  Automation,
  AutomationCreate,
  AutomationId,
  AutomationQuery,
  AutomationUpdate,
  Execution,
  ExecutionQuery,
} from './schemas/automations.ts'
import { automationView, executionView } from './views.ts'

const automationText = rendering<AutomationRow>(automationView, automationRecords)
const executionText = rendering<ExecutionRow>(executionView, executionRecords)

const automationOperation = operationsOf({ tag: 'Automations' })

export const automations: Resource = async (app) => {
  app.get(
    '/automations',
    {
      schema: { querystring: AutomationQuery },
      config: automationOperation({
        id: 'listAutomations',
        summary: 'List automations',
        description: 'The newest first.',
        fidelity: documentedBut('Assumed: any key may read them, and they come in pages as contacts do.'),
        answers: { 200: PageOf(Automation) },
      }),
    },
    ({ query, workspace }) => {
      const { active, type, page, per_page: perPage } = query
      const filters = { active: active === undefined ? undefined : Number(active), type }
      const where = { page, perPage, sort: 'created_at', order: 'desc' } as const
      return numberedPage(
        'crm automations',
        automationRecords.list,
        automationText,
        everyCallerIn(workspace),
        where,
        filters,
        pageMeta,
      )
    },
  )

  app.get(
    '/automations/:automation_id',
    {
      schema: { params: AutomationId },
      config: automationOperation({
        id: 'getAutomation',
        summary: 'Get an automation',
        fidelity: documentedBut('Assumed: any key may read it, and it is answered bare, as a deal is.'),
        answers: { 200: Automation },
      }),
    },
    ({ params, workspace }) =>
      automationText.one(workspace, automationRecords.get(workspace, params.automation_id)),
  )

  app.delete(
    '/automations/:automation_id',
    {
      schema: { params: AutomationId },
      config: automationOperation({
        id: 'deleteAutomation',
        summary: 'Delete an automation',
        description: 'With the record of what it did; what it was still to do is not done.',
        fidelity: documentedBut('Assumed: any key may delete it, for good.'),
        answers: NO_CONTENT,
      }),
    },
    async ({ params, workspace }, reply) => {
      await deleteAutomation(workspace, automationRecords.get(workspace, params.automation_id))
      return noContent(reply)
    },
  )

  app.post(
    '/automations',
    {
      schema: { body: AutomationCreate },
      config: automationOperation({
        id: 'createAutomation',
        summary: 'Create an automation',
        description:
          'From now on the actions are done whenever the event happens and the conditions are met, within the change that the event tells of; where that leads to much, the rest of it goes on after the answer, and is done before the next call is answered. The actions are done in order; where one fails those before it stay done, those after it are not begun, and what set it off is left alone.',
        scope: 'crm:automations',
        fidelity: documentedBut(
          `Assumed: name, trigger and actions are required; teams, templates and users are looked up when the actions are done; a team that is not defined is everybody, and for a template that is not defined a message names it and lists what it would have been filled with; automations that set each other off are cut after five, or when one would come again, which is recorded once; the delays of a sequence pass on the clock of the workspace; what exceeds ${String(BUDGET.actions)} actions of a call goes on after its answer; a workspace holds at most ${String(MAX_AUTOMATIONS)} automations.`,
        ),
        answers: { 201: Automation },
      }),
    },
    ({ body, workspace }, reply) => {
      mustBeAutomation(body)
      const automation = createAutomation(workspace, fromWire(body) as NewAutomation)
      reply.code(201)
      return automationText.one(workspace, automation)
    },
  )

  app.patch(
    '/automations/:automation_id',
    {
      preValidation: mustExist,
      schema: { params: AutomationId, body: AutomationUpdate },
      config: automationOperation({
        id: 'updateAutomation',
        summary: 'Update an automation',
        description:
          'Only the fields that are sent change; what already waits for the clock stays as it was.',
        fidelity: documentedBut(
          'Assumed: any key may change it, trigger and actions are replaced as a whole, and an update without a field changes nothing.',
        ),
        answers: { 200: Automation },
      }),
    },
    ({ params, body, workspace }) => {
      const automation = automationRecords.get(workspace, params.automation_id)
      mustBeAutomation(withType(automation, body))
      return automationText.one(workspace, updateAutomation(workspace, automation, fromWire(body)))
    },
  )

  app.get(
    '/automations/:automation_id/executions',
    {
      schema: { params: AutomationId, querystring: ExecutionQuery },
      config: automationOperation({
        id: 'listAutomationExecutions',
        summary: 'List the executions of an automation',
        description:
          'The newest first. A sequence is one execution, which waits between its actions; one whose conditions did not hold is skipped, says which, and is not counted as an execution of its automation.',
        fidelity: documentedBut(
          `Assumed: any key may read them; they come in pages as all lists of the CRM do, whose meta stands beside data; status filters them; of one call that conditions of very many automations keep from doing anything, the first ${String(MAX_UNMET)} are recorded.`,
        ),
        answers: { 200: PageOf(Execution) },
      }),
    },
    ({ params, query, workspace }) => {
      const { id } = automationRecords.getHead(workspace, params.automation_id)
      const { page, per_page: perPage, status } = query
      const where = { page, perPage, sort: 'executed_at', order: 'desc' } as const
      return numberedPage(
        'crm executions',
        executionRecords.list,
        executionText,
        everyCallerIn(workspace),
        where,
        { automation_id: id, status },
        pageMeta,
      )
    },
  )
}

type Sent = Static<typeof AutomationUpdate>

/** What is sent with the type that the automation then has, by which the actions that it has already are judged anew. */
const withType = ({ type, actions }: AutomationRow, sent: Sent): Sent => ({
  ...(sent.type !== undefined && { actions: [...actions] as NonNullable<Sent['actions']> }),
  type,
  ...sent,
})

/** That the automation exists is asked before the body is judged. */
const mustExist = before<{ automation_id: string }>(({ workspace }, params) =>
  automationRecords.getHead(workspace, params.automation_id),
)

/** The fields as the state keeps them: what a condition or an action holds beside its own fields is dropped. */
function fromWire({ trigger, actions, ...rest }: Sent): AutomationFields {
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
