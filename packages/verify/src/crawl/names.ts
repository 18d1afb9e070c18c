import type { Operation } from '../model/operation.ts'

/** Returns the names of the parameters that a query must have. */
export const requiredNames = ({ inQuery }: Operation): ReadonlySet<string> =>
  new Set(inQuery.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])))
