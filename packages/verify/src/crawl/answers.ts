/** The answers of a crawl, and what they show of the records: rows, ids, values. */
import type { Exchange, Purpose } from '../exchanges/exchange.ts'
import { listOf, rowsIn, valueAt, type List } from '../model/list.ts'
import type { Operation } from '../model/operation.ts'

/** The fields of a row. */
export type Row = Readonly<Record<string, unknown>>

export interface FoundRow {
  readonly row: Row
  /** The parameters of the path of the list. */
  readonly path: Readonly<Record<string, string>>
}

const idOf = (row: unknown): unknown => (row as Row | null)?.['id']

export class Answers {
  readonly operations: readonly Operation[]
  readonly exchanges: Exchange[] = []
  /** Operations that left a call without an answer. */
  readonly silent = new Set<Operation>()
  readonly #lists: ReadonlyMap<Operation, List>
  readonly #byOperation = new Map<Operation, Exchange[]>()

  constructor(operations: readonly Operation[]) {
    this.operations = operations
    this.#lists = new Map(
      operations.flatMap((operation): [Operation, List][] => {
        const list = listOf(operation)
        return list ? [[operation, list]] : []
      }),
    )
  }

  add(exchange: Exchange): void {
    this.exchanges.push(exchange)
    const { operation } = exchange.probe
    const known = this.#byOperation.get(operation)
    if (known) known.push(exchange)
    else this.#byOperation.set(operation, [exchange])
  }

  listOf(operation: Operation): List | null {
    return this.#lists.get(operation) ?? null
  }

  /** Returns the answers of an operation, of one kind of call or of all. */
  of(operation: Operation, kind?: Purpose['kind']): readonly Exchange[] {
    const all = this.#byOperation.get(operation) ?? []
    return kind === undefined ? all : all.filter(({ probe }) => probe.purpose.kind === kind)
  }

  /** Returns the answers of plain calls that succeeded: one for each set of parameters of the path. */
  plain(operation: Operation): readonly Exchange[] {
    return this.of(operation, 'plain').filter(({ status }) => status >= 200 && status < 300)
  }

  /** Returns the answers of plain calls and of calls for records that succeeded. */
  found(operation: Operation): readonly Exchange[] {
    return [...this.plain(operation), ...this.of(operation, 'record')].filter(
      ({ status }) => status >= 200 && status < 300,
    )
  }

  /** Returns the rows of an answer of a list. */
  rows(exchange: Exchange): readonly unknown[] {
    const list = this.listOf(exchange.probe.operation)
    return (list && rowsIn(list, exchange.body)) ?? []
  }

  /**
   * Returns all rows of the lists of an operation, each once by its id, and whether these are all: of every list that the
   * crawl knows, down to its last row.
   */
  allRows(operation: Operation): { readonly rows: readonly FoundRow[]; readonly isComplete: boolean } {
    const found = new Map<string, FoundRow>()
    const plain = this.plain(operation)
    // Without an answer, it is unknown what the list has. Without a parent, a list of its rows is not called.
    let isComplete =
      !this.silent.has(operation) &&
      plain.length === this.of(operation, 'plain').length &&
      (plain.length > 0 || operation.inPath.length > 0)
    for (const first of plain) {
      const pages = this.of(operation, 'whole').filter(
        ({ probe: { purpose } }) => purpose.kind === 'whole' && purpose.of === first,
      )
      for (const exchange of [first, ...pages]) {
        for (const row of this.rows(exchange)) {
          const key = JSON.stringify([first.probe.path, idOf(row) ?? row])
          found.set(key, { row: row as Row, path: first.probe.path })
        }
      }
      const list = this.listOf(operation)
      const total = list?.totalAt ? valueAt(first.body, list.totalAt) : undefined
      const count = [...found.values()].filter(({ path }) => path === first.probe.path).length
      isComplete &&=
        typeof total === 'number' ? count >= total : this.#endsWith(operation, pages.at(-1) ?? first)
    }
    return { rows: [...found.values()], isComplete }
  }

  /** True if no page follows. */
  #endsWith(operation: Operation, exchange: Exchange): boolean {
    const list = this.listOf(operation)
    if (!list?.position) return true
    if (exchange.status >= 300) return false
    if (list.nextAt) return typeof valueAt(exchange.body, list.nextAt) !== 'string'
    const size = list.size
      ? Number(exchange.probe.query[list.size.name] ?? list.size.schema['default'])
      : null
    return size === null
      ? this.rows(exchange).length === 0 || exchange.probe.purpose.kind === 'plain'
      : this.rows(exchange).length < size
  }

  /** Returns the rows of the plain calls of a list. */
  rowsOf(operation: Operation): readonly { readonly row: unknown; readonly exchange: Exchange }[] {
    return this.plain(operation).flatMap((exchange) => this.rows(exchange).map((row) => ({ row, exchange })))
  }

  /** Returns the same with the rows of all pages. */
  wholeRowsOf(operation: Operation): readonly { readonly row: unknown; readonly exchange: Exchange }[] {
    const whole = this.of(operation, 'whole').filter(({ status }) => status < 300)
    return [...this.plain(operation), ...whole].flatMap((exchange) =>
      this.rows(exchange).map((row) => ({ row, exchange })),
    )
  }
}

/** Returns the answers of some operations. */
export function answersOf(all: Answers, operations: readonly Operation[]): Answers {
  const chosen = new Set(operations)
  return withAnswers(
    all.operations.filter((operation) => chosen.has(operation)),
    all.exchanges.filter(({ probe }) => chosen.has(probe.operation)),
    all.silent,
  )
}

/** Returns the exchanges as answers of the operations. */
export function withAnswers(
  operations: readonly Operation[],
  exchanges: readonly Exchange[],
  silent: Iterable<Operation> = [],
): Answers {
  const answers = new Answers(operations)
  for (const operation of silent) answers.silent.add(operation)
  for (const exchange of exchanges) answers.add(exchange)
  return answers
}
