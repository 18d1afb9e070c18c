/** Fills in path parameters of the control plane for the client, the commands and the MCP server. */
import { SimulatorError } from './errors.ts'

/** A URL resolves these segments, so the call would reach another path, such as `/reset` of the whole server. */
const DOTS = /^\.{1,2}$/

/**
 * Fills in the parameters of a template, each as one segment: `/workspaces/{id}/clock`. Throws if one can't
 * be a segment.
 */
export const fillPath = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => segmentOf(name, values[name]))

/**
 * Encodes a value as one path segment; throws a SimulatorError with the code "validation_error" if that is
 * impossible.
 */
export function segmentOf(name: string, value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') throw validationError(name, 'must be a string or a number')
  if (value === '') throw validationError(name, 'must not be empty')
  if (DOTS.test(value)) throw validationError(name, `must not be "${value}", which leads to another path`)
  try {
    return encodeURIComponent(value)
  } catch {
    throw validationError(name, 'must be well-formed Unicode')
  }
}

/** Throws a TypeError if a path does not start with a slash, or if a URL would resolve a part of it. */
export function checkPath(path: unknown, call: string): void {
  if (typeof path !== 'string') throw new TypeError(`${call}: path must be a string that begins with /`)
  if (!path.startsWith('/')) {
    const correction = path.includes(':') ? '' : `: ${call.replace('…', `/${path}`)}`
    throw new TypeError(`${call.replace('…', path)}: path must begin with /${correction}`)
  }
  // Like a URL parser: without tabs and line breaks, with backslashes as slashes, and with dots that may be
  // encoded.
  const [before = ''] = path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/, 1)
  const dots = before.split(/[/\\]/).find((each) => DOTS.test(each.replaceAll(/%2e/gi, '.')))
  if (dots === undefined) return
  throw new TypeError(
    `${call.replace('…', path)}: path must not contain "${dots}", which leads to another path`,
  )
}

const validationError = (field: string, rule: string): SimulatorError =>
  new SimulatorError({
    code: 'validation_error',
    message: `${field} ${rule}`,
    details: [{ field, code: 'invalid', message: rule }],
  })
