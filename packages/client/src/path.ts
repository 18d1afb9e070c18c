/** The paths of calls. */
import { DOTS, fillPath as fill, SegmentError, segmentOf as segment } from '@suite-sim/kit/paths'
import { SimulatorError } from './errors.ts'

/** Fills in the parameters of a template; see `fillPath` of the kit. Throws a SimulatorError with the code "validation_error". */
export const fillPath = (template: string, values: Readonly<Record<string, unknown>>): string =>
  asValidationError(() => fill(template, values))

/** Encodes a value as one path segment. Throws a SimulatorError with the code "validation_error". */
export const segmentOf = (name: string, value: unknown): string =>
  asValidationError(() => segment(name, value))

function asValidationError(work: () => string): string {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SegmentError)) throw error
    const { field, rule, message } = error
    const details = [{ field, code: 'invalid', message: rule }]
    throw new SimulatorError({ code: 'validation_error', message, details })
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
