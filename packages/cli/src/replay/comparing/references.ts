/**
 * Compares JSON values of two runs, in which records have other ids. It pairs the ids at the same places of both
 * values; later values are equal if they have paired ids at the same places. Plain values must be equal.
 */

export interface ValueDifference {
  /** "data[0].links.self"; empty for the value itself. */
  readonly path: string
  /** undefined if this side has no value here. */
  readonly left: unknown
  readonly right: unknown
}

export interface ReferenceOptions {
  /** `any` accepts two different times at one place; `exact`, the default, does not. */
  readonly times?: 'exact' | 'any'
  /** Names of fields whose integers are ids, such as `account_id`. Each name has its own pairs. */
  readonly numbers?: readonly string[]
  /** The maximum number of differences of one comparison. */
  readonly maxDifferences?: number
}

/** A JSON Web Token, or a maximal run of the characters of ids. */
const TOKEN = /\beyJ[\w-]*\.eyJ[\w-]*\.[\w-]+|[A-Za-z0-9_-]+/g

const JWT = /^(?<header>[\w-]+)\.(?<claims>[\w-]+)\.[\w-]+$/

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
// Signatures are longer, and can begin like a prefix.
const PREFIXED = /^(?<prefix>[a-z]{1,12}_(?:[a-z]{1,12}_)?)(?<rest>[A-Za-z0-9]{12,32})$/
const CUID2 = /^[a-z][a-z0-9]{23}$/

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/
const TIME_NAME = /(?:_at|At|_time|Time|timestamp|^iat|^exp|^nbf)$/

/** Seconds and milliseconds since the epoch, from 2001 on. */
const EARLIEST_SECONDS = 1_000_000_000

const SHORTEST_TOKEN = 16
const FEWEST_CHANGES = 3

/** Lengths above which tokens, such as cursors, can have different lengths. */
const LONG_TOKEN = 24

/** Returns the form of an id or token, such as `uuid` or `pl_20`; null for a word. Only equal forms can be paired. */
export function formOfId(token: string): string | null {
  if (UUID.test(token)) return 'uuid'
  if (JWT.test(token)) return 'jwt'
  const { prefix, rest } = PREFIXED.exec(token)?.groups ?? {}
  if (prefix !== undefined && rest !== undefined && changesOf(rest) >= FEWEST_CHANGES) {
    return `${prefix}${String(rest.length)}`
  }
  if (CUID2.test(token)) return 'cuid2'
  if (token.length < SHORTEST_TOKEN || changesOf(token) < FEWEST_CHANGES) return null
  return token.length > LONG_TOKEN ? 'token' : `token${String(token.length)}`
}

const classOf = (character: string): string =>
  character >= '0' && character <= '9' ? 'digit' : character >= 'a' && character <= 'z' ? 'lower' : 'upper'

/** Counts changes between digits, lower and upper case within parts: many in random texts, few in words. */
function changesOf(token: string): number {
  let changes = 0
  for (const part of token.split(/[_-]/)) {
    for (let index = 2; index < part.length; index++) {
      if (classOf(part.charAt(index)) !== classOf(part.charAt(index - 1))) changes++
    }
  }
  return changes
}

type Pairing = 'equal' | 'paired' | 'new' | 'different'

/** The pairs of one kind of ids: each side has each id at most once. */
class Pairs<Id> {
  readonly #toRight = new Map<Id, Id>()
  readonly #toLeft = new Map<Id, Id>()

  pairing(left: Id, right: Id): Pairing {
    const known = this.#toRight.get(left)
    if (known !== undefined) return known === right ? (left === right ? 'equal' : 'paired') : 'different'
    if (this.#toLeft.has(right)) return 'different'
    return left === right ? 'equal' : 'new'
  }

  add(left: Id, right: Id): void {
    if (this.pairing(left, right) !== 'new') return
    this.#toRight.set(left, right)
    this.#toLeft.set(right, left)
  }

  right(left: Id): Id {
    return this.#toRight.get(left) ?? left
  }
}

type Tokens = Pairs<string>

/** The references of one run to those of another. */
export class References {
  readonly #tokens: Tokens = new Pairs()
  readonly #numbers: ReadonlyMap<string, Pairs<number>>
  readonly #anyTimes: boolean
  readonly #maxDifferences: number

  constructor({ times = 'exact', numbers = [], maxDifferences = 100 }: ReferenceOptions = {}) {
    this.#anyTimes = times === 'any'
    this.#numbers = new Map(numbers.map((name) => [name, new Pairs()]))
    this.#maxDifferences = maxDifferences
  }

  /** Pairs two ids, also of forms that are not recognized. */
  pair(left: string, right: string): void {
    this.#tokens.add(left, right)
  }

  /** Pairs two numbers of fields of a name. */
  pairNumber(name: string, left: number, right: number): void {
    this.#numbers.get(name)?.add(left, right)
  }

  /** Pairs new ids at the same places of both values. Ids that are already paired keep their pair. */
  learn(left: unknown, right: unknown): void {
    this.#walk(left, right, ({ name, left: one, right: other }) => {
      if (typeof one === 'string' && typeof other === 'string') this.#learnText(one, other)
      else if (typeof one === 'number' && typeof other === 'number') this.pairNumber(name, one, other)
      return true
    })
  }

  /** Returns where the values differ, apart from paired ids. An id without a pair differs from all others. */
  differences(left: unknown, right: unknown): ValueDifference[] {
    const found: ValueDifference[] = []
    this.#walk(left, right, ({ name, path, left: one, right: other }) => {
      if (!this.#isEqual(name, one, other)) found.push({ path, left: one, right: other })
      return found.length < this.#maxDifferences
    })
    return found
  }

  /** Pairs new ids, then returns where the values differ. */
  compare(left: unknown, right: unknown): ValueDifference[] {
    this.learn(left, right)
    return this.differences(left, right)
  }

  /** Returns a text of the left run with the ids of the right run. */
  translate(text: string): string {
    const whole = this.#tokens.right(text)
    return whole === text ? text.replaceAll(TOKEN, (token) => this.#tokens.right(token)) : whole
  }

  /** Returns a JSON value of the left run with the ids of the right run. */
  translateValue<Value>(value: Value): Value {
    // The texts of JSON are escaped, but the characters of ids are not.
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) return value
    return JSON.parse(text, (name: string, each: unknown) => {
      if (typeof each === 'string') return this.translate(each)
      if (typeof each === 'number') return this.#numbers.get(name)?.right(each) ?? each
      if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
      return Object.fromEntries(Object.entries(each).map(([key, inner]) => [this.translate(key), inner]))
    }) as Value
  }

  #learnText(left: string, right: string): void {
    if (left === right || (this.#anyTimes && areTimes(left, right))) return
    for (const [one, other] of tokenPairs(left, right)) {
      const form = formOfId(one)
      if (form === 'jwt') this.learn(claimsOf(one), claimsOf(other))
      if (form !== null && form === formOfId(other)) this.#tokens.add(one, other)
    }
  }

  #isEqual(name: string, left: unknown, right: unknown): boolean {
    if (typeof left === 'string' && typeof right === 'string') return this.#areEqualTexts(left, right)
    if (typeof left === 'number' && typeof right === 'number') {
      const pairing = this.#numbers.get(name)?.pairing(left, right)
      if (pairing !== undefined) return pairing === 'equal' || pairing === 'paired'
      return left === right || (this.#anyTimes && TIME_NAME.test(name) && areEpochs(left, right))
    }
    return left === right || (isEmpty(left) && isEmpty(right) && Array.isArray(left) === Array.isArray(right))
  }

  #areEqualTexts(left: string, right: string): boolean {
    if (this.#anyTimes && areTimes(left, right)) return true
    if (!JWT.test(left) && this.#tokens.pairing(left, right) === 'paired') return true
    const pairs = tokenPairs(left, right)
    if (pairs.length === 0) return left === right
    return pairs.every(([one, other]) => {
      const pairing = this.#tokens.pairing(one, other)
      if (pairing !== 'equal' && pairing !== 'paired') return false
      // Signatures differ, but the claims must be equal.
      return !JWT.test(one) || this.differences(claimsOf(one), claimsOf(other)).length === 0
    })
  }

  /** Visits the leaves of two values in their order until `visit` returns false. A stack, because values can be deep. */
  #walk(left: unknown, right: unknown, visit: (leaf: Leaf) => boolean): void {
    const stack: Leaf[] = [{ name: '', path: '', left, right }]
    for (let leaf = stack.pop(); leaf !== undefined; leaf = stack.pop()) {
      const inner = this.#insideOf(leaf)
      if (inner === null) {
        if (!visit(leaf)) return
      } else stack.push(...inner.reverse())
    }
  }

  /** Returns the entries of two lists or two objects; null if these are leaves. */
  #insideOf({ name, path, left, right }: Leaf): Leaf[] | null {
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length + right.length === 0) return null
      return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
        name,
        path: `${path}[${String(index)}]`,
        left: left[index] as unknown,
        right: right[index] as unknown,
      }))
    }
    if (!isObject(left) || !isObject(right) || (isEmpty(left) && isEmpty(right))) return null
    const others = new Set(Object.keys(right).filter((key) => !Object.hasOwn(left, key)))
    const keys = Object.keys(left).map((key) => {
      const partner = Object.hasOwn(right, key) ? key : this.#partnerOf(key, others)
      others.delete(partner)
      return [key, partner] as const
    })
    const both = keys.map(([key, partner]) => ({
      name: key,
      path: joined(path, key),
      left: left[key],
      right: Object.hasOwn(right, partner) ? right[partner] : undefined,
    }))
    const onlyRight = [...others].map((key) => ({
      name: key,
      path: joined(path, key),
      left: undefined,
      right: right[key],
    }))
    return [...both, ...onlyRight]
  }

  /** Returns the property of the right value for an id that is the name of a property. */
  #partnerOf(key: string, others: ReadonlySet<string>): string {
    const known = this.translate(key)
    return known === key || !others.has(known) ? key : known
  }
}

interface Leaf {
  /** The name of the nearest property. */
  readonly name: string
  readonly path: string
  readonly left: unknown
  readonly right: unknown
}

type Properties = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const joined = (path: string, key: string): string =>
  /^[\w-]+$/.test(key) ? (path === '' ? key : `${path}.${key}`) : `${path}[${JSON.stringify(key)}]`

/** Returns the tokens at the same places of two texts; none if the texts around them differ. */
function tokenPairs(left: string, right: string): (readonly [string, string])[] {
  if (left.replaceAll(TOKEN, '0') !== right.replaceAll(TOKEN, '0')) return []
  const others = right.match(TOKEN) ?? []
  return (left.match(TOKEN) ?? []).flatMap((token, index) => {
    const other = others[index]
    return other === undefined ? [] : [[token, other] as const]
  })
}

/** Returns the header and the claims of a JSON Web Token; the text of a part that is no JSON. */
const claimsOf = (token: string): unknown[] =>
  [JWT.exec(token)?.groups?.['header'], JWT.exec(token)?.groups?.['claims']].map((part = '') => {
    const text = Buffer.from(part, 'base64url').toString('utf8')
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text
    }
  })

const areTimes = (left: string, right: string): boolean => INSTANT.test(left) && INSTANT.test(right)

const areEpochs = (left: number, right: number): boolean =>
  left >= EARLIEST_SECONDS && right >= EARLIEST_SECONDS && left < 1e14 && right < 1e14
