/** The facts that the specification shows of an interface, from the package. */
import { documentedList } from '@suite-sim/kit/assets'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { DocumentedList } from '../../../../src/published.ts'

/** The list of an interface that has none yet. */
const NOTHING: DocumentedList = {
  records: {},
  operations: {},
  statuses: [],
  error: null,
  delivery: null,
  events: {},
  notShown: [],
}

export function documentedFacts(name: InterfaceName): DocumentedList {
  const text = documentedList(name)
  return text === null ? NOTHING : (JSON.parse(text) as DocumentedList)
}
