/** Whether a fault can hit anything: its path has to be one that somebody can call. */
import type { Published } from '../http/definition.ts'
import { nearestPath } from '../http/nearestPath.ts'
import { refuse } from '../state/refusal.ts'
import type { ControlContext, Interface } from './context.ts'

interface Aimed {
  readonly interface?: string | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
}

/** Refuses a path that no operation, page or cable has, and names the nearest. */
export async function mustBeReachable(
  { interfaces, published, allPublished }: ControlContext,
  { interface: of, method, path }: Aimed,
): Promise<void> {
  if (path === undefined) return
  const meant = interfaces.filter(({ name }) => (of ?? name) === name)
  if (meant.some((each) => isBesideOperations(each, path))) return
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
      ? `method must be one of ${[...new Set(matching)].join(', ')}, which ${path} has`
      : `path must be that of an operation${of === undefined ? '' : ` of ${of}`}${advice}`
  refuse('invalid', message, { details: [{ field, code: 'unknown', message }] })
}

/** Pages for people and cables are no operations, and meet faults all the same. */
const isBesideOperations = ({ pagesPath, framedPagesPath, cablePath }: Interface, path: string): boolean =>
  [pagesPath, framedPagesPath].some(
    (each) => each !== undefined && (path === each || path.startsWith(`${each}/`)),
  ) ||
  // Full, or relative as the paths of operations are: "/cable".
  (cablePath !== undefined &&
    [cablePath, cablePath.slice(cablePath.lastIndexOf('/'))].some((each) => canMean(path, each)))

/** The methods of the operations that a pattern can mean, be it full or relative. */
const methodsAt = ({ definition: { basePath }, routes }: Published, pattern: string): string[] =>
  routes
    .filter(({ path }) => canMean(pattern, basePath + path) || canMean(pattern, path))
    .map(({ method }) => method)

function canMean(pattern: string, path: string): boolean {
  const asked = segmentsOf(pattern)
  const own = segmentsOf(path)
  return asked.length === own.length && own.every((segment, place) => fits(asked[place] ?? '', segment))
}

const segmentsOf = (path: string): string[] => path.replace(/^\/|\/$/g, '').split('/')

function fits(asked: string, own: string): boolean {
  if (/\{\w+\}/.test(own) || /\*|\{\w+\}/.test(asked)) {
    return (
      own.includes('{') ||
      new RegExp(
        `^${asked
          .split(/\*+|\{\w+\}/)
          .map(escaped)
          .join('.*')}$`,
      ).test(own)
    )
  }
  return asked === own
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
