/** Measures in alternation, so that other work of the machine affects all sides equally. */

/** Measures each side once per round; returns the figures of each. */
export async function alternate<Name extends string>(
  sides: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const entries = Object.entries<() => Promise<number>>(sides)
  const figures = new Map<string, number[]>(entries.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of entries) figures.get(name)?.push(await measure())
  }
  return Object.fromEntries(figures) as Record<Name, number[]>
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
