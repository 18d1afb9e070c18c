/** Values of a foreign server as short text that is safe to print. */

const MAX_VALUE = 200

/** Control characters, and those that change the direction of text: a terminal would follow them. */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- finds them to replace them.
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu

const escaped = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** Returns one line without control characters, cut after `max` characters. */
export function shortText(text: string, max = MAX_VALUE): string {
  const line = text.slice(0, max).replaceAll(CONTROLS, escaped)
  return text.length > max ? `${line}… (${String(text.length)} characters)` : line
}

/** Returns several lines without other control characters. */
export const safeLines = (text: string): string[] =>
  text.split(/\r?\n/).map((line) => shortText(line, MAX_LINE))

const MAX_LINE = 4000

/** Returns a value as JSON in one line, cut after `max` characters; "nothing" if there is none. */
export const shortValue = (value: unknown, max = MAX_VALUE): string =>
  shortText(value === undefined ? 'nothing' : jsonText(value), max)

/** Returns a value as JSON. A foreign server can nest deeper than JSON.stringify can go. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return '"a value that is nested too deeply"'
  }
}

/** Returns indented JSON without control characters, also in its strings. */
export const jsonFile = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replaceAll(CONTROLS, (found) => (found === '\n' ? found : escaped(found)))}\n`

/** Returns JSON in one line without control characters. */
export const jsonLine = (value: unknown): string => JSON.stringify(value).replaceAll(CONTROLS, escaped)

export { counted, withCommas } from '@suite-sim/kit/text/counted'

/** Returns "74.5 %". Rounds down, so that only a whole is 100 %. */
export const percent = (share: number): string => `${String(Math.floor(share * 1000) / 10)} %`
