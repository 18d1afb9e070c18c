/** Updates that change nothing: they write nothing and emit no event, as with `save` of common ORMs (assumed). */
import { isDeepStrictEqual } from 'node:util'

/** Checks whether a given field has another value than the record. */
export const isChange = (before: object, fields: object): boolean =>
  Object.entries(fields).some(
    ([name, value]) =>
      value !== undefined && !isDeepStrictEqual(value, (before as Readonly<Record<string, unknown>>)[name]),
  )

/** Thrown to undo a write that has only given the parts of a record new ids. */
const SAME = new Error('nothing changed')

/** Undoes the surrounding `unlessSame` if the new parts of a record are those before, apart from ids and revisions. */
export function mustDiffer(before: readonly object[], after: readonly object[]): void {
  if (isDeepStrictEqual(before.map(contentOf), after.map(contentOf))) throw SAME
}

const contentOf = (part: object): object =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'id' && name !== 'revision'))

/** Returns the result of a write, or `before` if `mustDiffer` undid it. */
export function unlessSame<Row>(before: Row, write: () => Row): Row {
  try {
    return write()
  } catch (error) {
    if (error === SAME) return before
    throw error
  }
}
