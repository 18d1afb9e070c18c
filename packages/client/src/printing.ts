/** Prints values in messages: JSON values, matchers of test runners, and other values that a test passes by mistake. */

interface Style {
  readonly text: (value: string) => string
  /** The name of a property. */
  readonly name: (name: string) => string
  /** Between the parts of a list or object. */
  readonly space: '' | ' '
}

const NAME = /^[\p{L}_$][\p{L}\d_$]*$/u

/** `{"name":"Ana"}` */
const JSON_STYLE: Style = {
  text: (value) => JSON.stringify(value),
  name: (name) => JSON.stringify(name),
  space: '',
}

const quoted = (text: string): string =>
  `'${text.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`

/** `{ name: 'Ana' }` */
const LITERAL_STYLE: Style = {
  text: quoted,
  name: (name) => (NAME.test(name) ? name : quoted(name)),
  space: ' ',
}

export const jsonText = (value: unknown): string => printed(value, JSON_STYLE)

/** Returns a value as code that a test can contain. */
export const literalText = (value: unknown): string => printed(value, LITERAL_STYLE)

/** Returns the name of a property as code that a test can contain. */
export const nameText = (name: string): string => LITERAL_STYLE.name(name)

export interface Matcher {
  asymmetricMatch(value: unknown): boolean
}

export const isMatcher = (value: unknown): value is Matcher =>
  // A function is none: properties of `expect.any`, without parentheses, throw.
  typeof value === 'object' &&
  value !== null &&
  'asymmetricMatch' in value &&
  typeof value.asymmetricMatch === 'function'

/** Levels of objects and lists that are printed. */
const MAX_DEPTH = 30

function printed(value: unknown, style: Style, above: readonly unknown[] = []): string {
  if (isMatcher(value)) return matcherText(value, style, above)
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'bigint') return `${String(value)}n`
  if (typeof value === 'function') return `the function ${value.name === '' ? 'without a name' : value.name}`
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value)
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? String(value) : `new Date(${style.text(value.toISOString())})`
  }
  if (above.includes(value)) return '[circular]'
  if (above.length === MAX_DEPTH) return '…'
  const inside = [...above, value]
  const { name, space } = style
  if (Array.isArray(value)) {
    return `[${value.map((each) => printed(each, style, inside)).join(`,${space}`)}]`
  }
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${name(key)}:${space}${printed(each, style, inside)}`)
  if (fields.length === 0) return Symbol.iterator in value ? Object.prototype.toString.call(value) : '{}'
  return `{${space}${fields.join(`,${space}`)}${space}}`
}

/** Returns a matcher as it prints itself: "Any<Number>", or with its sample: "StringContaining('Ana')". */
function matcherText(matcher: Matcher, style: Style, above: readonly unknown[]): string {
  const { toAsymmetricMatcher, sample } = matcher as Matcher & {
    readonly toAsymmetricMatcher?: () => string
    readonly sample?: unknown
  }
  try {
    if (typeof toAsymmetricMatcher === 'function') return toAsymmetricMatcher.call(matcher)
    const name = (matcher as { toString(): string }).toString()
    if (name.startsWith('[object')) return 'a matcher'
    return sample === undefined ? name : `${name}(${printed(sample, style, [...above, matcher])})`
  } catch {
    return 'a matcher'
  }
}
