/** Path patterns of the call search and of faults: `/products/*`, full or relative to a base path. */
import { escapeRegExp } from '@suite-sim/kit/text/escaping'

/**
 * Returns a function that matches a path. `*` and `{name}` stand for any segment or, at the end of a segment,
 * for any rest.
 */
export function pathPattern(pattern: string, basePath: string): (path: string) => boolean {
  const full = new RegExp(`^${expressionOf(pattern)}/?$`)
  const relative = new RegExp(`^${escapeRegExp(basePath)}${expressionOf(pattern)}/?$`)
  return (path) => full.test(path) || relative.test(path)
}

const expressionOf = (pattern: string): string =>
  pattern
    .replace(/\/$/, '')
    .split('/')
    .map((segment) =>
      segment
        .split(/\*+|\{\w+\}/)
        .map(escapeRegExp)
        .join('[^/]*'),
    )
    .join('/')

/** Returns the path of a URL without its query. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
