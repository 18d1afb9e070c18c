/**
 * The parts of automations and executions, which their tables store as JSON. Specification part 1, "CRM records",
 * shows equals, greater_than and the three types of actions; the other operators and the limits are assumed.
 */
import { Type, type Static } from '@sinclair/typebox'
import { freeObject, oneOf, orNone, text } from '../storage/shapes.ts'
import { CRM_EVENTS } from './eventNames.ts'

export const OPERATORS = [
  'equals',
  'not_equals',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'in',
  'not_in',
  'is_empty',
  'is_not_empty',
] as const

export const ACTION_TYPES = ['assign_owner', 'send_email', 'create_task'] as const

/** The results of an action. */
export const ACTION_OUTCOMES = ['success', 'failed'] as const

/** The maximum number of actions and conditions of an automation. */
export const MAX_ACTIONS = 50
export const MAX_CONDITIONS = 50

const strict = { additionalProperties: false }

/** `field` is a path into the event data: "deal.value". Operators without a value have none. */
const condition = () =>
  Type.Object({ field: text(200), operator: oneOf(OPERATORS), value: Type.Optional(Type.Unknown()) }, strict)

export const trigger = () =>
  Type.Object(
    { event: oneOf(CRM_EVENTS), conditions: Type.Array(condition(), { maxItems: MAX_CONDITIONS }) },
    strict,
  )

export const action = () => Type.Object({ type: oneOf(ACTION_TYPES), config: freeObject() }, strict)

/** An action that ran. `result` names the records that it created or changed. */
export const executedAction = () =>
  Type.Object(
    { type: oneOf(ACTION_TYPES), status: oneOf(ACTION_OUTCOMES), result: orNone(freeObject()) },
    strict,
  )

export type Operator = (typeof OPERATORS)[number]
export type AutomationCondition = Static<ReturnType<typeof condition>>
export type AutomationTrigger = Static<ReturnType<typeof trigger>>
export type AutomationAction = Static<ReturnType<typeof action>>
export type ExecutedAction = Static<ReturnType<typeof executedAction>>
