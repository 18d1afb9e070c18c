/** Groups repeats in a list, so that hundreds of equal entries take one row and the others stay visible. */

/** How an item repeats others. */
export interface Repeat {
  /** Equal for items that repeat each other. */
  readonly key: string
  /** Whether other rows may be between the items, as between polls or retries. */
  readonly isNear: boolean
}

export interface Row<Item> {
  /** Does not change when newer items join the row. */
  readonly key: string
  /** The newest item. */
  readonly item: Item
  /** Newest first. A row with several items is a group. */
  readonly items: readonly Item[]
  /** Whether the row is a member of an open group. */
  readonly isMember: boolean
}

/** The maximum number of rows above a group that a new item may skip to join it. */
const REACH = 10

interface Grouping<Item> {
  readonly idOf: (item: Item) => string
  readonly repeatOf: (item: Item) => Repeat
  /** The key of the group whose members have rows of their own. */
  readonly open: string | undefined
  /** False makes a row of every item. */
  readonly isGrouped: boolean
}

/**
 * Groups items, newest first. A group has the place and the key of its oldest item, so that a new item changes its count
 * and moves no row.
 */
export function rowsOf<Item>(
  items: readonly Item[],
  { idOf, repeatOf, open, isGrouped }: Grouping<Item>,
): Row<Item>[] {
  const single = (item: Item): Row<Item> => ({ key: idOf(item), item, items: [item], isMember: false })
  if (!isGrouped) return items.map(single)
  const groups: Item[][] = []
  const places = new Map<string, number>()
  for (const item of items.toReversed()) {
    const { key, isNear } = repeatOf(item)
    const place = places.get(key)
    const group = place === undefined ? undefined : groups[place]
    if (group && place !== undefined && groups.length - place <= (isNear ? REACH : 1)) group.push(item)
    else places.set(key, groups.push([item]) - 1)
  }
  return groups.toReversed().flatMap((group): Row<Item>[] => {
    const [oldest] = group
    const newest = group.at(-1)
    if (oldest === undefined || newest === undefined) return []
    const members = group.toReversed()
    const row = { key: idOf(oldest), item: newest, items: members, isMember: false }
    if (members.length === 1 || row.key !== open) return [row]
    return [
      row,
      ...members.map((item) => ({
        ...single(item),
        key: `${idOf(item)} in ${row.key}`,
        isMember: true,
      })),
    ]
  })
}

/** Returns the key of the row that shows an item: its own one, or that of its group. */
export function keyOfRow<Item>(
  rows: readonly Row<Item>[],
  isItem: (item: Item) => boolean,
): string | undefined {
  const showing = rows.filter(({ items }) => items.some(isItem))
  return (showing.find(({ isMember }) => isMember) ?? showing[0])?.key
}
