/** Definitions of interfaces that the suite does not have, for tests of what is made from a definition. */
import type { InterfaceDefinition, LoadedInterface, Wire } from '../../src/http/definition/definition.ts'
import { renderUnchanged } from '../../src/state/workspace/events.ts'

type Given = Pick<InterfaceDefinition, 'name' | 'title' | 'description' | 'basePath'> & Wire

/** Returns an interface without records that has this wire definition. */
export const loadedInterface = (given: Given & Partial<InterfaceDefinition>): LoadedInterface => ({
  machines: [],
  records: [],
  renderEvent: renderUnchanged,
  load: () => Promise.resolve(given),
  ...given,
})
