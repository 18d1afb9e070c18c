/**
 * The scope of operations whose scope the specification does not list. Derived from the listed scopes of the same area,
 * so no scope is invented.
 */
import { reading } from '../../state/model/reading.ts'
import type { MountedRoute } from './definition.ts'
import { scopesOf, type Operation } from './operation.ts'

export const unlistedScopes = reading({
  name: 'scopes.unlisted',
  title: 'The scope of operations whose scope cell is blank',
  section: 'part 1 and 2, "Endpoints": blank cells of the column Scope',
  default: 'area',
  alternatives: {
    area: 'The documented scope of the same area: its read scope for GET, its write scope otherwise.',
    any: 'None: any key of the interface may call them.',
  },
})

/** The resource of a path: "playlists" of "/playlists/{playlist_id}". */
const areaOf = (path: string): string => path.split('/')[1] ?? ''

const isRead = ({ method }: MountedRoute): boolean => method === 'GET'

/** Returns the listed scopes, those of DELETE last, because they may be for deletions alone. */
const scopesListed = (routes: readonly MountedRoute[]): string[] =>
  [...routes]
    .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
    .flatMap(({ operation }) => scopesOf(operation))

/**
 * Returns the scope that a route with a blank cell needs under the reading "area"; undefined if it needs none. In this
 * order: a listed scope of the area for the same kind of access; the read or write scope that belongs to another scope of
 * the area (`crm:read` to `crm:admin`) if it is listed anywhere; the listed scope for the other kind of access.
 */
export function areaScope(route: MountedRoute, routes: readonly MountedRoute[]): string | undefined {
  if (route.operation.scope !== undefined || route.operation.open) return undefined
  const area = routes.filter(({ path }) => areaOf(path) === areaOf(route.path))
  const [same] = scopesListed(area.filter((each) => isRead(each) === isRead(route)))
  if (same !== undefined) return same
  const [other] = scopesListed(area)
  if (other === undefined) return undefined
  const sibling = other.slice(0, other.lastIndexOf(':') + 1) + (isRead(route) ? 'read' : 'write')
  return scopesListed(routes).includes(sibling) ? sibling : other
}

const found = new WeakMap<Operation, { readonly scope: string | undefined }>()

/** Returns the scope of `areaScope` for an operation, computed once. */
export function areaScopeOf(operation: Operation, routes: readonly MountedRoute[]): string | undefined {
  let cached = found.get(operation)
  if (!cached) {
    const route = routes.find((each) => each.operation === operation)
    cached = { scope: route && areaScope(route, routes) }
    found.set(operation, cached)
  }
  return cached.scope
}
