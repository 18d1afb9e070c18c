/** A virtual list: only visible rows are in the page. */
import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

const ROW_HEIGHT = 34

interface RowsProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Returns the address that a row links to. */
  readonly addressOf: (item: Item) => string
  readonly row: (item: Item) => ComponentChildren
  /** The header above the rows. */
  readonly head?: ComponentChildren
  readonly opened?: string | undefined
  /** Whether the row is red. */
  readonly isFailed?: (item: Item) => boolean
  /** Called when the last row becomes visible. */
  readonly onEnd?: (() => void) | undefined
}

export function Rows<Item>({
  label,
  items,
  keyOf,
  addressOf,
  row,
  head,
  opened,
  isFailed,
  onEnd,
}: RowsProps<Item>) {
  const element = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0)
  const options = {
    count: items.length,
    getScrollElement: () => element.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index: number) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 12,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => {
      redraw(undefined)
    },
  }
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, Element>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [])
  useLayoutEffect(() => {
    virtualizer._willUpdate()
  })
  const visible = virtualizer.getVirtualItems()
  const last = visible.at(-1)?.index ?? -1
  useLayoutEffect(() => {
    if (items.length > 0 && last >= items.length - 1) onEnd?.()
  }, [last, items.length])
  const height = virtualizer.getTotalSize()
  return (
    <>
      {head !== undefined && <div class="heads">{head}</div>}
      <div class="rows" ref={element} onKeyDown={moveFocus}>
        <div class="all" role="list" aria-label={label} style={{ height: `${String(height)}px` }}>
          {visible.map(({ index, start, key }) => {
            const item = items[index]
            if (item === undefined) return null
            return (
              <div
                key={key}
                role="listitem"
                aria-setsize={items.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${String(start)}px)` }}
              >
                <a
                  href={addressOf(item)}
                  class={isFailed?.(item) ? 'failed' : undefined}
                  aria-current={keyOf(item) === opened ? 'true' : undefined}
                >
                  {row(item)}
                </a>
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

/** Moves the focus between rows with the arrow keys, j and k. */
function moveFocus(event: KeyboardEvent): void {
  const down = event.key === 'ArrowDown' || event.key === 'j'
  if (!down && event.key !== 'ArrowUp' && event.key !== 'k') return
  const row = (event.target as HTMLElement).closest('[role=listitem]')
  const next = Number(row?.getAttribute('aria-posinset')) + (down ? 1 : -1)
  const list = event.currentTarget as HTMLElement
  const link = list.querySelector<HTMLElement>(`[aria-posinset="${String(next)}"] a`)
  if (!link) return
  event.preventDefault()
  link.focus()
}
