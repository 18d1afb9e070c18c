/** Small components that all pages use. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isShortcut } from '../shell/shortcuts.ts'
import { formatDate, LONG_DAY, SHORT_DAY, TIME } from './dates.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'info'

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

export const toneOfStatus = (status: number | null): Tone =>
  status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'

export const ErrorMessage = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  )

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

/** Explains that an opened entry no longer exists: it was deleted, or newer ones have replaced it. */
export const Gone = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <>
    <h2>{title}</h2>
    <Empty>{children}</Empty>
  </>
)

interface DangerProps {
  /** Asked first: what is lost. */
  readonly question: string
  readonly onConfirmed: () => void
  readonly label?: string
  readonly isBusy?: boolean
  readonly disabled?: boolean
  readonly children: ComponentChildren
}

/** Says that a list has only the newest items, if it has as many as one call returns. */
export const NewestOnly = ({ count, max }: { count: number; max: number }) =>
  count < max ? null : (
    <p class="empty">
      Only the newest {max.toLocaleString('en-US')} are shown. Use the filters to find older ones.
    </p>
  )

/** A button that deletes something after a confirmation. */
export const Danger = ({ question, onConfirmed, label, isBusy, disabled, children }: DangerProps) => (
  <button
    type="button"
    class="small outline danger"
    aria-label={label}
    aria-busy={isBusy}
    disabled={disabled}
    onClick={() => {
      if (confirm(question)) onConfirmed()
    }}
  >
    {children}
  </button>
)

/** A button that copies text and shows the result briefly. */
export function Copy({
  text,
  label = 'Copy',
  what,
}: {
  text: string | (() => Promise<string>)
  label?: string
  what?: string
}) {
  const [message, setMessage] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
    },
    [],
  )
  const show = (result: string): void => {
    setMessage(result)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setMessage(null)
    }, 1500)
  }
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      show('Copied')
    } catch {
      show('Copy failed')
    }
  }
  return (
    <button
      type="button"
      class="small outline"
      // The name of a button contains its visible text.
      aria-label={what && `${message ?? 'Copy'} ${what}`}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{message ?? label}</span>
    </button>
  )
}

interface InstantProps {
  readonly at: string
  readonly timeZone?: string | undefined
  readonly isLong?: boolean
}

/** An instant in the time zone of the workspace. The title has the exact value. */
export const Instant = ({ at, timeZone, isLong = false }: InstantProps) => (
  <time dateTime={at} title={at}>
    <span class="day">{formatDate(at, timeZone, isLong ? LONG_DAY : SHORT_DAY)}, </span>
    {formatDate(at, timeZone, TIME)}
  </time>
)

/**
 * A list with the opened entry next to it. A phone shows only one of the two; then the focus moves to the entry, because
 * the focused row is hidden. Escape closes the entry.
 */
export function Split({
  list,
  opened,
  close,
}: {
  list: ComponentChildren
  opened: ComponentChildren
  close: string
}) {
  const listElement = useRef<HTMLDivElement>(null)
  const detail = useRef<HTMLElement>(null)
  const isOpen = Boolean(opened)
  // Before the next key, which may be Escape.
  useLayoutEffect(() => {
    if (!isOpen) return
    if (listElement.current?.offsetParent === null) detail.current?.focus()
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && isShortcut(event)) location.hash = close
    }
    addEventListener('keydown', closeOnEscape)
    return () => {
      removeEventListener('keydown', closeOnEscape)
    }
  }, [isOpen, close])
  return (
    <div class={isOpen ? 'split opened' : 'split'}>
      <div class="list" ref={listElement}>
        {list}
      </div>
      {isOpen && (
        <section class="detail" aria-label="Details" ref={detail} tabIndex={-1}>
          <a class="close" href={close}>
            Close
          </a>
          {opened}
        </section>
      )}
    </div>
  )
}

interface TableProps {
  readonly label: string
  /** Whether it has so many rows that cards would be too long. */
  readonly isDense?: boolean
  /** The titles of the columns. A title in an object is hidden, such as the one above buttons. */
  readonly heads: readonly (string | { readonly hidden: string })[]
  readonly rows: readonly {
    readonly key: string
    readonly class?: string | undefined
    readonly cells: readonly ComponentChildren[]
  }[]
}

/** A table; on phones, a list of cards, whose cells have the titles of their columns. */
export const Table = ({ label, isDense = false, heads, rows }: TableProps) => (
  // The roles are explicit, because browsers drop those of tables with another display.
  <table class={isDense ? 'cards dense' : 'cards'} role="table" aria-label={label}>
    <thead role="rowgroup">
      <tr role="row">
        {heads.map((head, index) => (
          <th key={index} role="columnheader" scope="col">
            {typeof head === 'string' ? head : <span class="visually-hidden">{head.hidden}</span>}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map(({ key, cells, class: name }) => (
        <tr key={key} role="row" class={name}>
          {cells.map((cell, index) => {
            const head = heads[index]
            return (
              <td key={index} role="cell" data-label={typeof head === 'string' ? head : undefined}>
                <div>{cell}</div>
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  </table>
)

/** The headers of a message, in their order. */
export const Headers = ({ of }: { of: readonly (readonly [name: string, value: string])[] }) => (
  <Table
    label="Headers"
    heads={['Name', 'Value']}
    rows={of.map(([name, value], index) => ({
      key: String(index),
      cells: [<code>{name}</code>, <code>{value}</code>],
    }))}
  />
)

/** A list of names and values. */
export const Facts = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
