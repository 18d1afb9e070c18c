/** The columns of a table of records, and their cells: short ids, formatted money, readable dates. */
import type { Schema } from '@suite-sim/client/calling'
import type { Workspace } from '../server.ts'
import { Badge, Instant } from './common.tsx'

export type Row = Readonly<Record<string, unknown>>
export type Column = Schema<'RecordPage'>['columns'][number]

const FIRST = ['id', 'name', 'title', 'subject', 'description', 'email', 'status', 'state', 'stage']

const MAX_COLUMNS = 6

/** The kinds of the most useful columns, after the first ones. */
const KINDS: readonly Column['kind'][] = ['state', 'cents', 'money', 'instant', 'text', 'number', 'flag']

/** Returns the columns of the table, at most six. JSON and ids of other records are left out. */
export function columnsOf(columns: readonly Column[]): Column[] {
  const hasMoney = columns.some(({ kind }) => kind === 'cents' || kind === 'money')
  const shown = columns.filter(
    ({ name, kind }) =>
      kind !== 'json' && (kind !== 'id' || name === 'id') && !(hasMoney && CURRENCIES.includes(name)),
  )
  const rank = ({ name, kind }: Column): number =>
    FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length + KINDS.indexOf(kind)
  const chosen = shown.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_COLUMNS)
  const isLast = ({ kind }: Column): number => (kind === 'instant' ? 1 : 0)
  return chosen.toSorted((one, other) => isLast(one) - isLast(other))
}

const CURRENCIES = ['currency', 'moneda']

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns an amount with its currency: "USD 489.00". Cents are hundredths. */
export function moneyText(value: unknown, kind: 'cents' | 'money', row: Row): string {
  const amount = Number(value) / (kind === 'cents' ? 100 : 1)
  const currency = CURRENCIES.map((name) => row[name]).find((each) => typeof each === 'string')
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 6 }
  const number = new Intl.NumberFormat('en-US', digits).format(amount)
  return typeof currency === 'string' ? `${currency} ${number}` : number
}

interface CellProps {
  readonly column: Column
  readonly row: Row
  readonly workspace: Workspace
}

export function Cell({ column: { name, kind }, row, workspace }: CellProps) {
  const value = row[name]
  const style = `cell ${kind}`
  if (value === null || value === undefined) return <span class={`${style} none`}>{'\u2013'}</span>
  if (kind === 'state' || name === 'status') {
    return (
      <span class="cell state">
        <Badge>{textOf(value)}</Badge>
      </span>
    )
  }
  if (kind === 'instant' && typeof value === 'string') {
    return (
      <span class={style}>
        <Instant at={value} timeZone={workspace.timezone} />
      </span>
    )
  }
  const isMoney = kind === 'cents' || kind === 'money'
  return (
    <span class={style} title={isMoney ? `${name}: ${textOf(value)}` : textOf(value)}>
      {isMoney ? moneyText(value, kind, row) : textOf(value)}
    </span>
  )
}
