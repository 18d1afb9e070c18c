/**
 * Refuses SQL with the current time or random values. Statements can be replayed and their results are cached, so
 * both must give the same result again. Bind instants from the workspace's clock and ids from its `Ids` instead.
 */

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g
/** Arguments of the time functions that mean the current time. */
const CURRENT_TIME_ARGUMENT = /^['"](?:now|subsec|subsecond)['"]$/i

const RANDOM = /\brandom(?:blob)?\s*\(/i
const CURRENT_TIME = /\bcurrent_(?:time|date|timestamp)\b/i
const TIME_FUNCTION = /\b(?:date|time|datetime|julianday|unixepoch|strftime|timediff)\s*\(/i
const TIME_FUNCTION_WITHOUT_ARGUMENT =
  /\b(?:(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)|strftime\s*\(\s*(?:[^\s,()]+\s*)?\))/i

/** Throws if SQL uses the current time or random values. Bound values are not checked. */
export function refuseTimeAndChance(text: string): void {
  const withoutQuoted = text.replace(QUOTED, "''")
  const hasCurrentTimeArgument = (text.match(QUOTED) ?? []).some((quoted) =>
    CURRENT_TIME_ARGUMENT.test(quoted),
  )
  const usesCurrentTime =
    CURRENT_TIME.test(withoutQuoted) ||
    TIME_FUNCTION_WITHOUT_ARGUMENT.test(withoutQuoted) ||
    (hasCurrentTimeArgument && TIME_FUNCTION.test(withoutQuoted))
  if (usesCurrentTime || RANDOM.test(withoutQuoted)) {
    throw new Error(`a statement must not use the current time or random values of SQLite: ${text}`)
  }
}
