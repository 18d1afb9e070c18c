/**
 * Checks of automations that a schema cannot express: the operator of a condition decides which values it accepts,
 * and the type of an action decides its configuration. All of them are assumed.
 */
import type { Static } from '@sinclair/typebox'
import { problemsOf } from '../../http/schemas/validation.ts'
import { Refusal, type FieldProblem } from '../../state/model/refusal.ts'
import type { CrmEventName } from '../../state/crm/eventNames.ts'
import { placeholdersIn } from '../../state/crm/automations/actions/placeholders.ts'
import { truncate } from '../../state/text/truncate.ts'
import { canHavePath, existingPaths, isPathOf } from './eventPaths.ts'
import { ACTION_CONFIGS, type Automation } from './shapes/automations.ts'

type Sent = Static<typeof Automation.update>
type Condition = NonNullable<NonNullable<Sent['trigger']>['conditions']>[number]
type Action = NonNullable<Sent['actions']>[number]

/** Refuses conditions and actions that can never work. */
export function mustBeAutomation({ type, trigger, actions }: Sent): void {
  const problems = [
    ...(trigger ? triggerProblems(trigger) : []),
    ...(actions ?? []).flatMap((action, index) => {
      const field = `actions.${String(index)}.config`
      const found = actionProblems(action, type, field)
      return found.length > 0 || !trigger ? found : placeholderProblems(trigger.event, action.config, field)
    }),
  ]
  if (problems.length === 0) return
  const message = problems.map((problem) => problem.message).join('; ')
  throw new Refusal('invalid', message, { details: problems })
}

const triggerProblems = ({ event, conditions = [] }: NonNullable<Sent['trigger']>): FieldProblem[] =>
  conditions.flatMap((condition, index) =>
    conditionProblems(condition, event, `trigger.conditions.${String(index)}`),
  )

function conditionProblems(condition: Condition, event: CrmEventName, at: string): FieldProblem[] {
  const { field } = condition
  if (canHavePath(event, field)) return valueProblems(condition, `${at}.value`)
  const message = `${at}.field must be a path in ${event}, not ${field}; ${existingPaths(event, field)}`
  return [{ field: `${at}.field`, code: 'unknown', message }]
}

function valueProblems({ operator, value }: Condition, field: string): FieldProblem[] {
  const problem = (code: string, words: string): FieldProblem[] => [
    { field, code, message: `${field} ${words}` },
  ]
  if (operator === 'is_empty' || operator === 'is_not_empty') {
    return value === undefined || isPlain(value)
      ? []
      : problem('invalid_type', `must be left out when operator is ${operator}`)
  }
  if (value === undefined) return problem('required', 'is required')
  switch (operator) {
    case 'in':
    case 'not_in':
      return Array.isArray(value) && value.every(isPlain)
        ? []
        : problem('invalid_type', 'must be a list of strings, numbers or booleans')
    case 'greater_than':
    case 'greater_than_or_equal':
    case 'less_than':
    case 'less_than_or_equal':
      return typeof value === 'number' || typeof value === 'string'
        ? []
        : problem('invalid_type', 'must be a number or a string')
    case 'starts_with':
    case 'ends_with':
      return typeof value === 'string' ? [] : problem('invalid_type', 'must be a string')
    default:
      return isPlain(value) ? [] : problem('invalid_type', 'must be a string, a number, a boolean or null')
  }
}

const isPlain = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

function actionProblems(
  { type, config }: Action,
  automationType: Sent['type'],
  field: string,
): FieldProblem[] {
  const problems = configProblems(type, config).map((problem) => within(field, problem))
  if (automationType === 'sequence' || config['delay_hours'] === undefined) return problems
  const path = `${field}.delay_hours`
  return [
    ...problems,
    { field: path, code: 'not_allowed', message: `${path} must be left out unless type is sequence` },
  ]
}

/** Returns the problems of placeholders that name nothing when the event happens. */
const placeholderProblems = (event: CrmEventName, config: Action['config'], at: string): FieldProblem[] =>
  Object.entries(config).flatMap(([name, value]) => {
    const wrong =
      typeof value === 'string' ? placeholdersIn(value).find((path) => !isPathOf(event, path)) : undefined
    if (wrong === undefined) return []
    const field = `${at}.${name}`
    const path = truncate(wrong, MAX_NAME_LENGTH)
    const message = `${field} must use placeholders of ${event}, not {{${path}}}; ${existingPaths(event, path)}`
    return [{ field, code: 'unknown', message }]
  })

/** Returns the settings that an action accepts, for all of its strategies. */
function settingsOf(type: Action['type']): string[] {
  const shapes = type === 'assign_owner' ? Object.values(ACTION_CONFIGS.assign_owner) : [ACTION_CONFIGS[type]]
  return [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties)))]
}

function configProblems(type: Action['type'], config: Action['config']): FieldProblem[] {
  const settings = settingsOf(type)
  const unknown = Object.keys(config).filter((name) => !settings.includes(name))
  if (unknown.length > 0) {
    const words = `is not a setting of ${type}; its settings are ${settings.join(', ')}`
    return unknown
      .slice(0, MAX_UNKNOWN)
      .map((name) => truncate(name, MAX_NAME_LENGTH))
      .map((name) => ({ field: name, code: 'unknown', message: `${name} ${words}` }))
  }
  return shapeProblems(type, config)
}

/** How many unknown settings an error lists, and how many characters of each name. */
const MAX_UNKNOWN = 3
const MAX_NAME_LENGTH = 100

function shapeProblems(type: Action['type'], config: Action['config']): FieldProblem[] {
  if (type !== 'assign_owner') return problemsOf(ACTION_CONFIGS[type], config)
  const { strategy, ...strategies } = ACTION_CONFIGS.assign_owner
  const problems = problemsOf(strategy, config)
  if (problems.length > 0) return problems
  return problemsOf(strategies[config['strategy'] as keyof typeof strategies], config)
}

/** Returns a problem of a configuration with its path in the request body. */
function within(field: string, problem: FieldProblem): FieldProblem {
  const path = problem.field === '' ? field : `${field}.${problem.field}`
  return {
    field: path,
    code: problem.code,
    message: problem.message.replace(problem.field || 'the body', path),
  }
}
