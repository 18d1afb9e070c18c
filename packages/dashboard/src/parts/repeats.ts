/** Groups repeats in a list, so that hundreds of equal entries take one row and the others stay visible. */

/** How an item repeats others. */
export interface Repeat {
  /** Equal for items that repeat each other. */
  readonly key: string
  /**
   * Where the items of a group are: one after the other; near each other, as polls are; or anywhere, as failures are. A
   * group from anywhere has the place of its newest item, so that the last failure is where it happened.
   */
  readonly reach: 'next' | 'near' | 'any'
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
const REACHES = { next: 1, near: 10, any: Infinity }

interface Group<Item> {
  key: string
  /** The number of groups when it began, by which those near it are found. */
  readonly place: number
  readonly items: Item[]
}

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
 * and moves no row. A group from anywhere has a key of its own, which older and newer items keep.
 */
export function rowsOf<Item>(
  items: readonly Item[],
  { idOf, repeatOf, open, isGrouped }: Grouping<Item>,
): Row<Item>[] {
  const single = (item: Item): Row<Item> => ({ key: idOf(item), item, items: [item], isMember: false })
  if (!isGrouped) return items.map(single)
  // In the order of their places, the oldest first.
  const groups = new Set<Group<Item>>()
  const groupOf = new Map<string, Group<Item>>()
  for (const item of items.toReversed()) {
    const { key, reach } = repeatOf(item)
    const group = groupOf.get(key)
    if (!group || groups.size - group.place > REACHES[reach]) {
      const added = { key: idOf(item), place: groups.size, items: [item] }
      groups.add(added)
      groupOf.set(key, added)
      continue
    }
    group.items.push(item)
    if (reach !== 'any') continue
    group.key = key
    groups.delete(group)
    groups.add(group)
  }
  return [...groups].reverse().flatMap((group): Row<Item>[] => {
    const newest = group.items.at(-1)
    if (newest === undefined) return []
    const members = group.items.toReversed()
    const row = { key: group.key, item: newest, items: members, isMember: false }
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
