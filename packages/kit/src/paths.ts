/** Fills in path parameters of the control plane. */

/** A URL resolves these segments, so the call would reach another path, such as `/reset` of the whole server. */
export const DOTS = /^\.{1,2}$/

/** A value that can't be a segment of a path. */
export class SegmentError extends Error {
  readonly field: string
  readonly rule: string

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`)
    this.field = field
    this.rule = rule
  }
}

/**
 * Fills in the parameters of a template, each as one segment: `/workspaces/{id}/clock`. Throws if one can't
 * be a segment.
 */
export const fillPath = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => segmentOf(name, values[name]))

/**
 * Encodes a value as one path segment; throws a SegmentError if that is impossible.
 */
export function segmentOf(name: string, value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') throw new SegmentError(name, 'must be a string or a number')
  if (value === '') throw new SegmentError(name, 'must not be empty')
  if (DOTS.test(value)) throw new SegmentError(name, `must not be "${value}", which leads to another path`)
  try {
    return encodeURIComponent(value)
  } catch {
    throw new SegmentError(name, 'must be well-formed Unicode')
  }
}
