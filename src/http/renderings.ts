/**
 * Records as JSON text, remembered. A row's revision is never given twice, so a text remembered under it stays right
 * for as long as it is kept, and lists are made by joining texts.
 */
import type { Database } from '../state/database.ts'
import type { Head } from '../state/listing.ts'
import type { Workspace } from '../state/workspaces.ts'

interface Sized {
  readonly text: string
}

/** Keys of which is remembered that they were asked for once. */
const DOORKEEPER_PLACES = 8192

/**
 * Things kept until they take too much room, in two halves: what was not asked for since the last turn goes next. What
 * is asked for the first time is not kept yet: a caller who goes through all records once would drive out what others
 * come back to, and keep the garbage collector busy with what nobody asks for again.
 */
class Memory<Key extends string | number, Kept extends Sized> {
  readonly #budget: number
  readonly #doorkeeper = new Int32Array(DOORKEEPER_PLACES)
  #young = new Map<Key, Kept>()
  #old = new Map<Key, Kept>()
  #size = 0

  /** `budget` is in characters. */
  constructor(budget: number) {
    this.#budget = budget
  }

  get(key: Key): Kept | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.#put(key, old)
    return old
  }

  keep(key: Key, kept: Kept): void {
    if (this.#wasHere(key)) this.#put(key, kept)
  }

  /** Whether the key was asked for lately, as far as that is remembered. */
  #wasHere(key: Key): boolean {
    if (this.#young.has(key)) return true
    const mark = markOf(key)
    const place = (mark >>> 1) % DOORKEEPER_PLACES
    const isKnown = this.#doorkeeper[place] === mark
    this.#doorkeeper[place] = mark
    return isKnown
  }

  #put(key: Key, kept: Kept): void {
    this.#size += kept.text.length
    if (this.#size > this.#budget / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = kept.text.length
    }
    this.#young.set(key, kept)
  }
}

/** A number that stands for the key, never 0. Two keys with the same one are let in for each other, which does no harm. */
function markOf(key: string | number): number {
  if (typeof key === 'number') return (key ^ (key / 2 ** 32)) | 1
  let mark = key.length
  for (let index = 0; index < key.length; index++) mark = Math.imul(mark ^ key.charCodeAt(index), 0x01000193)
  return mark | 1
}

/** One memory for each database. */
function memories<Key extends string | number, Kept extends Sized>(
  budget: number,
): (database: Database) => Memory<Key, Kept> {
  const all = new WeakMap<Database, Memory<Key, Kept>>()
  return (database) => {
    let memory = all.get(database)
    if (!memory) all.set(database, (memory = new Memory(budget)))
    return memory
  }
}

interface Answer extends Sized {
  readonly generation: number
  readonly until: number
}

/** A text that the clock alone will make untrue. */
export interface Passing {
  readonly text: string
  /** The instant on the workspace's clock at which it is true no longer. */
  readonly until: number
}

const answers = memories<string, Answer>(8_000_000)

/**
 * The answer to a question that was asked before, for as long as nothing at all has been written since; else what
 * `make` makes. `question` has to hold everything that the answer depends on beside the records.
 */
export const remembered = (workspace: Workspace, question: string, make: () => string): string =>
  rememberedAWhile(workspace, question, () => ({ text: make(), until: Infinity }))

/** The same for an answer that depends on the clock as well. Setting the clock back is a write. */
export function rememberedAWhile(workspace: Workspace, question: string, make: () => Passing): string {
  const { database } = workspace
  const key = `${String(workspace.number)} ${question}`
  const known = answers(database).get(key)
  if (
    known?.generation === database.generation &&
    (known.until === Infinity || workspace.now() < known.until)
  )
    return known.text
  const made = make()
  answers(database).keep(key, { ...made, generation: database.generation })
  return made.text
}

export interface Rendering<Row> {
  /** The JSON text of one record. */
  one(workspace: Workspace, row: Row): string
  /** The JSON texts of a page, separated by commas; rows are read only where no text is remembered. */
  many(workspace: Workspace, heads: readonly Head[]): string
}

/** As much of a row as its rendering is remembered under. */
export type Rendered = Pick<Head, 'id' | 'revision'>

/**
 * Renders rows with `view`. What a view shows beside its row has to be part of what gives the row a new revision.
 */
export function rendering<Row extends Rendered>(
  view: (row: Row, workspace: Workspace) => object,
  { findAt }: { readonly findAt: (workspace: Workspace, places: readonly number[]) => Row[] },
): Rendering<Row> {
  const texts = memories<number, Sized>(2_000_000)

  const render = (workspace: Workspace, row: Row): string => {
    const text = JSON.stringify(view(row, workspace))
    texts(workspace.database).keep(row.revision, { text })
    return text
  }

  return {
    one: (workspace, row) => texts(workspace.database).get(row.revision)?.text ?? render(workspace, row),

    many(workspace, heads) {
      const memory = texts(workspace.database)
      const known = heads.map((head) => memory.get(head.revision)?.text)
      const missing = heads.filter((_head, index) => known[index] === undefined)
      if (missing.length === 0) return known.join(',')
      const rows = findAt(
        workspace,
        missing.map((head) => head.place),
      )
      const rendered = new Map(rows.map((row) => [row.id, render(workspace, row)]))
      return heads.map((head, index) => known[index] ?? rendered.get(head.id) ?? 'null').join(',')
    },
  }
}
