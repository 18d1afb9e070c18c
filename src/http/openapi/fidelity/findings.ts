/** Facts that were found in a document, and sentences about those that do not match the list. */
import type { JsonObject } from '../components.ts'

/** A label of something assumed, or observed on the real service. */
export interface Label {
  /** The labelled part: the fact itself, or a part that contains it. */
  readonly place: string
  readonly why: string
  readonly isObserved?: true
}

/** Returns the label of a part of a document; null if it is published as documented. */
export function labelIn(place: string, words: JsonObject): Label | null {
  const fidelity = words['x-fidelity']
  if (fidelity !== 'assumed' && fidelity !== 'observed') return null
  const why = String(words['x-fidelity-why'])
  return fidelity === 'observed' ? { place, why, isObserved: true } : { place, why }
}

export const KINDS = [
  'operation',
  'request',
  'response',
  'field',
  'bound',
  'value',
  'default',
  'parameter',
  'status',
  'scope',
  'event',
] as const
export type Kind = (typeof KINDS)[number]

/** One fact of a published document. */
export interface Fact {
  readonly kind: Kind
  /** "Product.name", "GET /products ?limit" */
  readonly place: string
  /** The places in the document that state it: "GET /products 200.data[].name". */
  readonly at: readonly string[]
  /** The bound, value or default: "maxLength 200". */
  readonly detail?: string
  readonly isDocumented: boolean
  /** Its label, or that of the part that it belongs to; null if it is published as documented. */
  readonly label: Label | null
}

export interface Comparison {
  /** Each fact once. */
  readonly facts: readonly Fact[]
  /** Sentences about facts and labels that contradict the list. */
  readonly failures: readonly string[]
}

export const UNLABELLED = 'is neither documented nor labelled'
const CONTRADICTED = 'is documented but labelled as assumed'
const MISSING = 'is documented but not published'

/** A fact at one place of the document; by default at `place`. */
type FoundFact = Omit<Fact, 'at'> & { readonly at?: string }

/** Collects facts, each once, and failures. */
export class Findings {
  readonly #facts = new Map<string, Fact>()
  readonly #failures = new Set<string>()
  /** The places of parts that have neither a label nor a place in the list. */
  readonly #unlabelled = new Set<string>()

  add(found: FoundFact): void {
    const { kind, place, at = place, detail, isDocumented, label } = found
    const key = nameOf(kind, place, detail)
    if (!isDocumented && !label) this.#failUnlabelled(found, key)
    if (isDocumented && label) this.fail(`${key} ${CONTRADICTED}: ${label.why}`)
    const known = this.#facts.get(key)
    const places = known?.at.includes(at) ? known.at : [...(known?.at ?? []), at]
    this.#facts.set(key, { ...(known?.label ? known : found), at: places })
  }

  /** Reports only the outermost part, because its label would cover the others. */
  #failUnlabelled({ kind, place }: FoundFact, key: string): void {
    for (const outer of this.#unlabelled) if (isWithin(place, outer)) return
    if (HAS_PARTS.has(kind)) this.#unlabelled.add(place)
    this.fail(`${key} ${UNLABELLED}`)
  }

  missing(kind: Kind, place: string, detail?: string): void {
    this.fail(`${nameOf(kind, place, detail)} ${MISSING}`)
  }

  fail(sentence: string): void {
    this.#failures.add(sentence)
  }

  get found(): Comparison {
    return { facts: [...this.#facts.values()], failures: [...this.#failures] }
  }
}

/** Kinds whose label covers other facts. */
const HAS_PARTS: ReadonlySet<Kind> = new Set(['request', 'response', 'field', 'parameter', 'event'])

const isWithin = (place: string, outer: string): boolean =>
  place === outer || (place.startsWith(outer) && /[.[]/.test(place.charAt(outer.length)))

const nameOf = (kind: Kind, place: string, detail?: string): string =>
  [kind, place, ...(detail === undefined ? [] : [detail])].join(' ')
