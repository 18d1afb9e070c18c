/**
 * Redacts credentials and card numbers in the request journal, the unmatched calls and the log. Works on text, so that truncated bodies and
 * bodies that are no JSON are safe, too.
 */

export const HIDDEN = '[redacted]'

/** Suffixes of secret names, in any spelling: `apiKey`, `api_key`, `X-API-Key`. */
const SECRETS = [
  'password',
  'passwd',
  'secret',
  'token',
  'apikey',
  'accesskey',
  'privatekey',
  'secretkey',
  'authkey',
  'appkey',
  'authorization',
  'credential',
  'cookie',
  'cvc',
  'cvv',
  'cvc2',
  'cvv2',
  'securitycode',
  'cardnumber',
] as const

/** Returns an expression for a name that ends in a secret one, with separators anywhere: `api_key`, `pass-word`. */
const secretWith = (separator: string): string =>
  `(?:${SECRETS.map((secret) => secret.replaceAll(/\B/g, `${separator}*`)).join('|')})${separator}*`

const SECRET = new RegExp(`$(?<=${secretWith('[^a-z0-9]')})`, 'i')

/** Checks whether the value of a name is secret. */
export const isSecret = (name: string): boolean => SECRET.test(name)

/** Names that end in a word for a credential; a header such as Idempotency-Key has none. */
const CREDENTIAL = /(?:^|[^a-z])(?:key|auth|bearer|pwd|jwt)$/i
const NO_CREDENTIAL = /(?:idempotency|websocket)[^a-z]?key$/i

/** Checks whether a header or a query parameter is a credential: `api_key`, `X-Custom-Key`, or `auth` alone. */
export const isCredentialName = (name: string): boolean =>
  isSecret(name) || (CREDENTIAL.test(name) && !NO_CREDENTIAL.test(name))

/** Names of values that stand for a credential. */
const PROOF = /(?:^|[^a-z])(?:sig|signature|session|session[^a-z]?id|sid)$/i

/** Checks whether the value of a header or a query parameter is redacted. */
export const isHidden = (name: string): boolean => isCredentialName(name) || PROOF.test(name)

/** The value of a JSON member, a string or a number; the string may be truncated. */
const VALUE = String.raw`(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d+)`
const MEMBER = new RegExp(String.raw`"([\w-]{1,80})"\s{0,4}:\s{0,4}(?!"")(${VALUE})`, 'g')
const SECRET_MEMBER = new RegExp(
  String.raw`("[\w-]{1,80}(?<=${secretWith('[_-]')})"\s{0,4}:\s{0,4})(?!"")${VALUE}`,
  'gi',
)

/** Digits of a possible card number, grouped or not. */
const CARD = /(?<![\w.-])[2-6](?:[ -]?\d){13,18}(?![\w.])/g

/** User info before the host of a URL. */
export const USER = /:\/\/[^\s/@"?#]{1,200}@/g

/** Returns a text, JSON or not, without secrets. */
export const redacted = (text: string): string =>
  text.replaceAll(SECRET_MEMBER, `$1"${HIDDEN}"`).replaceAll(CARD, masked).replaceAll(USER, `://${HIDDEN}@`)

/** Replaces values of JSON members in a text. `valueOf` gets and returns JSON, with the quotes of a string. */
export const replaceMembers = (text: string, valueOf: (name: string, value: string) => string): string =>
  text.replaceAll(
    MEMBER,
    (member, name: string, value: string) =>
      member.slice(0, member.length - value.length) + valueOf(name, value),
  )

/** Masks all but the last four digits of a card number. */
function masked(found: string): string {
  const digits = found.replaceAll(/\D/g, '')
  return isCardNumber(digits) ? `${'*'.repeat(digits.length - 4)}${digits.slice(-4)}` : found
}

/** Checks the check digit (Luhn, ISO/IEC 7812). */
function isCardNumber(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/** A key or control token that a server has made, also a truncated one. */
export const KEY = /\bsim(?:ctl)?_\w{20,}/g

/** Returns a URL without secrets in its query and without a key in its path. */
export function redactedUrl(url: string): string {
  const start = url.indexOf('?')
  const path = (start < 0 ? url : url.slice(0, start))
    .replace(/^(\/_sim\/(?:workspaces\/[^/]+\/)?keys\/)[^/]+/, `$1${HIDDEN}`)
    .replaceAll(KEY, HIDDEN)
  if (start < 0) return path
  const query = url
    .slice(start + 1)
    .split('&')
    .map((pair) => {
      const end = pair.indexOf('=')
      const isEmpty = end < 0 || end === pair.length - 1
      return !isEmpty && isHidden(decoded(pair.slice(0, end)))
        ? pair.slice(0, end + 1) + HIDDEN
        : redacted(pair).replaceAll(KEY, HIDDEN)
    })
  return `${path}?${query.join('&')}`
}

/** Returns a part of a query without its percent encoding. */
export function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Returns headers without credentials; `credential` is the header of the key. */
export function redactedHeaders(
  headers: Readonly<Record<string, unknown>>,
  credential: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return []
      // A referrer or a location is a URL.
      if (name !== credential && !isHidden(name)) return [[name, redacted(redactedUrl(textOf(value)))]]
      const [, scheme = ''] = /^(Bearer |Basic )/i.exec(textOf(value)) ?? []
      return [[name, scheme + HIDDEN]]
    }),
  )
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))
