/** A virtual list: only visible rows are in the page. Rows of a narrow list are cards of several lines. */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type Range,
  type Rect,
} from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { dayOf, dayTitle } from './dates.ts'
import { Ago, useTimes } from './times.tsx'

/** Pixels, as in rows.css. */
const ROW_HEIGHT = 36
const DAY_HEIGHT = 28
const LINE_HEIGHT = 20
const CARD_PADDING = 20
/** The width of a list in pixels under which its rows are cards. */
const CARD_WIDTH = 480
/** The number of rows before the last one at which a list asks for more. */
const AHEAD = 30

interface RowsProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Returns the address that a row links to. */
  readonly addressOf: (item: Item) => string
  readonly row: (item: Item) => ComponentChildren
  /** Returns the time of an item. It is the first column, and days separate the rows. */
  readonly at?: (item: Item) => string
  /** The number of lines of a card, two by default. */
  readonly linesOf?: (item: Item) => number
  /** The header above the rows. */
  readonly head?: ComponentChildren
  readonly opened?: string | undefined
  /** Whether the row is red. */
  readonly isFailed?: (item: Item) => boolean
  /** Called when the last rows come near. */
  readonly onEnd?: (() => void) | undefined
}

/** A row, or the title of a day above one. */
interface Entry<Item> {
  readonly item: Item
  /** The position of the item. */
  readonly index: number
  readonly key: string
  readonly day: string | null
}

export function Rows<Item>(props: RowsProps<Item>) {
  const { label, items, keyOf, addressOf, row, at, linesOf, head, opened, isFailed, onEnd } = props
  const element = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0)
  const [isNarrow, setIsNarrow] = useState(false)
  const { now, timeZone } = useTimes()
  const hasTimes = at !== undefined
  const entries = useMemo(() => entriesOf(items, keyOf, at, timeZone), [items, timeZone, hasTimes])
  // The virtualizer measures all rows again if one of these functions is a new one.
  const measures = useMemo(
    () => ({
      getItemKey: (index: number) => entries[index]?.key ?? index,
      estimateSize: (index: number) => {
        const entry = entries[index]
        if (!entry) return ROW_HEIGHT
        if (entry.day !== null) return DAY_HEIGHT
        return isNarrow ? CARD_PADDING + LINE_HEIGHT * (linesOf?.(entry.item) ?? 2) : ROW_HEIGHT
      },
    }),
    // Rows may have fewer lines while an entry is open.
    [entries, isNarrow, opened === undefined],
  )
  const focused = useRef<string | null>(null)
  /** The row that Tab reaches: the one that had the focus, the opened one, or the first visible one. */
  const current = focused.current ?? opened
  const currentIndex = useMemo(
    () => entries.findIndex(({ key, day }) => day === null && key === current),
    [entries, current],
  )
  const options = {
    count: entries.length,
    getScrollElement: () => element.current,
    ...measures,
    overscan: 12,
    observeElementRect: (list: Virtualizer<HTMLDivElement, Element>, show: (rect: Rect) => void) =>
      observeElementRect(list, (rect) => {
        show(rect)
        // A hidden list has no width.
        if (rect.width > 0) setIsNarrow(rect.width < CARD_WIDTH)
      }),
    observeElementOffset,
    scrollToFn: elementScroll,
    // Keeps the current row in the page, so that scrolling and new rows do not take the focus away.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      return currentIndex < 0 || indexes.includes(currentIndex)
        ? indexes
        : [...indexes, currentIndex].sort((one, other) => one - other)
    },
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
  const height = virtualizer.getTotalSize()
  useAnchor(element, entries, virtualizer)
  const lastVisible = entries[virtualizer.range?.endIndex ?? -1]?.index ?? -1
  useLayoutEffect(() => {
    if (items.length > 0 && lastVisible >= items.length - AHEAD) onEnd?.()
  }, [lastVisible, items.length])

  const wanted = useRef<string | null>(null)
  const focusLink = (key: string): boolean => {
    const index = entries.findIndex((entry) => entry.day === null && entry.key === key)
    const position = String((entries[index]?.index ?? -1) + 1)
    const link = element.current?.querySelector<HTMLElement>(`[aria-posinset="${position}"] a`)
    link?.focus({ preventScroll: true })
    return link !== null && link !== undefined
  }
  useLayoutEffect(() => {
    if (wanted.current !== null && focusLink(wanted.current)) wanted.current = null
  })
  /** Scrolls to a row and moves the focus there, after it is in the page. */
  const focusRow = (index: number): void => {
    const at = entries.findIndex((entry) => entry.day === null && entry.index === index)
    const entry = entries[at]
    if (!entry) return
    focused.current = wanted.current = entry.key
    if (index === 0) virtualizer.scrollToOffset(0)
    else virtualizer.scrollToIndex(at, { align: 'auto' })
    redraw(undefined)
  }
  // A closed entry gives the focus back to its row, unless something else has it.
  const before = useRef(opened)
  useLayoutEffect(() => {
    const closed = before.current
    before.current = opened
    const active = document.activeElement
    if (opened !== undefined || closed === undefined || (active !== null && active !== document.body)) return
    const entry = entries.find(({ key, day }) => day === null && key === closed)
    if (entry) focusRow(entry.index)
  }, [opened])

  const shown = visible.flatMap(({ index, start, size }) => {
    const entry = entries[index]
    const style = { transform: `translateY(${String(start)}px)`, height: `${String(size)}px` }
    return entry ? [{ ...entry, style, isCurrent: index === currentIndex }] : []
  })
  const rows = shown.filter(({ day }) => day === null)
  const reachable = rows.find(({ isCurrent }) => isCurrent) ?? rows[0]
  return (
    <>
      {head !== undefined && !isNarrow && <div class="heads">{head}</div>}
      <div
        class={isNarrow ? 'rows cards' : 'rows'}
        ref={element}
        onKeyDown={(event) => {
          const page = Math.max(1, Math.floor((virtualizer.scrollRect?.height ?? 0) / ROW_HEIGHT) - 1)
          const index = targetOf(event, page, items.length)
          if (index === null) return
          event.preventDefault()
          focusRow(index)
        }}
        onFocusIn={({ target }) => {
          const position = (target as HTMLElement).closest('[role=listitem]')?.getAttribute('aria-posinset')
          const item = items[Number(position) - 1]
          if (item === undefined || focused.current === keyOf(item)) return
          focused.current = keyOf(item)
          redraw(undefined)
        }}
      >
        <div class="all" style={{ height: `${String(height)}px` }}>
          {/* For the eye only: each row names its day. */}
          <div aria-hidden="true">
            {shown.map(
              ({ day, key, style }) =>
                day !== null && (
                  <div key={key} class="daybreak" style={style}>
                    {dayTitle(day, now, timeZone)}
                  </div>
                ),
            )}
          </div>
          <div class="all" role="list" aria-label={label} style={{ height: `${String(height)}px` }}>
            {rows.map(({ item, index, key, style }) => (
              <div
                key={key}
                role="listitem"
                aria-setsize={items.length}
                aria-posinset={index + 1}
                style={style}
              >
                <a
                  href={addressOf(item)}
                  class={isFailed?.(item) ? 'failed' : undefined}
                  tabIndex={key === reachable?.key ? 0 : -1}
                  aria-current={key === opened ? 'true' : undefined}
                >
                  {at && (
                    <span class="when">
                      <Ago at={at(item)} hasDay />
                    </span>
                  )}{' '}
                  {row(item)}
                </a>
              </div>
            ))}
          </div>
        </div>
      </div>
    </>
  )
}

/** Returns the rows, with a title above the first one of each day. */
function entriesOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  at: ((item: Item) => string) | undefined,
  timeZone: string,
): Entry<Item>[] {
  const entries: Entry<Item>[] = []
  let current: string | undefined
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    const day = at ? dayOf(at(item), timeZone) : undefined
    if (day !== undefined && day !== current) entries.push({ item, index, key: `day of ${key}`, day })
    current = day
    entries.push({ item, index, key, day: null })
  }
  return entries
}

/** Keeps the visible rows in their place when new ones appear above, unless the list is at its start. */
function useAnchor<Item>(
  element: { readonly current: HTMLDivElement | null },
  entries: readonly Entry<Item>[],
  virtualizer: Virtualizer<HTMLDivElement, Element>,
): void {
  const anchor = useRef<{ key: string; start: number } | null>(null)
  const known = useRef(entries)
  useLayoutEffect(() => {
    const list = element.current
    if (!list) return
    if (known.current !== entries) {
      known.current = entries
      const { key = '', start = 0 } = anchor.current ?? {}
      const index = list.scrollTop > 0 ? entries.findIndex((entry) => entry.key === key) : -1
      const now = virtualizer.measurementsCache[index]
      if (now && now.start !== start) list.scrollTop += now.start - start
    }
    const first = virtualizer
      .getVirtualItems()
      .find(({ index, end }) => end > list.scrollTop && entries[index]?.day === null)
    anchor.current = first ? { key: String(first.key), start: first.start } : null
  })
}

/** Returns the row that a key leads to; null for other keys. */
function targetOf(event: KeyboardEvent, page: number, count: number): number | null {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const row = (target as HTMLElement).closest('[role=listitem]')
  const index = Number(row?.getAttribute('aria-posinset')) - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: -count,
    End: count,
  }
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  return step === undefined ? null : Math.max(0, Math.min(count - 1, index + step))
}
