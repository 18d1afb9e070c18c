/**
 * What remembered answers rest on: the tables that were read to make them, each with a number that changes whenever
 * something is written to it. An answer is as good as new for as long as the numbers are what they were.
 *
 * Which tables a statement reads or writes is taken from its text (`sqlite/watching.ts`). Taking too many is safe, for then
 * an answer is made anew too often; taking too few would leave one standing that is no longer true.
 */

/** A table, or one that a text may mean. */
export interface Table {
  readonly name: string
  /** Only ever grows. */
  version: number
}

/** The tables that something was made of, and the sum of their versions then, which tells when any has grown. */
export interface Basis {
  readonly tables: readonly Table[]
  readonly sum: number
}

export interface Observed<T> {
  readonly value: T
  readonly basis: Basis
}

/** A reading that is going on; what is read meanwhile counts for those around it as well. */
interface Reading {
  readonly tables: Table[]
  sum: number
  readonly outer: Reading | null
}

/** The tables of a connection and how they refer to each other; `delete` and `update` are what follows from those. */
export interface Schema {
  readonly tables: readonly string[]
  readonly references: readonly {
    readonly child: string
    readonly parent: string
    readonly delete: string
    readonly update: string
  }[]
  /** Whether a statement may touch what it does not name: by a trigger, through a view, by a rule about conflicts. */
  readonly changesUnnamed: boolean
}

export class Versions {
  readonly #readSchema: () => Schema
  /** Stands for all tables, for whoever reads one does not know which; written to with any of them. */
  readonly #anything: Table = { name: '*', version: 0 }
  readonly #tables = new Map<string, Table>()
  #schema: Schema | null = null
  #reading: Reading | null = null

  /** `readSchema` is called when it is first needed, and again after `schemaChanged`. */
  constructor(readSchema: () => Schema) {
    this.#readSchema = readSchema
  }

  /** The table with this name, whether there is one or not. */
  table(name: string): Table {
    const key = name.toLowerCase()
    let table = this.#tables.get(key)
    if (!table) this.#tables.set(key, (table = { name: key, version: 0 }))
    return table
  }

  /** Runs `read` and tells what its value rests on: what it reads, and the tables in `beside`. */
  observe<T>(read: () => T, beside: readonly Table[] = []): Observed<T> {
    const reading: Reading = { tables: [], sum: 0, outer: this.#reading }
    this.#reading = reading
    try {
      this.note(beside)
      const value = read()
      return { value, basis: { tables: reading.tables, sum: reading.sum } }
    } finally {
      this.#reading = reading.outer
    }
  }

  /** Whether all that it rests on is as it was. A reading that is going on then rests on the same. */
  holds({ tables, sum }: Basis): boolean {
    let rest = sum
    for (const table of tables) rest -= table.version
    if (rest !== 0) return false
    this.note(tables)
    return true
  }

  get isReading(): boolean {
    return this.#reading !== null
  }

  /** To be called before these tables are read. */
  note(tables: readonly Table[]): void {
    for (let reading = this.#reading; reading !== null; reading = reading.outer) {
      for (const table of tables) {
        if (reading.tables.includes(table)) continue
        reading.tables.push(table)
        reading.sum += table.version
      }
    }
  }

  /** To be called when these tables change, or may. */
  changed(tables: readonly Table[]): void {
    for (const table of tables) table.version++
  }

  /** The same for every table: after writes were undone, or when nobody knows what was written. */
  allChanged(): void {
    this.#anything.version++
    for (const table of this.#tables.values()) table.version++
  }

  /** To be called when there may be other tables than before. */
  schemaChanged(): void {
    this.#schema = null
    this.allChanged()
  }

  /** The tables that a statement reads; any, where it names none, as `SELECT total_changes()`. */
  readBy(text: string): readonly Table[] {
    const named = this.#namedIn(text)
    return named.length === 0 ? [this.#anything] : named
  }

  /**
   * The tables that a statement which inserts, updates or deletes may change, through references as well; null where
   * nobody knows.
   */
  writtenBy(text: string): readonly Table[] | null {
    const named = this.#namedIn(text)
    if (named.length === 0) return null
    const deletes = /\b(?:delete|replace)\b/i.test(text)
    const reached = new Set(named)
    // A set goes on to what is added to it meanwhile, so this follows references of any depth.
    for (const { name } of reached) {
      for (const reference of this.#knownSchema().references) {
        const reaches = passesOn(reference.update) || (deletes && passesOn(reference.delete))
        if (reaches && reference.parent.toLowerCase() === name) reached.add(this.table(reference.child))
      }
    }
    return [...reached, this.#anything]
  }

  /** The tables whose names stand in the text, be it as the name of something else. */
  #namedIn(text: string): Table[] {
    const { tables, changesUnnamed } = this.#knownSchema()
    if (changesUnnamed) return []
    const words = new Set(text.toLowerCase().match(/\w+/g))
    const isNamed = (name: string): boolean => !/^\w+$/.test(name) || words.has(name.toLowerCase())
    return tables.filter(isNamed).map((name) => this.table(name))
  }

  #knownSchema(): Schema {
    return (this.#schema ??= this.#readSchema())
  }
}

const passesOn = (action: string): boolean => action !== 'NO ACTION' && action !== 'RESTRICT'
