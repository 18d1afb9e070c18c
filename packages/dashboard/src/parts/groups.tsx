/** The rows of groups, and the filter that turns grouping off. */
import type { ComponentChildren } from 'preact'
import { filter, openAddress, withQuery } from '../route.ts'
import type { Row } from './repeats.ts'
import { Ago } from './times.tsx'

/** The number of items of a group, and the time of the first one. */
export function Count<Item>({
  row: { items, key },
  at,
  open,
}: {
  row: Row<Item>
  at: (item: Item) => string
  open: string | undefined
}) {
  const first = items.at(-1)
  if (items.length < 2 || !first) return null
  return (
    <Repeats count={items.length} first={<Ago at={at(first)} />} isOpen={key === open}>
      <span class="visually-hidden">{key === open ? '; collapse the group' : '; expand the group'}</span>
    </Repeats>
  )
}

interface RepeatsProps {
  readonly count: number
  /** The time of the first one. */
  readonly first: ComponentChildren
  readonly isOpen?: boolean
  readonly children?: ComponentChildren
}

export const Repeats = ({ count, first, isOpen = false, children }: RepeatsProps) => (
  <span class={isOpen ? 'repeats open' : 'repeats'}>
    <strong>{`\u00D7 ${String(count)}`}</strong> <span class="since">first {first}</span>
    {children}
  </span>
)

/** Returns the number of lines of a card: its kind and its title, the reason of a refusal, and the count of a group. */
export const linesOf = (items: readonly unknown[], reason: string | undefined): number =>
  2 + (reason === undefined ? 0 : 1) + (items.length > 1 ? 1 : 0)

/** Returns the address of a row: a group opens to its members, and an item to its details. */
export function rowAddress<Item extends { readonly id: string }>(
  { items, key, item }: Row<Item>,
  open: string | undefined,
): string {
  return items.length > 1 ? withQuery({ group: key === open ? undefined : key }) : openAddress(item.id)
}

/** A checkbox whose value is in the address: `grouped=no`. */
export const GroupFilter = ({ isGrouped }: { isGrouped: boolean }) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isGrouped}
      onChange={({ currentTarget }) => {
        filter({ grouped: currentTarget.checked ? undefined : 'no', group: undefined })
      }}
    />
    Group repeats
  </label>
)

/** The number of hints of a call. The opened call shows them first. */
export const HintMark = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <span class="hintmark" title={hintTitle(count)}>
      <span aria-hidden="true">{`! ${String(count)}`}</span>
      <span class="visually-hidden">{hintTitle(count)}</span>
    </span>
  )

const hintTitle = (count: number): string => (count === 1 ? '1 hint' : `${String(count)} hints`)
