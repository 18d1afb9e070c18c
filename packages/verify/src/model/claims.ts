/**
 * The claims of one interface: the facts of its published document, as docs/FIDELITY.md counts them, and the moves of its
 * state machines. A check finds its claims by a place of the document.
 */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import {
  compare,
  type DocumentedList,
  type OperationRow,
  type OpenApiDocument,
} from '../../../../src/published.ts'
import type { Operation } from './operation.ts'

export type ClaimFidelity = 'documented' | 'assumed' | 'observed'

export interface Claim {
  /** "field Link.amount", "bound GET /payment-links ?per_page maximum 100" */
  readonly key: string
  readonly interface: InterfaceName
  readonly kind: string
  /** The bound, value or default: "maximum 100". */
  readonly detail: string | null
  /** Where the document states it: "GET /payment-links 200.data[].amount". */
  readonly at: readonly string[]
  readonly fidelity: ClaimFidelity
  /** The labelled part that says why it is assumed or observed: itself, or one that contains it. Null if documented. */
  readonly label: { readonly place: string; readonly why: string } | null
}

export class Claims {
  readonly all: readonly Claim[]
  readonly #byPlace = new Map<string, Claim[]>()
  readonly #byKey = new Map<string, Claim>()

  constructor(all: readonly Claim[]) {
    this.all = all
    for (const claim of all) {
      this.#byKey.set(claim.key, claim)
      for (const place of claim.at) {
        const known = this.#byPlace.get(place)
        if (known) known.push(claim)
        else this.#byPlace.set(place, [claim])
      }
    }
  }

  /** Returns the claim of a kind at a place. */
  at(place: string, kind: string, detail?: string): Claim | undefined {
    return this.#byPlace
      .get(place)
      ?.find((claim) => claim.kind === kind && (detail === undefined || claim.detail === detail))
  }

  /** Returns all claims of a place. */
  allAt(place: string): readonly Claim[] {
    return this.#byPlace.get(place) ?? []
  }

  get(key: string): Claim | undefined {
    return this.#byKey.get(key)
  }

  /**
   * Returns the claim that covers a place: that of the field itself, of the nearest field around it, of the response, or
   * of the operation.
   */
  nearest(operation: Operation, status: number, place: string): Claim {
    for (let part = place; part !== ''; part = outerOf(part)) {
      const found = this.at(part, 'field') ?? this.at(part, 'response') ?? this.at(part, 'operation')
      if (found) return found
    }
    const { address } = operation
    const found =
      this.at(`${address} ${String(status)}`, 'status') ??
      this.at(String(status), 'status') ??
      this.at(address, 'operation')
    if (!found) throw new Error(`no claim covers ${place}`)
    return found
  }
}

/** Returns the place around a place: the list of an item, the object of a field, the operation of a response. */
function outerOf(place: string): string {
  if (place.endsWith('[]')) return place.slice(0, -2)
  const end = Math.max(place.lastIndexOf('.'), place.lastIndexOf('['), place.lastIndexOf(' '))
  return end <= 0 ? '' : place.slice(0, end)
}

/** A machine as `GET /_sim/machines` lists it. */
export interface PublishedMachine {
  /** "payments.link" */
  readonly name: string
  readonly moves: readonly { readonly name: string; readonly fidelity: Fidelity }[]
}

interface Fidelity {
  readonly status: string
  readonly why?: string
}

interface Sources {
  readonly name: InterfaceName
  readonly document: OpenApiDocument
  readonly list: DocumentedList
  readonly operations: readonly Operation[]
  readonly machines: readonly PublishedMachine[]
}

export function claimsOf({ name, document, list, operations, machines }: Sources): Claims {
  const rows = operations.map((operation) => rowOf(operation))
  const { facts } = compare(document, list, rows)
  const claims = facts.map(({ kind, place, detail = null, at, label }): Claim => ({
    key: [kind, place, ...(detail === null ? [] : [detail])].join(' '),
    interface: name,
    kind,
    detail,
    at,
    fidelity: label === null ? 'documented' : label.isObserved ? 'observed' : 'assumed',
    label,
  }))
  const moves = machines
    .filter((machine) => machine.name.startsWith(`${name}.`))
    .flatMap((machine) =>
      machine.moves.map((move): Claim => {
        const place = `${machine.name} ${move.name}`
        const isDocumented = move.fidelity.status === 'documented'
        return {
          key: `move ${place}`,
          interface: name,
          kind: 'move',
          detail: null,
          at: [place],
          fidelity: isDocumented ? 'documented' : 'assumed',
          label: isDocumented ? null : { place, why: move.fidelity.why ?? '' },
        }
      }),
    )
  return new Claims([...claims, ...moves])
}

/** Returns the row of an operation as the document states it, because the document was compared with the table. */
const rowOf = ({ interface: name, method, path, published, successes }: Operation): OperationRow => ({
  interface: name,
  method,
  path,
  scopes: (published['x-scope'] ?? []) as readonly string[],
  status: successes[0] ?? 200,
  statusIsAssumed: false,
})

/** Visits a body with the places of the document and the keys that lead to each value. */
export function visitPlaces(
  claims: Claims,
  value: unknown,
  place: string,
  on: (value: unknown, place: string, keys: readonly string[]) => void,
  keys: readonly string[] = [],
): void {
  on(value, place, keys)
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    const own = Array.isArray(value) ? `${place}[]` : `${place}.${name}`
    const isKnown = Array.isArray(value) || claims.allAt(own).length > 0
    visitPlaces(claims, each, isKnown ? own : `${place}.*`, on, [...keys, name])
  }
}
