/** Small components that all pages use. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

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

interface DangerProps {
  /** Asked first: what is lost. */
  readonly question: string
  readonly onConfirmed: () => void
  readonly label?: string
  readonly isBusy?: boolean
  readonly disabled?: boolean
  readonly children: ComponentChildren
}

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
      aria-label={what && `Copy ${what}`}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{message ?? label}</span>
    </button>
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

const DAY = { day: '2-digit', month: 'short' } as const
const LONG_DAY = { ...DAY, year: 'numeric', weekday: 'short' } as const
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

function formatDate(at: string, timeZone: string | undefined, options: Intl.DateTimeFormatOptions): string {
  const key = `${timeZone ?? ''} ${Object.keys(options).join()}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })))
  return format.format(new Date(at))
}

interface InstantProps {
  readonly at: string
  readonly timeZone?: string | undefined
  readonly isLong?: boolean
}

/** An instant in the time zone of the workspace. The title has the exact value. */
export const Instant = ({ at, timeZone, isLong = false }: InstantProps) => (
  <time dateTime={at} title={at}>
    <span class="day">{formatDate(at, timeZone, isLong ? LONG_DAY : DAY)}, </span>
    {formatDate(at, timeZone, TIME)}
  </time>
)

interface FilterProps {
  label: string
  value: string | undefined
  onChange: (value: string) => void
}

/** A filter with a list of options, or all. */
export const Choice = ({
  label,
  value = '',
  options,
  onChange,
  all = 'All',
}: FilterProps & { options: readonly string[]; all?: string | null }) => (
  <label class="filter">
    <span>{label}</span>
    <select
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value)
      }}
    >
      {all !== null && <option value="">{all}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  </label>
)

/** A text filter. It applies 250 ms after the last key. */
export function Search({ label, value = '', onChange, placeholder }: FilterProps & { placeholder?: string }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
    },
    [],
  )
  return (
    <label class="filter">
      <span>{label}</span>
      <input
        type="search"
        defaultValue={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => {
            onChange(currentTarget.value.trim())
          }, 250)
        }}
      />
    </label>
  )
}

/** A list with the opened entry next to it. A phone shows only one of the two. */
export const Split = ({
  list,
  opened,
  close,
}: {
  list: ComponentChildren
  opened: ComponentChildren
  close: string
}) => (
  <div class={opened ? 'split opened' : 'split'}>
    <div class="list">{list}</div>
    {opened && (
      <section class="detail" aria-label="Details">
        <a class="close" href={close}>
          Close
        </a>
        {opened}
      </section>
    )}
  </div>
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
