/**
 * Replaces the credentials in recordings. A credential gets the same replacement everywhere in a recording, so that a
 * replay can send and compare the replacements. A replacement is never replaced again.
 */
import { createHash } from 'node:crypto'
import { isTestCard } from './testCards.ts'
import { decoded, isSecret, KEY, replaceMembers, USER } from './redaction.ts'

const REPLACEMENT = /^redacted_[0-9a-f]{24}$/

/** Tokens are references to records, such as that of an invitation, which later calls contain. */
const isCredential = (name: string): boolean => isSecret(name) && !/token$/i.test(name)

/** Names of the data of a card. */
const CARD_DATA = /(?:card[^a-z]?number|cvc2?|cvv2?|security[^a-z]?code)$/i

/** Shorter keys, which only a test chooses, occur in ordinary words. */
const SHORTEST_KEY = 12

/** Hides the credentials in the texts of one recording. */
export class CredentialHider {
  readonly #recording: string
  readonly #keys: ChosenKeys | null

  /** `keys` are the keys of the workspace: the same list until they change. */
  constructor(recording: string, keys: readonly string[] = []) {
    this.#recording = recording
    this.#keys = keys.length === 0 ? null : chosenIn(keys)
  }

  /** Returns a text of JSON, or one that looks like it. */
  json(text: string): string {
    return replaceMembers(this.text(text), (name, value) => {
      if (!isCredential(name) || (CARD_DATA.test(name) && isTestCard(value.slice(1, -1)))) return value
      if (!value.startsWith('"')) return '0'
      // The text of a body that is cut off has no second quote.
      const isWhole = value.endsWith('"')
      return `"${this.#replacementOf(value.slice(1, isWhole ? -1 : undefined))}${isWhole ? '"' : ''}`
    })
  }

  /** Returns another text: without keys, and without user names and passwords in URLs. */
  text(text: string): string {
    const withoutKeys = this.#withoutKeys(text)
    const result = this.#keys?.replaceIn(withoutKeys, (key) => this.#replacementOf(key)) ?? withoutKeys
    return this.#withoutUsers(result)
  }

  /** Returns the value of a field with this name. */
  field(name: string, value: unknown): unknown {
    return typeof value === 'string' && value !== '' && isCredential(name)
      ? this.#replacementOf(value)
      : value
  }

  /** Returns a URL or its path. Chosen keys stay in the path, whose words they can be. */
  url(url: string): string {
    const start = url.indexOf('?')
    const path = this.#withoutKeys(start < 0 ? url : url.slice(0, start))
    const place = this.#withoutUsers(path)
    return start < 0 ? place : `${place}?${this.form(url.slice(start + 1))}`
  }

  /** Returns a query or the text of a form. A form with a test card keeps the data of that card. */
  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const [name = ''] = pair.split('=', 1)
      const value = pair.length > name.length ? pair.slice(name.length + 1) : null
      return { pair, name, field: textOf(name), value: value === null ? null : textOf(value) }
    })
    const hasTestCard = pairs.some(({ field, value }) => CARD_DATA.test(field) && isTestCard(value ?? ''))
    return pairs
      .map(({ pair, name, field, value }) => {
        if (value === null) return this.text(pair)
        const isKept = hasTestCard && CARD_DATA.test(field)
        const hidden = isKept ? value : String(this.field(field, this.text(value)))
        return hidden === value ? pair : `${name}=${encodeURIComponent(hidden)}`
      })
      .join('&')
  }

  #withoutKeys(text: string): string {
    return text.replaceAll(KEY, (key) => this.#replacementOf(key))
  }

  #withoutUsers(text: string): string {
    return text.replaceAll(USER, (found) => `://${this.#replacementOf(found.slice(3, -1))}@`)
  }

  #replacementOf(credential: string): string {
    if (REPLACEMENT.test(credential)) return credential
    const digest = createHash('sha256').update(`${this.#recording}\n${credential}`).digest('hex')
    return `redacted_${digest.slice(0, 24)}`
  }
}

const textOf = (encoded: string): string => decoded(encoded.replaceAll('+', ' '))

/** The keys that users have chosen. Many keys take as long as one: the text is read once. */
class ChosenKeys {
  readonly #keys: ReadonlySet<string>
  /** The lengths of the keys by their first characters, the longest first. */
  readonly #lengths = new Map<string, number[]>()
  readonly #first = new Set<number>()

  constructor(keys: readonly string[]) {
    this.#keys = new Set(keys.filter((key) => key.length >= SHORTEST_KEY && key.replaceAll(KEY, '') !== ''))
    for (const key of this.#keys) {
      const start = key.slice(0, SHORTEST_KEY)
      const lengths = this.#lengths.get(start) ?? []
      if (!lengths.includes(key.length)) lengths.push(key.length)
      this.#lengths.set(
        start,
        lengths.toSorted((one, other) => other - one),
      )
      this.#first.add(key.charCodeAt(0))
    }
  }

  replaceIn(text: string, replacementOf: (key: string) => string): string {
    if (this.#keys.size === 0) return text
    let result = ''
    let done = 0
    for (let at = 0; at <= text.length - SHORTEST_KEY; at++) {
      const key = this.#first.has(text.charCodeAt(at)) ? this.#keyAt(text, at) : undefined
      if (key === undefined) continue
      result += text.slice(done, at) + replacementOf(key)
      done = at + key.length
      at = done - 1
    }
    return result + text.slice(done)
  }

  #keyAt(text: string, at: number): string | undefined {
    const lengths = this.#lengths.get(text.slice(at, at + SHORTEST_KEY)) ?? []
    const key = lengths
      .map((length) => text.slice(at, at + length))
      .find((candidate) => this.#keys.has(candidate))
    return key !== undefined && !isMemberName(text, at, at + key.length) ? key : undefined
  }
}

/** True for the name of a JSON member, which can be the word that is a key. */
const isMemberName = (text: string, start: number, end: number): boolean =>
  text[start - 1] === '"' && /^"\s{0,4}:/.test(text.slice(end, end + 6))

const chosenKeys = new WeakMap<readonly string[], ChosenKeys>()

/** Returns the chosen keys of a list, found once. */
function chosenIn(keys: readonly string[]): ChosenKeys {
  const known = chosenKeys.get(keys)
  if (known) return known
  const found = new ChosenKeys(keys)
  chosenKeys.set(keys, found)
  return found
}
