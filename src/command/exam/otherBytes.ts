/** Writes JSON as no serializer of a receiver does, without a change of its meaning. */

/**
 * Returns the same JSON with spaces, the keys in reverse, decimals with a trailing zero ("12.50"), and characters beyond
 * ASCII and the first letters of values escaped ("\\u00f1").
 */
export const asOtherBytes = (body: string): string => written(JSON.parse(body), '\n')

function written(value: unknown, indent: string): string {
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number')
    return /^-?\d+\.\d+$/.test(String(value)) ? `${String(value)}0` : String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}   `
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((each: unknown) => written(each, inner))]
    : [
        '{',
        '}',
        Object.entries(value)
          .reverse()
          .map((each) => member(each, inner)),
      ]
  return parts.length === 0
    ? `${open} ${close}`
    : `${open}${inner}${parts.join(` ,${inner}`)}${indent}${close}`
}

const member = ([name, value]: [string, unknown], indent: string): string =>
  `${JSON.stringify(name)} : ${written(value, indent)}`

const escaped = (text: string): string =>
  JSON.stringify(text)
    .replace(/^"[a-z]/i, (start) => `"${escapeOf(start.slice(1))}`)
    .replaceAll(/[\u0080-\uFFFF]/g, escapeOf)

/** Of one UTF-16 code unit: without the flag u, the expression above has one at a time. */
const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
