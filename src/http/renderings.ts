/**
 * Records as JSON text, remembered. A row's revision is never given twice, so a text remembered under it stays right
 * for as long as it is kept, and lists are made by joining texts.
 */
import type { Database } from '../state/database.ts'
import type { Head } from '../state/listing.ts'
import type { Workspace } from '../state/workspaces.ts'

/** Characters that all texts of one database may take together; past it the older half is forgotten. */
const BUDGET = 8_000_000

/** Texts of one database, in two generations: what was not asked for since the last turn is dropped at the next. */
class Memory {
  #young = new Map<string, Map<number, string>>()
  #old = new Map<string, Map<number, string>>()
  #size = 0

  get(view: string, revision: number): string | undefined {
    const young = this.#young.get(view)?.get(revision)
    if (young !== undefined) return young
    const old = this.#old.get(view)?.get(revision)
    if (old !== undefined) this.keep(view, revision, old)
    return old
  }

  keep(view: string, revision: number, text: string): void {
    this.#size += text.length
    if (this.#size > BUDGET / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = text.length
    }
    let texts = this.#young.get(view)
    if (!texts) this.#young.set(view, (texts = new Map()))
    texts.set(revision, text)
  }
}

const memories = new WeakMap<Database, Memory>()

function memoryOf(database: Database): Memory {
  let memory = memories.get(database)
  if (!memory) memories.set(database, (memory = new Memory()))
  return memory
}

export interface Rendering<Row> {
  /** The JSON text of one record. */
  one(workspace: Workspace, row: Row): string
  /** The JSON texts of a page, separated by commas; rows are read only where no text is remembered. */
  many(workspace: Workspace, heads: readonly Head[]): string
}

/**
 * Renders rows with `view`. `name` tells this rendering from others of the same rows. What a view shows beside its
 * row has to be part of what gives the row a new revision.
 */
export function rendering<Row extends Head>(
  name: string,
  view: (row: Row, workspace: Workspace) => object,
  find: (workspace: Workspace, ids: readonly string[]) => Row[],
): Rendering<Row> {
  const render = (memory: Memory, workspace: Workspace, row: Row): string => {
    const text = JSON.stringify(view(row, workspace))
    memory.keep(name, row.revision, text)
    return text
  }

  return {
    one(workspace, row) {
      const memory = memoryOf(workspace.database)
      return memory.get(name, row.revision) ?? render(memory, workspace, row)
    },

    many(workspace, heads) {
      const memory = memoryOf(workspace.database)
      const texts = heads.map((head) => memory.get(name, head.revision))
      const missing = heads.filter((_head, index) => texts[index] === undefined)
      if (missing.length > 0) {
        const rows = find(
          workspace,
          missing.map((head) => head.id),
        )
        const rendered = new Map(rows.map((row) => [row.id, render(memory, workspace, row)]))
        return heads.map((head, index) => texts[index] ?? rendered.get(head.id) ?? 'null').join(',')
      }
      return texts.join(',')
    },
  }
}
