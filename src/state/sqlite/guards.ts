/**
 * What no statement may ask of SQLite. What a write has done may have to be done again, and what was read of a table is
 * remembered for as long as nothing is written to it: a statement that asks for the time or for chance would do or say
 * something else then. Instants come from the workspace's clock and ids from its `Ids`, as values that are bound.
 */

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g
/** What the functions of time take for this moment. */
const THIS_MOMENT = /^['"](?:now|subsec|subsecond)['"]$/i

const CHANCE = /\brandom(?:blob)?\s*\(/i
const TIME_ITSELF = /\bcurrent_(?:time|date|timestamp)\b/i
const OF_TIME = /\b(?:date|time|datetime|julianday|unixepoch|strftime|timediff)\s*\(/i
const WITHOUT_AN_INSTANT =
  /\b(?:(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)|strftime\s*\(\s*(?:[^\s,()]+\s*)?\))/i

/** Throws for a text that asks SQLite for the time or for chance. What is bound to it later can't be seen here. */
export function refuseTimeAndChance(text: string): void {
  const bare = text.replace(QUOTED, "''")
  const namesThisMoment = (text.match(QUOTED) ?? []).some((quoted) => THIS_MOMENT.test(quoted))
  const asksForTime =
    TIME_ITSELF.test(bare) || WITHOUT_AN_INSTANT.test(bare) || (namesThisMoment && OF_TIME.test(bare))
  if (asksForTime || CHANCE.test(bare)) {
    throw new Error(`a statement may not ask SQLite for the time or for chance: ${text}`)
  }
}
