/** The work that the receiver has done for events, as far as the exam can observe it. */
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { CommandError } from '@suite-sim/kit/terminal/problem'
import type { Observation, Observer } from './observers.ts'
import type { ExamEvent } from './samples.ts'
import type { Emitted } from './simulator.ts'

/** How long the exam waits for work, in real ms. */
export interface Pace {
  /** Between two observations. */
  readonly intervalMs: number
  /** Without a change, after which counted work is done. */
  readonly quietMs: number
  /** The same if ids are shown, because the mark then shows that earlier work is done. */
  readonly shortQuietMs: number
  /** What a receiver may take for the work of a delivery that it has accepted. */
  readonly longestWorkMs: number
  /** The same while the exam finds out which events cause work. */
  readonly longestFirstWorkMs: number
}

const USUAL_PACE: Pace = {
  intervalMs: 50,
  quietMs: 250,
  shortQuietMs: 75,
  longestWorkMs: 5000,
  longestFirstWorkMs: 2000,
}

/** What a receiver may take for each of many events, in ms. */
const MS_PER_EVENT = 20

/** What the receiver has done for some events. */
export interface Done {
  /** How often it did the work of all these events together. */
  readonly times: number
  readonly current: readonly string[] | null
}

/** Delivers a normal event, whose work shows that all earlier work is done. */
export type Mark = () => Promise<Emitted | null>

type Deliver = (event: ExamEvent) => Promise<Emitted | null>

export class Work {
  readonly #observer: Observer
  readonly #pace: Pace
  /** The names of the events for which the receiver shows work, if it shows ids. */
  readonly #worked = new Set<string>()
  /** What one event adds to the count; 0 as long as it is unknown. */
  #unit = 0
  #base = 0

  private constructor(observer: Observer, pace: Pace, count: number) {
    this.#observer = observer
    this.#pace = pace
    this.#base = count
  }

  /** Observes for the first time. */
  static async start(observer: Observer, pace = USUAL_PACE): Promise<Work> {
    return new Work(observer, pace, (await observer.observe()).count)
  }

  /**
   * Finds out which accepted events cause work. Returns the event to continue with; null if none causes work that can be
   * seen.
   */
  async chooseEvent(accepted: ReadonlyMap<ExamEvent, Emitted>, deliver: Deliver): Promise<ExamEvent | null> {
    const before = this.#base
    const all = [...accepted.values()]
    const seen = await this.#observeUntil(
      ({ ids, count }) => (ids ? all.every((each) => isIn(ids, each)) : count > before),
      this.#pace.longestFirstWorkMs,
    )
    if (seen.ids) {
      for (const [event, emitted] of accepted) if (isIn(seen.ids, emitted)) this.#worked.add(event.name)
      return [...accepted.keys()].find(({ name }) => this.#worked.has(name)) ?? null
    }
    if (seen.count === before) return null
    await this.#observeUntilQuiet()
    for (const event of accepted.keys()) {
      // The first one may do more than the later ones, such as creating a list.
      if (!(await this.#added(event, deliver))) continue
      this.#unit = Math.max(0, await this.#added(event, deliver))
      if (this.#unit > 0) return event
    }
    return null
  }

  /** Delivers an event and returns what it adds to the count. */
  async #added(event: ExamEvent, deliver: Deliver): Promise<number> {
    const before = this.#base
    await deliver(event)
    await this.#observeUntil(({ count }) => count > before, this.#pace.longestFirstWorkMs)
    await this.#observeUntilQuiet()
    return this.#base - before
  }

  /** Whether the work of an event can be seen. Without ids, only that of the event that `chooseEvent` returned. */
  shows({ name }: ExamEvent): boolean {
    return this.#worked.has(name)
  }

  /**
   * Returns what was done for these events. `expected` is the number of times that is right, so that fewer observations
   * are needed. Returns null if `mark` returns null.
   */
  async of(events: readonly Emitted[], expected: number, mark: Mark): Promise<Done | null> {
    const marked = await mark()
    if (marked === null) return null
    const base = this.#base
    const wanted = new Set(events.flatMap(({ id, delivery }) => [id, delivery]))
    const timesIn = (ids: readonly string[]): number => ids.filter((id) => wanted.has(id)).length
    const observation = await this.#observeUntil(
      ({ ids, count }) =>
        ids ? isIn(ids, marked) && timesIn(ids) >= expected : count >= base + (expected + 1) * this.#unit,
      this.#pace.longestWorkMs + events.length * MS_PER_EVENT,
    )
    // A receiver that works in parallel may still do something twice.
    const { ids, current } =
      observation.ids && expected === 0
        ? observation
        : await this.#observeUntilQuiet(observation.ids ? this.#pace.shortQuietMs : this.#pace.quietMs)
    const times = ids ? timesIn(ids) : Math.round((this.#base - base) / this.#unit) - 1
    return { times, current }
  }

  async #observeUntil(
    condition: (observation: Observation) => boolean,
    longest: number,
  ): Promise<Observation> {
    const start = monotonicNow()
    for (;;) {
      const observation = await this.#observer.observe()
      if (condition(observation) || monotonicNow() - start > longest) return observation
      await pause(this.#pace.intervalMs)
    }
  }

  /** Waits until the count no longer changes, and records it. */
  async #observeUntilQuiet(quietMs = this.#pace.quietMs): Promise<Observation> {
    const start = monotonicNow()
    let observation = await this.#observer.observe()
    let since = start
    while (monotonicNow() - since < quietMs) {
      if (monotonicNow() - start > 10 * this.#pace.longestWorkMs) {
        throw new CommandError('--observe keeps changing although no event is sent')
      }
      await pause(this.#pace.intervalMs)
      const next = await this.#observer.observe()
      if (next.count !== observation.count) since = monotonicNow()
      observation = next
    }
    this.#base = observation.count
    return observation
  }
}

/** A receiver may show the id of the event or that of the delivery. */
const isIn = (ids: readonly string[], { id, delivery }: Emitted): boolean =>
  ids.includes(id) || ids.includes(delivery)
