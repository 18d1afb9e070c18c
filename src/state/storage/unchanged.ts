/** Updates that change nothing: they write nothing and emit no event, as with `save` of common ORMs (assumed). */
import { isDeepStrictEqual } from 'node:util'

/** Checks whether a given field, once `normal` has normalized the row, has another value than the record. */
export function isChange<Row extends object>(
  before: Row,
  fields: object,
  normal?: (row: Row) => Partial<Row>,
): boolean {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const after = { ...sent, ...normal?.({ ...before, ...sent }) }
  return Object.entries(after).some(([name, value]) => !isDeepStrictEqual(value, before[name as keyof Row]))
}

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
