/** Checks of the options that the library passes. */
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { MAX_SECRET_LENGTH } from '@suite-sim/kit/webhooks/listening'

/** Returns the rule that a value breaks; null if it breaks none. */
type Check = (value: unknown) => string | null

export type Checks<Options> = Readonly<Record<keyof Options & string, Check>>

export const SECRET_RULE = `must have 1 to ${String(MAX_SECRET_LENGTH)} characters`

export const mustBeText: Check = (value) =>
  typeof value === 'string' && value !== '' ? null : 'must be a non-empty string'

export const secretProblem: Check = (value) =>
  typeof value === 'string' && value.length >= 1 && value.length <= MAX_SECRET_LENGTH ? null : SECRET_RULE

export const timeoutProblem: Check = (value) =>
  typeof value === 'number' && value >= 1 && value <= 60 ? null : 'must be 1 to 60 seconds'

export const urlProblem: Check = (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with http:// or https://'
  return url.username || url.password ? 'must have no user or password' : null
}

export const namesProblem: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => mustBeText(each) === null)
    ? null
    : 'must be an array of non-empty strings'

/** Throws a UsageError for the first option with a wrong value, or if the required one is missing. */
export function checkOptionValues<Options extends object>(
  checks: Checks<Options>,
  options: Options,
  required: keyof Options & string,
): void {
  for (const [name, check] of Object.entries(checks) as [keyof Options & string, Check][]) {
    const value = options[name]
    const problem = value === undefined && name !== required ? null : check(value)
    if (problem !== null) throw new UsageError(`${name} ${problem}`)
  }
}
