/** Removes credentials and e-mail addresses from what is kept of calls: reports are shared, and the data are real. */
import { HIDDEN, isHidden, redacted } from '@suite-sim/kit/calls/redaction'

/** Texts that must not appear, such as the key. */
export type Secrets = readonly string[]

/** Shorter secrets are no secrets, and replacing them would destroy the report. */
const MIN_SECRET = 4
const MAX_DEPTH = 50

/** Characters of a value that are read: far more than a report shows. */
const MAX_CHARACTERS = 100_000

/** A query parameter inside a text, such as that of a signed URL. */
const PARAMETER = /([?&;])([\w.~%-]{1,80})=([^&\s"'<>#;]{1,4000})/g

/** An e-mail address, also inside a URL. */
const EMAIL = /[\w.+-]{1,64}(?:@|%40)(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}/g

/** Domains reserved for examples and tests (RFC 2606), which write mode uses. */
const RESERVED = /(?:@|%40|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i

/** Bearer tokens, JSON web tokens, and keys that name their kind: "sk_live_...", "sim_...". */
const TOKENS = [
  /(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|pk|rk|whsec|ghp|xoxb|sim|simctl)_\w{20,}/g,
]

/** Returns a text, JSON or not, without secrets. An e-mail address keeps its form: "Xxx.xx@xxx.xx". */
export function redactedText(text: string, secrets: Secrets): string {
  let result = withoutLiterals(redacted(text), secrets)
  for (const pattern of TOKENS) result = result.replaceAll(pattern, HIDDEN)
  return result
    .replaceAll(PARAMETER, (whole, mark: string, name: string) =>
      isHidden(decoded(name)) ? `${mark}${name}=${HIDDEN}` : whole,
    )
    .replaceAll(EMAIL, (address) => (RESERVED.test(address) ? address : maskOf(address)))
}

function withoutLiterals(text: string, secrets: Secrets): string {
  let result = text
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET) continue
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      result = result.replaceAll(form, HIDDEN)
    }
  }
  return result
}

const maskOf = (address: string): string =>
  address
    .split(/(@|%40)/)
    .map((part) =>
      part === '%40' ? part : part.replaceAll(/[a-z]/g, 'x').replaceAll(/[A-Z]/g, 'X').replaceAll(/\d/g, '0'),
    )
    .join('')

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Returns a JSON value without secrets: `name` is the field that has it. Cuts what is long or nested too deeply. */
export const redactedValue = (value: unknown, secrets: Secrets, name = ''): unknown =>
  visit(value, { secrets, left: MAX_CHARACTERS }, isHidden(name), 0)

interface Visit {
  readonly secrets: Secrets
  /** Characters that are still read. No string is cut, because half a secret would not be found. */
  left: number
}

function visit(value: unknown, state: Visit, hides: boolean, depth: number): unknown {
  if (typeof value === 'string') {
    state.left -= value.length
    if (value.length > MAX_CHARACTERS) return `… (${String(value.length)} characters)`
    return hides && value !== '' ? HIDDEN : redactedText(value, state.secrets)
  }
  if (typeof value === 'number') return hides ? HIDDEN : redactedNumber(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return '…'
  const result: [string, unknown][] = []
  for (const [name, each] of Object.entries(value)) {
    state.left -= name.length + 1
    if (state.left < 0) {
      result.push(['…', '…'])
      break
    }
    const isSecretField = hides || (!Array.isArray(value) && isHidden(name))
    result.push([redactedText(name, state.secrets), visit(each, state, isSecretField, depth + 1)])
  }
  return Array.isArray(value) ? result.map(([, each]) => each) : Object.fromEntries(result)
}

/** A card number can be a number. */
function redactedNumber(value: number): unknown {
  const text = String(value)
  return redacted(text) === text ? value : redacted(text)
}
