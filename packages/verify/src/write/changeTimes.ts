/** The times of the last change of records: a change that moves that of the simulator must move that of the service. */
import { setTimeout as delay } from 'node:timers/promises'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { parseInstant, UTC } from '@suite-sim/kit/time/instants'
import type { Difference } from '../differential/compare.ts'

const NAME = /^updated_?at$/i

/** Times with milliseconds tell two changes apart that are this far from each other, and others after a second. */
const FINE_MS = 1
const COARSE_MS = 1000

/** Waits before a change, which are longer than the times need. */
const FINE_WAIT_MS = 3
const COARSE_WAIT_MS = 1100

type Fields = Readonly<Record<string, unknown>>

interface Seen {
  readonly simulated: number
  readonly real: number
  readonly at: number
  readonly shown: unknown
}

export class ChangeTimes {
  readonly #last = new Map<string, Seen>()
  /** When the calls that change something were sent. */
  readonly #changes: number[] = []
  /** The wait before the next change; it is long once, after a time in seconds. */
  #waitMs = FINE_WAIT_MS
  #hasWaitedLong = false

  /** Waits until the times can show a change, and records the time of the call. */
  async beforeChange(): Promise<void> {
    this.#hasWaitedLong ||= this.#waitMs === COARSE_WAIT_MS
    await delay(this.#waitMs)
    this.#waitMs = FINE_WAIT_MS
    this.#changes.push(monotonicNow())
  }

  /** Compares a record of both sides with what was seen of it before. */
  compare(simulated: Fields, real: Fields, place: string): Difference | null {
    const name = Object.keys(simulated).find((each) => NAME.test(each))
    if (name === undefined) return null
    const [left, right] = [momentOf(simulated[name]), momentOf(real[name])]
    // Other forms are a difference of their own.
    if (Number.isNaN(left.ms) || Number.isNaN(right.ms) || left.isCoarse !== right.isCoarse) return null
    if (left.isCoarse && !this.#hasWaitedLong) this.#waitMs = COARSE_WAIT_MS
    const key = `${String(simulated['id'])} ${String(real['id'])}`
    const before = this.#last.get(key)
    const isSame = before?.simulated === left.ms && before.real === right.ms
    if (!isSame)
      this.#last.set(key, { simulated: left.ms, real: right.ms, at: monotonicNow(), shown: real[name] })
    if (!before || isSame) return null
    const changed = this.#changes.find((at) => at >= before.at) ?? before.at
    const isApart = changed - before.at >= (right.isCoarse ? COARSE_MS : FINE_MS)
    const mustMove = left.ms > before.simulated && isApart
    if (left.ms < before.simulated || (mustMove ? right.ms > before.real : right.ms >= before.real))
      return null
    const expected = `${mustMove ? 'later than' : 'not before'} ${String(before.shown)}`
    return { place: `${place}.${name}`, expected, actual: real[name] }
  }
}

function momentOf(value: unknown): { ms: number; isCoarse: boolean } {
  if (typeof value === 'number') return { ms: value * 1000, isCoarse: true }
  if (typeof value !== 'string') return { ms: Number.NaN, isCoarse: false }
  return { ms: parseInstant(value, UTC) ?? Number.NaN, isCoarse: !/\.\d{3}/.test(value) }
}
