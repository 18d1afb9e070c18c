/** The scopes that keys can have. Unknown scopes are refused here, because a typo would otherwise surface as a later 403. */
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { refuse } from '../../state/model/refusal.ts'

/** Every scope that an operation requires or accepts. Listed here so that creating a key loads no interface. */
export const SCOPES = [
  'activities:create',
  'activities:delete',
  'activities:read',
  'activities:read:own',
  'activities:update',
  'candidates:read',
  'candidates:write',
  'catalogs:read',
  'crm:admin',
  'crm:automations',
  'crm:delete',
  'crm:read',
  'crm:reports',
  'crm:write',
  'grid:analytics:read',
  'grid:media:read',
  'grid:media:write',
  'grid:playlists:write',
  'grid:schedules:write',
  'grid:screens:read',
  'grid:screens:write',
  'interviews:manage',
  'invoices:read',
  'invoices:write',
  'products:create',
  'products:delete',
  'products:read',
  'products:update',
  'reports:read',
  'vacancies:read',
  'vacancies:write',
]

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
