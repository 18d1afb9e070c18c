/**
 * The versions of tables. A cached value has the versions of the tables that were read for it, and is current while
 * they are unchanged. The text of a statement shows its tables (`sqlite/watching.ts`): too many only cause cache
 * misses, too few would leave outdated values.
 */

/** A table, or a name that may be a table. */
export interface Table {
  readonly name: string
  /** Increases with every write. */
  version: number
}

/** The tables of a value, and the sum of their versions, which shows whether any has changed. */
export interface Basis {
  readonly tables: readonly Table[]
  readonly sum: number
}

export interface Observed<T> {
  readonly value: T
  readonly basis: Basis
}

/** A running observation. Its reads also count for outer observations. */
interface Observation {
  readonly tables: Table[]
  sum: number
  readonly outer: Observation | null
}

/** The tables of a connection and their foreign keys; `delete` and `update` are the actions of a key. */
export interface Schema {
  readonly tables: readonly string[]
  readonly references: readonly {
    readonly child: string
    readonly parent: string
    readonly delete: string
    readonly update: string
  }[]
  /** True if a statement can change tables that it does not name: by triggers, views or conflict clauses. */
  readonly changesUnnamed: boolean
}

export class Versions {
  readonly #readSchema: () => Schema
  /** Represents all tables, for statements without a table name. Changes with every write. */
  readonly #anything: Table = { name: '*', version: 0 }
  readonly #tables = new Map<string, Table>()
  #schema: Schema | null = null
  #observation: Observation | null = null

  /** `readSchema` is called on first use, and again after `schemaChanged`. */
  constructor(readSchema: () => Schema) {
    this.#readSchema = readSchema
  }

  /** Returns the table with this name, even if it does not exist. */
  table(name: string): Table {
    const key = name.toLowerCase()
    let table = this.#tables.get(key)
    if (!table) this.#tables.set(key, (table = { name: key, version: 0 }))
    return table
  }

  /** Runs `read` and returns its value with the tables that it read, and those in `alsoRead`. */
  observe<T>(read: () => T, alsoRead: readonly Table[] = []): Observed<T> {
    const observation: Observation = { tables: [], sum: 0, outer: this.#observation }
    this.#observation = observation
    try {
      this.note(alsoRead)
      const value = read()
      return { value, basis: { tables: observation.tables, sum: observation.sum } }
    } finally {
      this.#observation = observation.outer
    }
  }

  /** Checks whether all tables are unchanged. A running observation then depends on them too. */
  holds({ tables, sum }: Basis): boolean {
    let remaining = sum
    for (const table of tables) remaining -= table.version
    if (remaining !== 0) return false
    this.note(tables)
    return true
  }

  get isReading(): boolean {
    return this.#observation !== null
  }

  /** Must be called before these tables are read. */
  note(tables: readonly Table[]): void {
    for (let observation = this.#observation; observation !== null; observation = observation.outer) {
      for (const table of tables) {
        if (observation.tables.includes(table)) continue
        observation.tables.push(table)
        observation.sum += table.version
      }
    }
  }

  /** Must be called when these tables change, or may change. */
  changed(tables: readonly Table[]): void {
    for (const table of tables) table.version++
  }

  /** Marks every table as changed: after an undone write, or if the written tables are unknown. */
  allChanged(): void {
    this.#anything.version++
    for (const table of this.#tables.values()) table.version++
  }

  /** Must be called when tables may have been created or deleted. */
  schemaChanged(): void {
    this.#schema = null
    this.allChanged()
  }

  /** Returns the tables that a statement reads; without a name, as in `SELECT total_changes()`, any table. */
  readBy(text: string): readonly Table[] {
    const named = this.#namedIn(text)
    return named.length === 0 ? [this.#anything] : named
  }

  /** Returns the tables that an insert, update or delete may change, including foreign keys; null if unknown. */
  writtenBy(text: string): readonly Table[] | null {
    const named = this.#namedIn(text)
    if (named.length === 0) return null
    const deletes = /\b(?:delete|replace)\b/i.test(text)
    const changed = new Set(named)
    // Iteration includes added elements, so this follows foreign keys of any depth.
    for (const { name } of changed) {
      for (const reference of this.#knownSchema().references) {
        const isChanged = cascades(reference.update) || (deletes && cascades(reference.delete))
        if (isChanged && reference.parent.toLowerCase() === name) changed.add(this.table(reference.child))
      }
    }
    return [...changed, this.#anything]
  }

  /** Returns the tables whose names occur in the text, even with another meaning. */
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

const cascades = (action: string): boolean => action !== 'NO ACTION' && action !== 'RESTRICT'
