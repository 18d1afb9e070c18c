/** Wire shapes of automations and their executions. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  assumedValues,
  FreeObject,
  Instant,
  named,
  Nullable,
  OneOf,
} from '../../../http/schemas/schemas.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import {
  ACTION_OUTCOMES,
  ACTION_TYPES,
  MAX_CONDITIONS,
  OPERATORS,
} from '../../../state/crm/automationParts.ts'
import { ASSIGNMENT_STRATEGIES, MAX_CHARACTERS } from '../../../state/crm/automations/actions/actions.ts'
import { LONGEST_VALUE } from '../../../state/crm/automations/actions/placeholders.ts'
import { MAX_VALUES } from '../../../state/crm/automations/automations.ts'
import { nextActionAt } from '../../../state/crm/automations/runs.ts'
import { LONGEST_KEPT_FIELD } from '../../../state/crm/automations/triggerData.ts'
import { CRM_EVENTS } from '../../../state/crm/eventNames.ts'
import {
  AUTOMATION_TYPES,
  automations,
  EXECUTION_STATUSES,
  executions,
  LONGEST_TEXT,
} from '../../../state/crm/tables.ts'
import { isoOrNull } from '@suite-sim/kit/time/instants'
import { assumedEvents, assumedPageQuery, DEMO_USER, demoId, Id, notBlank } from './common.ts'

// ---------------------------------------------------------------- trigger

const Condition = named(
  'AutomationCondition',
  Type.Object({
    field: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^.]+(\\.[^.]+)*$',
      'x-wording': 'must be a path with dots, such as deal.value',
      description:
        'Assumed: a path with dots into the current records of the event: those in its data, its deal as deal and its contact as contact. A path without the name of a record leads into the record that the event is named after: for deal.created, value means deal.value. Returns 422 when no record can have the path; paths into free data are not checked.',
      examples: ['deal.value'],
    }),
    operator: OneOf(OPERATORS, {
      ...assumedValues(
        'The specification shows greater_than and equals; the simulator adds other common operators.',
        ...OPERATORS.filter((operator) => operator !== 'greater_than' && operator !== 'equals'),
      ),
      description:
        'Assumed: numbers are compared as numbers, dates as instants, and strings with case. contains finds a part of a string or an item of a list. A missing field is empty.',
      examples: ['greater_than'],
    }),
    value: Type.Optional(
      Type.Unknown({
        description:
          'Assumed: a string, number, boolean or null; a list of them for in and not_in. Leave it out for is_empty and is_not_empty.',
        examples: [10000],
      }),
    ),
  }),
)

const Trigger = named(
  'AutomationTrigger',
  Type.Object({
    event: OneOf(CRM_EVENTS, { ...assumedEvents, examples: ['deal.created'] }),
    conditions: Type.Array(Condition, {
      maxItems: MAX_CONDITIONS,
      description: `Assumed: optional in a request, and all must be met. They have at most ${String(MAX_VALUES)} values in total.`,
    }),
  }),
)

/** The trigger in a request. Without conditions, every event of the name sets off the automation. */
const SentTrigger = Type.Object({
  event: Trigger.properties.event,
  conditions: Type.Optional(Trigger.properties.conditions),
})

// ---------------------------------------------------------------- actions

/** One year. */
const MAX_DELAY_HOURS = 8760

/** Ten years. */
const MAX_DUE_HOURS = 87_600

const Placeholders = (maxLength: number, description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    description: `${description} May contain placeholders such as {{contact.name}}.`,
    examples: [example],
  })

const delay = {
  delay_hours: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_DELAY_HOURS })),
}

const teamId = Placeholders(200, 'A team of the workspace.', demoId('team_'))
const [roundRobin, leastLoaded, specific] = ASSIGNMENT_STRATEGIES

/** The schemas of `config` for each type of action. */
export const ACTION_CONFIGS = {
  assign_owner: {
    strategy: Type.Object({ strategy: OneOf(ASSIGNMENT_STRATEGIES) }),
    [roundRobin]: Type.Object({ team_id: teamId, ...delay }),
    [leastLoaded]: Type.Object({ team_id: teamId, ...delay }),
    [specific]: Type.Object({
      user_id: Placeholders(200, 'A user of the workspace.', '{{deal.owner_id}}'),
      ...delay,
    }),
  },
  send_email: Type.Object({
    template_id: Placeholders(200, 'A template of the workspace.', demoId('tpl_')),
    to: Placeholders(500, 'The e-mail address of the recipient.', '{{contact.email}}'),
    ...delay,
  }),
  create_task: Type.Object({
    title: Placeholders(500, 'The title of the task.', 'Call {{contact.name}}'),
    due_in_hours: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_DUE_HOURS })),
    assign_to: Type.Optional(Placeholders(200, 'A user of the workspace.', '{{deal.owner_id}}')),
    ...delay,
  }),
}

const Action = named(
  'AutomationAction',
  Type.Object({
    type: OneOf(ACTION_TYPES),
    config: FreeObject({
      description: `assign_owner takes strategy (${ASSIGNMENT_STRATEGIES.join(', ')}) and team_id, or user_id with ${specific}. send_email takes template_id and to. create_task takes title, and optionally due_in_hours and assign_to. Strings may contain placeholders such as {{contact.name}}: paths into the records of the event. Returns 422 when no record can have the path; a path into free data that leads to nothing is empty. Unknown settings are refused. In a sequence, an action with delay_hours and the actions after it wait on the clock of the workspace. Assumed: the strategies, delay_hours, user_id, which fields are required, and the limits: a placeholder inserts at most ${String(LONGEST_VALUE)} characters, a message has at most ${String(LONGEST_TEXT)}, and the messages of one execution have at most ${String(MAX_CHARACTERS)} together.`,
      examples: [{ strategy: roundRobin, team_id: demoId('team_') }],
    }),
  }),
)

// ---------------------------------------------------------------- automations

export const Automation = shape({ item: 'Automation', create: 'AutomationCreate' }, automations, {
  assumed:
    'The specification shows no response; the simulator returns the fields of a new automation, its id, its execution count and its times.',
  fields: () => ({
    id: { schema: Id('auto_') },
    name: {
      sent: 'both',
      required: true,
      bounded: true,
      words: notBlank('Large deals go to the senior team'),
    },
    type: {
      sent: 'both',
      assumed: 'The specification filters by type and does not show it as a field. It defaults to workflow.',
      takes: { description: 'Default is workflow (assumed).' },
    },
    active: {
      sent: 'both',
      words: { description: 'An inactive automation does not run (assumed).' },
      takes: { 'x-assumed-default': true },
    },
    trigger: { sent: 'both', required: true, schema: Trigger, body: SentTrigger },
    actions: {
      sent: 'both',
      required: true,
      bounded: true,
      words: { items: Action, description: 'Run in order until one fails (assumed).' },
    },
    executions_count: {
      schema: Type.Integer({
        minimum: 0,
        description:
          'How often the automation ran with its conditions met, successfully or not. Executions that were skipped because of a condition are not counted.',
      }),
    },
    last_executed_at: { words: { description: 'null until the first execution.' } },
    created_at: {},
    updated_at: {},
  }),
})

export const AutomationId = Type.Object({ automation_id: Id('auto_') })

export const AutomationQuery = Type.Object({
  ...assumedPageQuery,
  active: Type.Optional(Type.Boolean()),
  type: Type.Optional(OneOf(AUTOMATION_TYPES)),
})

// ---------------------------------------------------------------- executions

const ExecutedAction = Type.Object({
  type: OneOf(ACTION_TYPES),
  status: OneOf(ACTION_OUTCOMES, { description: 'Actions after a failed one do not run.' }),
  result: Nullable(
    FreeObject({
      description: 'The records that the action created or changed.',
      examples: [{ owner_id: DEMO_USER }],
    }),
  ),
})

export const Execution = shape({ item: 'AutomationExecution' }, executions, {
  fields: () => ({
    id: { schema: Id('exec_') },
    automation_id: { schema: Id('auto_') },
    status: {
      words: assumedValues(
        'The specification shows no values. waiting: the next action of a sequence waits for the clock. skipped: a condition was not met, or the automation was inactive or its record was deleted when an action was due.',
        ...EXECUTION_STATUSES,
      ),
    },
    trigger_event: { words: assumedEvents },
    trigger_data: {
      schema: FreeObject({
        description: `Assumed: the event data. Strings in the records are cut after ${String(LONGEST_KEPT_FIELD)} characters, and lists and objects that are longer as JSON are left out.`,
      }),
    },
    actions_executed: {
      schema: Type.Array(
        Assumed(
          'The specification shows only the name of the list; the simulator lists the actions that ran, in order.',
          ExecutedAction,
        ),
      ),
    },
    failure_reason: {
      assumed:
        'The specification does not show this field; it explains in a sentence why the execution failed or was skipped.',
    },
    duration_ms: { schema: Type.Number({ minimum: 0, description: 'On the clock of the workspace.' }) },
    executed_at: { words: { description: 'When the event set off the automation.' } },
    next_action_at: made(
      Assumed(
        'The specification does not show this field; it is the time until which a sequence waits.',
        Nullable(Instant({ description: 'null unless the status is waiting.' })),
      ),
      [executions.id, executions.status],
      ([id, status], workspace) => isoOrNull(nextActionAt(workspace, { id, status })),
    ),
  }),
})

export const ExecutionQuery = Type.Object({
  ...assumedPageQuery,
  status: Type.Optional(
    Assumed('The specification shows no parameters of this list.', OneOf(EXECUTION_STATUSES)),
  ),
})
