/**
 * What nobody should find in a journal: credentials and the numbers of cards. Taken out of texts, so that a body that was
 * cut in the middle, or is no JSON at all, gives nothing away either.
 */

export const HIDDEN = '[redacted]'

/** The last words of names, in any spelling: `apiKey`, `api_key`, `X-API-Key`. */
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

/** Whether what stands under a name is a secret. */
export function isSecret(name: string): boolean {
  const plain = name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
  return SECRETS.some((secret) => plain.endsWith(secret))
}

/** Whether a query parameter carries a credential: `api_key`, `access_token`, and a bare `key`. */
export const namesCredential = (name: string): boolean =>
  isSecret(name) || /^(?:key|auth|bearer|pwd)$/i.test(name)

/** A name and a text or a number, as JSON has them; the text may have been cut off. */
const MEMBER = /"([\w-]{1,80})"\s{0,4}:\s{0,4}("(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d+)/g

/** Digits that may be those of a card, in groups or not. */
const CARD = /(?<![\w.-])[2-6](?:[ -]?\d){13,18}(?![\w.])/g

/** Who is named before the host of a URL. */
const USER = /:\/\/[^\s/@"?#]{1,200}@/g

/** A text of JSON, or any other, without secrets. */
export function redacted(text: string): string {
  const withoutSecrets = text.includes('"')
    ? text.replaceAll(MEMBER, (member, name: string, value: string) =>
        isSecret(name) && value !== '""'
          ? `${member.slice(0, member.length - value.length)}"${HIDDEN}"`
          : member,
      )
    : text
  return withoutSecrets.replaceAll(CARD, masked).replaceAll(USER, `://${HIDDEN}@`)
}

/** All but the last four digits of a number that a card may have. */
function masked(found: string): string {
  const digits = found.replaceAll(/\D/g, '')
  return isCardNumber(digits) ? `${'*'.repeat(digits.length - 4)}${digits.slice(-4)}` : found
}

/** By the check digit that ISO/IEC 7812 asks for. */
function isCardNumber(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/** An address whose query holds no secrets, and no key where the control plane names one. */
export function redactedUrl(url: string): string {
  const path = url.replace(/^(\/_sim\/keys\/)[^/?]+/, `$1${HIDDEN}`)
  if (!path.includes('?')) return path
  return path.replaceAll(
    /([?&])([^=&]{1,80})=([^&]*)/g,
    (part, before: string, name: string, value: string) =>
      value !== '' && namesCredential(name) ? `${before}${name}=${HIDDEN}` : redacted(part),
  )
}

/** Headers without credentials; `credential` is the one that carries the key here. */
export function redactedHeaders(
  headers: Readonly<Record<string, unknown>>,
  credential: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return []
      if (name !== credential && !isSecret(name)) return [[name, redacted(textOf(value))]]
      const [, scheme = ''] = /^(Bearer |Basic )/i.exec(textOf(value)) ?? []
      return [[name, scheme + HIDDEN]]
    }),
  )
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))
