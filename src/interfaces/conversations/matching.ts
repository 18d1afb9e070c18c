/** Looks at records some at a time, and lets others have their turn. */
import { Slices } from '../../state/slices.ts'
import { filterOf, type Calendar, type Condition, type Keys } from './filters.ts'

/** What `keep` makes of those that are wanted, in their order. */
export async function matching<Row, Kept>(
  batches: Iterable<readonly Row[]>,
  isWanted: (row: Row) => boolean,
  keep: (row: Row) => Kept,
): Promise<Kept[]> {
  const slices = new Slices()
  const found: Kept[] = []
  for (const rows of batches) {
    for (const row of rows) if (isWanted(row)) found.push(keep(row))
    if (slices.isOver) await slices.turn()
  }
  return found
}

interface WithAttributes {
  readonly customAttributes: Readonly<Record<string, unknown>>
}

/** The same of those that meet the conditions; `walk` goes through all there are. */
export async function meeting<Row extends WithAttributes, Kept>(
  walk: () => Iterable<readonly Row[]>,
  conditions: readonly Condition[],
  keys: Keys<Row>,
  calendar: Calendar,
  keep: (row: Row) => Kept,
): Promise<Kept[]> {
  const known = await attributesAmong(walk, conditions, keys)
  const attributesOf = ({ customAttributes }: Row) => customAttributes
  const isWanted = filterOf(conditions, keys, attributesOf, (name) => known.has(name), calendar)
  return matching(walk(), isWanted, keep)
}

/** Of what the conditions name and is no key, the custom attributes that some record has. */
async function attributesAmong<Row extends WithAttributes>(
  walk: () => Iterable<readonly Row[]>,
  conditions: readonly Condition[],
  keys: Keys<Row>,
): Promise<ReadonlySet<string>> {
  const sought = new Set(conditions.map((condition) => condition.attribute_key))
  for (const name of Object.keys(keys)) sought.delete(name)
  const known = new Set<string>()
  const slices = new Slices()
  for (const rows of sought.size === 0 ? [] : walk()) {
    for (const { customAttributes } of rows) {
      for (const name of sought) if (Object.hasOwn(customAttributes, name)) known.add(name)
    }
    if (known.size === sought.size) break
    if (slices.isOver) await slices.turn()
  }
  return known
}
