/**
 * Compares answers of two sides, on which the same records have other ids. Ids are paired where a scenario saved them and
 * where equal places have ids of the same form. Times are compared by their form, unless the scenario sent them.
 */
import { parseInstant, UTC } from '@suite-sim/kit/time/instants'
import { differencesOf, isUrl, type Difference } from '../differential/compare.ts'
import { formOf } from '../checks/forms.ts'
import { ChangeTimes } from './changeTimes.ts'

/** Fields whose integers are ids; the group is the kind of the record. */
const ID_NAME = /^(?:id|(\w+?)(?:_id|Id)s?)$/

/** Places with the name or the address of the person of the key. */
const PERSON = /(?:(?:owner|sender|assignee|created_by|started_by)\.(?:name|email)|\.ownerName)$/

/** Texts with letters and digits and without spaces, as ids and tokens have them. */
const TOKEN = /^(?=.*\d)(?=.*[A-Za-z])[\w.~-]{12,400}$/

/** Shorter texts and numbers can be anything, and are not replaced inside other texts. */
const SHORTEST_ID = 6

export class Pairing {
  readonly changeTimes = new ChangeTimes()
  /** Texts of the simulator with those of the service, and the other way around. */
  readonly #real = new Map<string, string>()
  readonly #simulated = new Map<string, string>()
  /** Integers of the simulator by the kind of their records, or by their place. */
  readonly #numbers = new Map<string, number>()
  /** Saved integers of all kinds: a field that is called id does not name its kind. */
  readonly #saved: [simulated: number, real: number][] = []
  readonly #instants = new Set<number>()

  /** Pairs an id of the simulator with one of the service; `kind` is the name of the record, such as "contact". */
  pair(simulated: unknown, real: unknown, kind: string): void {
    if (typeof simulated === 'number' && typeof real === 'number') {
      this.#numbers.set(`${kind} ${String(simulated)}`, real)
      this.#saved.push([simulated, real])
    } else this.#pairTexts(String(simulated), String(real))
  }

  #pairTexts(simulated: string, real: string): void {
    this.#real.set(simulated, real)
    this.#simulated.set(real, simulated)
  }

  /** Records the times of a body, which answers must repeat exactly. */
  sent(body: unknown): void {
    if (typeof body === 'string' && formOf(body)?.kind === 'time_form') this.#instants.add(momentOf(body))
    else if (typeof body === 'object' && body !== null)
      for (const each of Object.values(body)) this.sent(each)
  }

  /**
   * Returns where an answer of the service to an operation differs from that of the simulator, each place once.
   */
  differences(operation: string, simulated: unknown, real: unknown): readonly Difference[] {
    return differencesOf(simulated, real, {
      isSame: (left, right, place, name) => this.#isSame(left, right, `${operation}${place}`, name),
      // Records inside others can change with them in one call, in any order.
      ofRecord: (left, right, place) => this.changeTimes.compare(left, right, place),
    })
  }

  #isSame(left: unknown, right: unknown, place: string, name: string): boolean {
    if (typeof left === 'number' && typeof right === 'number')
      return this.#areIds(left, right, place, name) ?? (left === right || this.#areTimes(left, right))
    if (left === right) return true
    if (typeof left !== 'string' || typeof right !== 'string') return false
    // Hosts differ, and what follows them can be signed.
    if (isUrl(left) && isUrl(right)) return true
    if (this.#areTimes(left, right)) return true
    if (this.#real.has(left)) return this.#real.get(left) === right
    if ((areAlike(left, right) || PERSON.test(place)) && !this.#simulated.has(right)) {
      this.#pairTexts(left, right)
      return true
    }
    return this.#translated(left) === right
  }

  /** Returns null for numbers that are no ids. An id that no step saved must have the same partner at its place. */
  #areIds(left: number, right: number, place: string, name: string): boolean | null {
    const match = ID_NAME.exec(name)
    if (!match) return null
    const kind = match[1]
    if (kind === undefined && this.#saved.some(([one, other]) => one === left && other === right)) return true
    const known =
      this.#numbers.get(`${kind ?? ''} ${String(left)}`) ?? this.#numbers.get(`${place} ${String(left)}`)
    if (known !== undefined) return known === right
    this.#numbers.set(`${place} ${String(left)}`, right)
    return true
  }

  #areTimes(left: string | number, right: string | number): boolean {
    const forms = [formOf(left), formOf(right)]
    if (forms[0]?.kind !== 'time_form' || forms[0].name !== forms[1]?.name) return false
    const instants = [left, right].map((each) => (typeof each === 'number' ? each * 1000 : momentOf(each)))
    return instants[0] === instants[1] || !instants.some((each) => this.#instants.has(each))
  }

  /** Returns a text with the ids of the service. */
  #translated(text: string): string {
    let result = text
    for (const [simulated, real] of this.#real)
      if (simulated.length >= SHORTEST_ID) result = result.replaceAll(simulated, real)
    return result
  }
}

const momentOf = (text: string): number => parseInstant(text, UTC) ?? Number.NaN

/** True for two ids or tokens of the same form. */
function areAlike(left: string, right: string): boolean {
  const [one, other] = [formOf(left), formOf(right)]
  if (one?.kind === 'id_form' || other?.kind === 'id_form') return one?.name === other?.name
  return TOKEN.test(left) && TOKEN.test(right)
}
