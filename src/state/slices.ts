/**
 * Long work in slices, so that it lets others have their turn: after each slice the event loop does what else there is
 * to do. What one slice has written is committed before the next of the same work begins. Of several works one has its
 * slice in each turn of the event loop, so that many hold it up no longer than one.
 */
import { monotonicNow } from './clock.ts'

/** Ms that a slice may take before it looks at the time; with what was begun by then, and its commit, 25 at most. */
export const SLICE_MS = 12

/** Those whose slice is over, in the order of their next ones. */
const waiting: (() => void)[] = []

function nextInTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(nextInTurn)
}

/** The slices of one piece of work. */
export class Slices {
  #until = monotonicNow() + SLICE_MS

  /** Whether the work has to let others have their turn. */
  get isOver(): boolean {
    return monotonicNow() >= this.#until
  }

  /** Lets others have their turn; then the next slice begins. */
  async turn(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(nextInTurn)
    })
    this.#until = monotonicNow() + SLICE_MS
  }
}

/** What is made of each, in slices. */
export async function mapInSlices<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Made,
): Promise<Made[]> {
  const slices = new Slices()
  const made: Made[] = []
  for (const item of items) {
    made.push(make(item))
    if (slices.isOver) await slices.turn()
  }
  return made
}

/**
 * Goes through the steps in slices. The first one is done at once: null says that nothing is left of them, which for
 * most work is so, and then nobody has to wait.
 */
export function inSlices(steps: Iterator<unknown>): Promise<void> | null {
  const slices = new Slices()
  return goThrough(steps, slices) ? null : goOn(steps, slices)
}

async function goOn(steps: Iterator<unknown>, slices: Slices): Promise<void> {
  do await slices.turn()
  while (!goThrough(steps, slices))
}

/** True when it has come to the end, false when the slice was over before. */
function goThrough(steps: Iterator<unknown>, slices: Slices): boolean {
  do if (steps.next().done === true) return true
  while (!slices.isOver)
  return false
}
