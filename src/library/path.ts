/** Paths of the control plane with their parameters filled in: the only place where the client, the commands and the MCP server do so. */
import { SimulatorError } from './errors.ts'

/** What a URL resolves instead of sending it: the call would reach another path, such as `/reset` of the whole server. */
const DOTS = /^\.{1,2}$/

/** The template with its parameters, each as one segment: `/workspaces/{id}/clock`. Throws where one can't be a segment. */
export const fillPath = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => segmentOf(name, values[name]))

/** The value as one segment of a path; throws a SimulatorError of the code "validation_error" where it can't be one. */
export function segmentOf(name: string, value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') throw refused(name, 'must be a text or a number')
  if (value === '') throw refused(name, 'must not be empty')
  if (DOTS.test(value)) throw refused(name, `must not be "${value}", which leads to another path`)
  try {
    return encodeURIComponent(value)
  } catch {
    throw refused(name, 'must be well-formed Unicode')
  }
}

/** Throws a TypeError where a path of an interface begins without a slash, or a URL would resolve a part of it. */
export function mustBePath(path: unknown, call: string): void {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    const meant = typeof path === 'string' && !path.includes(':') ? `: ${call.replace('…', `/${path}`)}` : ''
    throw new TypeError(`${call.replace('…', String(path))}: path must begin with /${meant}`)
  }
  // As a URL reads it: without tabs and line breaks, with backslashes for slashes, and dots encoded or not.
  const [before = ''] = path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/, 1)
  const dots = before.split(/[/\\]/).find((each) => DOTS.test(each.replaceAll(/%2e/gi, '.')))
  if (dots === undefined) return
  throw new TypeError(
    `${call.replace('…', path)}: path must not contain "${dots}", which leads to another path`,
  )
}

const refused = (field: string, rule: string): SimulatorError =>
  new SimulatorError({
    code: 'validation_error',
    message: `${field} ${rule}`,
    details: [{ field, code: 'invalid', message: rule }],
  })
