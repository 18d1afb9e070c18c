/** Patterns of paths, as calls are looked for and faults are set: `/products/*`, full or relative to a base path. */

/** Whether a path is meant by a pattern; `*` and `{name}` stand for any segment, and at the end of a segment for any rest. */
export function pathPattern(pattern: string, basePath: string): (path: string) => boolean {
  const full = new RegExp(`^${expressionOf(pattern)}/?$`)
  const relative = new RegExp(`^${escaped(basePath)}${expressionOf(pattern)}/?$`)
  return (path) => full.test(path) || relative.test(path)
}

const expressionOf = (pattern: string): string =>
  pattern
    .replace(/\/$/, '')
    .split('/')
    .map((segment) =>
      segment
        .split(/\*+|\{\w+\}/)
        .map(escaped)
        .join('[^/]*'),
    )
    .join('/')

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The path of an address, without its query. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
