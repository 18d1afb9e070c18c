/**
 * Records as JSON text, remembered. A row's revision is never given twice, so a text remembered under it stays right
 * for as long as it is kept, and lists are made by joining texts. Whole answers are remembered as well, for as long as
 * the tables that they were made of stay as they are (docs/decisions/0002).
 */
import type { Head } from '../state/listing.ts'
import { memories } from '../state/memory.ts'
import type { Basis } from '../state/versions.ts'
import type { Workspace } from '../state/workspaces.ts'

interface Answer {
  readonly text: string
  readonly basis: Basis
  /** Settings, clock and users are read from this object, and another may take its place. */
  readonly workspace: Workspace
  readonly until: number
}

/** A text that the clock alone will make untrue. */
export interface Passing {
  readonly text: string
  /** The instant on the workspace's clock at which it is true no longer. */
  readonly until: number
}

const answers = memories<string, Answer>({
  budget: 8_000_000,
  sizeOf: ({ text }, question) => text.length + question.length,
})

/**
 * The answer to a question that was asked before, for as long as nothing has been written to the tables it was made
 * from; else what `make` makes. `question` has to hold everything that the answer depends on beside the records and the
 * workspace.
 */
export const remembered = (workspace: Workspace, question: string, make: () => string): string =>
  rememberedAWhile(workspace, question, () => ({ text: make(), until: Infinity }))

/** The same for an answer that depends on the clock as well; not inside another one. Setting the clock is a write. */
export function rememberedAWhile(workspace: Workspace, question: string, make: () => Passing): string {
  const { database } = workspace
  const key = `${String(workspace.number)} ${question}`
  const memory = answers(database)
  const known = memory.get(key)
  if (
    known?.workspace === workspace &&
    (known.until === Infinity || workspace.now() < known.until) &&
    database.versions.holds(known.basis)
  )
    return known.text
  const { value, basis } = workspace.observe(make)
  if (memory.isAskedAgain(key)) memory.keep(key, { ...value, basis, workspace })
  return value.text
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
  const texts = memories<number, string>({ budget: 2_000_000, sizeOf: (text) => text.length })

  const render = (workspace: Workspace, row: Row): string => {
    const text = JSON.stringify(view(row, workspace))
    const memory = texts(workspace.database)
    if (memory.isAskedAgain(row.revision)) memory.keep(row.revision, text)
    return text
  }

  return {
    one: (workspace, row) => texts(workspace.database).get(row.revision) ?? render(workspace, row),

    many(workspace, heads) {
      const memory = texts(workspace.database)
      const known = heads.map((head) => memory.get(head.revision))
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
