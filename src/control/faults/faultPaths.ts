/** Checks that a fault can match something: a call of a client, or a delivery. */
import type { InterfaceDefinition, MountedRoute, Published } from '../../http/definition/definition.ts'
import { nearestPath, type KnownPath } from '../../http/definition/nearestPath.ts'
import { queryProperties } from '../../http/openapi/reasons.ts'
import { refuseField } from '../../state/model/refusal.ts'
import type { ControlContext } from '../shared/context.ts'
import { mustBeEvent } from '../shared/publishedNames.ts'
import { escapeRegExp } from '@suite-sim/kit/text/escaping'

export interface FaultTarget {
  readonly interface?: string | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly event?: string | undefined
}

/** Refuses a fault that can match no call and no delivery. */
export async function mustBeReachable(context: ControlContext, target: FaultTarget): Promise<void> {
  const { event, interface: of } = target
  // Every interface sends events.
  if (event !== undefined) {
    await mustBeEvent(context, { field: 'event', name: event, interface: of, reason: 'invalid' })
  } else if (target.path !== undefined) await mustMatchPath(context, target, target.path)
  else if (target.method !== undefined) await mustMatchMethod(context, target, target.method)
}

const fail = (field: string, message: string): never => refuseField(field, 'unknown', message)

/** Refuses a method that no operation has. */
async function mustMatchMethod(
  context: ControlContext,
  { interface: of }: FaultTarget,
  method: string,
): Promise<void> {
  const all = await publishedOf(context, of)
  const methods = [...new Set(all.flatMap(({ routes }) => routes.map((route) => route.method)))]
  if (methods.includes(method)) return
  fail('method', `method must be one of ${methods.join(', ')}, the methods of ${of ?? 'the interfaces'}`)
}

/** An operation, with whether it returns pages of a list. */
type FoundOperation = MountedRoute & { readonly isList: boolean }

/** Returns the operations that a fault can match. */
export async function operationsAt(
  context: ControlContext,
  { interface: of, method, path }: FaultTarget,
): Promise<readonly FoundOperation[]> {
  const all = await publishedOf(context, of)
  const routes = all.flatMap((each) =>
    (path === undefined ? each.routes : routesAt(each, path)).map((route) => ({
      ...route,
      isList: isList(each, route),
    })),
  )
  return routes.filter((route) => (method ?? route.method) === route.method)
}

/** True if the operation returns a page of a list. Reports, and lists that are returned as a whole, come from no index. */
function isList({ definition: { dialect } }: Published, route: MountedRoute): boolean {
  const paging = route.operation.paging ?? dialect.paging
  if (!paging) return false
  return (
    (paging.kind === 'unpaged' && paging.isPart) ||
    ('limit' in paging && paging.limit in queryProperties(route))
  )
}

const publishedOf = async (
  { published, allPublished }: ControlContext,
  of: string | undefined,
): Promise<readonly Published[]> => (of === undefined ? allPublished() : [await published(of)])

/** Refuses a path that matches no operation, page or cable, and suggests the nearest. */
async function mustMatchPath(
  context: ControlContext,
  { interface: of, method }: FaultTarget,
  path: string,
): Promise<void> {
  if (!path.startsWith('/')) {
    fail('path', 'path must start with /: relative to the base path (/products/*) or full (/crm/v1/contacts)')
  }
  if (/[?#]/.test(path)) {
    fail(
      'path',
      `path must end before the query; send ${path.split(/[?#]/, 1).join('')}, which matches calls with any query`,
    )
  }
  const candidates = context.interfaces.filter(({ name }) => (of ?? name) === name)
  if (candidates.some((each) => isPageOrCable(each, path))) return
  const all = await publishedOf(context, of)
  const matching = all.flatMap((each) => methodsAt(each, path))
  if (matching.some((each) => (method ?? each) === each)) return
  if (matching.length > 0) {
    fail('method', `method must be one of ${[...new Set(matching)].join(', ')}, the methods of ${path}`)
  }
  const known = all.flatMap(({ definition: { basePath }, routes }) =>
    routes.map((route) => ({ basePath, path: route.path })),
  )
  const nearest = nearestStart(path, [...known, ...candidates.flatMap(extraPaths)])
  const advice = nearest === null ? '' : `; did you mean ${nearest}?`
  fail('path', `path must match an operation${of === undefined ? '' : ` of ${of}`}${advice}`)
}

/** Returns the nearest path, or that of the longest start of the path that has one. */
function nearestStart(path: string, known: readonly KnownPath[]): string | null {
  for (let start = path; start !== ''; start = start.slice(0, start.lastIndexOf('/'))) {
    const nearest = nearestPath(start, known)
    if (nearest !== null) return nearest
  }
  return null
}

/** True if the path is a hosted page or a cable. Faults that name them apply, although they are not operations. */
const isPageOrCable = (
  { pagesPath, framedPagesPath, cablePath }: InterfaceDefinition,
  path: string,
): boolean =>
  [pagesPath, framedPagesPath].some(
    (each) => each !== undefined && (path === each || path.startsWith(`${each}/`)),
  ) ||
  // The path may be full or, like the paths of operations, relative: "/cable".
  (cablePath !== undefined &&
    [cablePath, cablePath.slice(cablePath.lastIndexOf('/'))].some((each) => matchesPath(path, each)))

/** Returns the addresses that are not operations, for the nearest path. */
const extraPaths = ({ pagesPath, framedPagesPath, cablePath }: InterfaceDefinition): KnownPath[] =>
  [pagesPath, framedPagesPath, cablePath].flatMap((each) => {
    if (each === undefined) return []
    const end = each.indexOf('/', 1)
    return [{ basePath: each.slice(0, end), path: each.slice(end) }]
  })

/** Returns the operations that match a full or relative pattern. */
const routesAt = ({ definition: { basePath }, routes }: Published, pattern: string): MountedRoute[] =>
  routes.filter(({ path }) => matchesPath(pattern, basePath + path) || matchesPath(pattern, path))

const methodsAt = (published: Published, pattern: string): string[] =>
  routesAt(published, pattern).map(({ method }) => method)

function matchesPath(pattern: string, path: string): boolean {
  const wanted = segmentsOf(pattern)
  const own = segmentsOf(path)
  return (
    wanted.length === own.length &&
    own.every((segment, index) => matchesSegment(wanted[index] ?? '', segment))
  )
}

const segmentsOf = (path: string): string[] => path.replace(/^\/|\/$/g, '').split('/')

function matchesSegment(wanted: string, own: string): boolean {
  if (/\{\w+\}/.test(own) || /\*|\{\w+\}/.test(wanted)) {
    return (
      own.includes('{') ||
      new RegExp(
        `^${wanted
          .split(/\*+|\{\w+\}/)
          .map(escapeRegExp)
          .join('.*')}$`,
      ).test(own)
    )
  }
  return wanted === own
}
