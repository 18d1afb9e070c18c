/** The scopes that keys can have. Unknown scopes are refused here, because a typo would otherwise surface as a later 403. */
import { SCOPES } from '@suite-sim/kit/scopes'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { refuse } from '../../state/model/refusal.ts'

const ALL = '*'

/** Refuses scopes that no operation requires. */
export function mustBeScopes(scopes: readonly string[]): void {
  const details = scopes.flatMap((scope, index) => {
    if (scope === ALL || SCOPES.includes(scope)) return []
    const field = `scopes.${String(index)}`
    const nearest = nearestName(scope, SCOPES)
    const hint = nearest === null ? `the scopes are ${ALL}, ${SCOPES.join(', ')}` : `did you mean ${nearest}?`
    const message = `${field} must be a scope of an operation, not ${JSON.stringify(scope.slice(0, 100))}; ${hint}`
    return [{ field, code: 'not_allowed', message }]
  })
  const [first] = details
  if (first) refuse('invalid', first.message, { details })
}
