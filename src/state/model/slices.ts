/**
 * Long tasks in slices. After each slice, the event loop handles other work, and the writes of the slice are
 * committed. One slice of one task runs per turn, so many tasks delay the loop no longer than one.
 */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'

/** Ms after which a slice ends. With its last step and the commit, it takes at most 25. */
export const SLICE_MS = 12

/** Tasks that wait for their next slice, in order. */
const waiting: (() => void)[] = []

function startNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startNext)
}

/** The slices of one task. */
export class Slices {
  #until = monotonicNow() + SLICE_MS

  /** True if the task must yield to others. */
  get isOver(): boolean {
    return monotonicNow() >= this.#until
  }

  /** Yields to other tasks; resolves when the next slice begins. */
  async turn(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(startNext)
    })
    this.#until = monotonicNow() + SLICE_MS
  }
}

/** Maps items in slices. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const slices = new Slices()
  const results: Result[] = []
  for (const item of items) {
    results.push(map(item))
    if (slices.isOver) await slices.turn()
  }
  return results
}

/** Runs steps in slices. The first slice runs immediately; null means that no step is left, as in most cases. */
export function inSlices(steps: Iterator<unknown>): Promise<void> | null {
  const slices = new Slices()
  return runSlice(steps, slices) ? null : runRest(steps, slices)
}

async function runRest(steps: Iterator<unknown>, slices: Slices): Promise<void> {
  do await slices.turn()
  while (!runSlice(steps, slices))
}

/** Returns true after the last step, false if the slice ended before. */
function runSlice(steps: Iterator<unknown>, slices: Slices): boolean {
  do if (steps.next().done === true) return true
  while (!slices.isOver)
  return false
}
