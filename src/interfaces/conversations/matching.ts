/** Looks at records some at a time, and lets others have their turn. */
import { Slices } from '../../state/slices.ts'

/** Those that are wanted, in their order. */
export async function matching<Row>(
  batches: Iterable<readonly Row[]>,
  isWanted: (row: Row) => boolean,
): Promise<Row[]> {
  const slices = new Slices()
  const found: Row[] = []
  for (const rows of batches) {
    for (const row of rows) if (isWanted(row)) found.push(row)
    if (slices.isOver) await slices.turn()
  }
  return found
}
