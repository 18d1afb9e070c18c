/** Wire shapes of automations and their executions. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, FreeObject, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { pageQuery } from '../../../http/wireShapes.ts'
import { ACTION_TYPES, ASSIGNMENT_STRATEGIES, MAX_CHARACTERS } from '../../../state/crm/automationActions.ts'
import { ACTION_OUTCOMES, MAX_ACTIONS, MAX_CONDITIONS, MAX_VALUES } from '../../../state/crm/automations.ts'
import { OPERATORS } from '../../../state/crm/conditions.ts'
import { CRM_EVENTS } from '../../../state/crm/events.ts'
import { LONGEST_TEXT, LONGEST_VALUE } from '../../../state/crm/placeholders.ts'
import { AUTOMATION_TYPES, EXECUTION_STATUSES } from '../../../state/crm/tables.ts'
import { LONGEST_KEPT_FIELD } from '../../../state/crm/triggerData.ts'
import { DEMO_USER, demoId, Id, Text } from './common.ts'

const limits = 'The specification shows no limits.'

// ---------------------------------------------------------------- trigger

const Condition = named(
  'AutomationCondition',
  Type.Object({
    field: Assumed(
      'The name alone is shown: a path with dots of at most 200 characters, in which the name of the main record may be left out.',
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[^.]+(\\.[^.]+)*$',
        'x-wording': 'must be a path with dots, such as deal.value',
        description:
          'A path into the records that the event is about, as they are now: what it carries, and its deal and contact, as deal and contact. A path without the name of a record leads into the record that the event is named after: value is deal.value for deal.created. One that nothing has is refused, but in free data.',
        examples: ['deal.value'],
      }),
    ),
    operator: Assumed(
      'greater_than and equals are shown; the others are what such filters usually have. Numbers are compared as numbers, dates as moments, text with case; contains finds a part of a text or a member of a list; a field that is not there is empty.',
      OneOf(OPERATORS, { examples: ['greater_than'] }),
    ),
    value: Type.Optional(
      Type.Unknown({
        description:
          'A text, number, boolean or null; a list of them for in and not_in; not needed for is_empty and is_not_empty.',
        examples: [10000],
      }),
    ),
  }),
)

const Trigger = named(
  'AutomationTrigger',
  Type.Object({
    event: OneOf(CRM_EVENTS, { examples: ['deal.created'] }),
    conditions: Assumed(
      `That all of them have to be met, that none is needed, and that there are at most ${String(MAX_CONDITIONS)}, with ${String(MAX_VALUES)} values together, is assumed.`,
      Type.Array(Condition, { maxItems: MAX_CONDITIONS }),
    ),
  }),
)

/** As it is sent: without conditions every event of the name sets the automation off. */
const SentTrigger = Type.Object({
  event: Trigger.properties.event,
  conditions: Type.Optional(Trigger.properties.conditions),
})

// ---------------------------------------------------------------- actions

/** A year: nobody waits for longer in a sequence. */
const LONGEST_DELAY_HOURS = 8760

/** Ten years. */
const LATEST_DUE_HOURS = 87_600

const Placeholders = (maxLength: number, description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    description: `${description} May hold placeholders such as {{contact.name}}.`,
    examples: [example],
  })

const delay = {
  delay_hours: Type.Optional(Type.Number({ minimum: 0, maximum: LONGEST_DELAY_HOURS })),
}

const teamId = Placeholders(200, 'A team of the workspace.', demoId('team_'))
const [roundRobin, leastLoaded, specific] = ASSIGNMENT_STRATEGIES

/** What `config` has to be for each type of action. */
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
    to: Placeholders(500, 'The address.', '{{contact.email}}'),
    ...delay,
  }),
  create_task: Type.Object({
    title: Placeholders(500, 'What is to be done.', 'Call {{contact.name}}'),
    due_in_hours: Type.Optional(Type.Number({ minimum: 0, maximum: LATEST_DUE_HOURS })),
    assign_to: Type.Optional(Placeholders(200, 'A user of the workspace.', '{{deal.owner_id}}')),
    ...delay,
  }),
}

const Action = named(
  'AutomationAction',
  Type.Object({
    type: OneOf(ACTION_TYPES),
    config: Assumed(
      `The fields are shown; the strategies beside the word, delay_hours, user_id and what is required are assumed. So are the sizes: a placeholder puts in at most ${String(LONGEST_VALUE)} characters, a message has at most ${String(LONGEST_TEXT)}, and those of one execution ${String(MAX_CHARACTERS)} together.`,
      FreeObject({
        description: `assign_owner takes strategy (${ASSIGNMENT_STRATEGIES.join(', ')}) and team_id, or user_id with ${specific}; send_email takes template_id and to; create_task takes title, and may take due_in_hours and assign_to. Texts may hold placeholders such as {{contact.name}}; one that names nothing is empty. A setting that the type does not take is refused. In a sequence delay_hours has an action, and those after it, wait on the clock of the workspace.`,
        examples: [{ strategy: roundRobin, team_id: demoId('team_') }],
      }),
    ),
  }),
)

// ---------------------------------------------------------------- automations

const name = Assumed(limits, Text(200, 'Large deals go to the senior team'))
const type = Assumed(
  'The specification filters by it and does not show it as a field; the default is workflow.',
  OneOf(AUTOMATION_TYPES),
)
const active = Type.Boolean({ description: 'Default is true. An inactive automation does nothing.' })
const actions = Assumed(
  `That they are done in order, up to one that fails, and that there are 1 to ${String(MAX_ACTIONS)} of them, is assumed.`,
  Type.Array(Action, { minItems: 1, maxItems: MAX_ACTIONS }),
)

export const AutomationCreate = named(
  'AutomationCreate',
  Type.Object({
    name,
    type: Type.Optional(type),
    active: Type.Optional(active),
    trigger: SentTrigger,
    actions,
  }),
)

export const AutomationUpdate = named(
  'AutomationUpdate',
  Assumed(
    'The specification shows active alone: the fields of a new automation, each optional and replaced as a whole.',
    Type.Partial(Type.Object({ name, type, active, trigger: SentTrigger, actions })),
  ),
)

export const Automation = named(
  'Automation',
  Assumed(
    'The specification shows no automation as it is answered: the fields of a new one, its id, what it did and its times.',
    Type.Object({
      id: Id('auto_'),
      name,
      type,
      active,
      trigger: Trigger,
      actions,
      executions_count: Type.Integer({
        minimum: 0,
        description:
          'How often it was set off with its conditions met, with and without success; those that a condition kept from it are not counted.',
      }),
      last_executed_at: Nullable(Instant({ description: 'null while it never was.' })),
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

export const AutomationId = Type.Object({ automation_id: Id('auto_') })

export const AutomationQuery = Type.Object({
  ...pageQuery,
  active: Type.Optional(Type.Boolean()),
  type: Type.Optional(OneOf(AUTOMATION_TYPES)),
})

// ---------------------------------------------------------------- executions

const ExecutedAction = Type.Object({
  type: OneOf(ACTION_TYPES),
  status: OneOf(ACTION_OUTCOMES, { description: 'Those after one that failed are not begun.' }),
  result: Nullable(
    FreeObject({ description: 'The records that it made or changed.', examples: [{ owner_id: DEMO_USER }] }),
  ),
})

export const Execution = named(
  'AutomationExecution',
  Type.Object({
    id: Id('exec_'),
    automation_id: Id('auto_'),
    status: Assumed(
      'The specification shows no values. waiting: a sequence whose next action waits for the clock; skipped: a condition did not hold, or the automation was inactive or its record deleted when an action was due.',
      OneOf(EXECUTION_STATUSES),
    ),
    trigger_event: OneOf(CRM_EVENTS),
    trigger_data: Assumed(
      `The name alone is shown: what the event carried. A text in its records is cut after ${String(LONGEST_KEPT_FIELD)} characters; a list or an object that is longer as JSON is left out.`,
      FreeObject({ description: 'What the event carried.' }),
    ),
    actions_executed: Assumed(
      'The specification shows the name alone: what was done, in order.',
      Type.Array(ExecutedAction),
    ),
    failure_reason: Assumed(
      'Not among the fields that are shown; says in a sentence why it failed or was skipped.',
      Nullable(Type.String()),
    ),
    duration_ms: Type.Number({ minimum: 0, description: 'On the clock of the workspace.' }),
    executed_at: Instant({ description: 'When it was set off.' }),
    next_action_at: Assumed(
      'Not among the fields that are shown; says until when a sequence waits.',
      Nullable(Instant({ description: 'null unless it waits.' })),
    ),
  }),
)

export const ExecutionQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(EXECUTION_STATUSES)),
})
