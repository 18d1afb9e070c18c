/** Checks that the path of a fault matches something that clients can call. */
import type { InterfaceDefinition, Published } from '../../http/definition/definition.ts'
import { nearestPath } from '../../http/definition/nearestPath.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { ControlContext } from '../shared/context.ts'

interface FaultTarget {
  readonly interface?: string | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
}

/** Refuses a path that matches no operation, page or cable, and suggests the nearest. */
export async function mustBeReachable(
  { interfaces, published, allPublished }: ControlContext,
  { interface: of, method, path }: FaultTarget,
): Promise<void> {
  if (path === undefined) return
  const candidates = interfaces.filter(({ name }) => (of ?? name) === name)
  if (candidates.some((each) => isPageOrCable(each, path))) return
  const all = of === undefined ? await allPublished() : [await published(of)]
  const matching = all.flatMap((each) => methodsAt(each, path))
  if (matching.some((each) => (method ?? each) === each)) return
  const field = matching.length > 0 ? 'method' : 'path'
  const known = all.flatMap(({ definition: { basePath }, routes }) =>
    routes.map((route) => ({ basePath, path: route.path })),
  )
  const nearest = nearestPath(path, known)
  const advice = nearest === null ? '' : `; did you mean ${nearest}?`
  const message =
    field === 'method'
      ? `method must be one of ${[...new Set(matching)].join(', ')}, the methods of ${path}`
      : `path must match an operation${of === undefined ? '' : ` of ${of}`}${advice}`
  refuse('invalid', message, { details: [{ field, code: 'unknown', message }] })
}

/** True if the path is a hosted page or a cable. Faults apply to these too, although they are not operations. */
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

/** Returns the methods of the operations that match a full or relative pattern. */
const methodsAt = ({ definition: { basePath }, routes }: Published, pattern: string): string[] =>
  routes
    .filter(({ path }) => matchesPath(pattern, basePath + path) || matchesPath(pattern, path))
    .map(({ method }) => method)

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

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
