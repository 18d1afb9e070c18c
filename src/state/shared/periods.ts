/** The periods of reports: days, weeks, months. */

/**
 * Leaves out the last of several periods if the report ends with its first instant and nothing happened then: a `to` at
 * midnight means the end of the day before.
 */
export function withoutEmptyInstant<Period extends { readonly start: number }>(
  periods: readonly Period[],
  lastInstant: number,
  isEmpty: (period: Period) => boolean,
): readonly Period[] {
  const last = periods.at(-1)
  const isLeftOut = periods.length > 1 && last?.start === lastInstant && isEmpty(last)
  return isLeftOut ? periods.slice(0, -1) : periods
}
