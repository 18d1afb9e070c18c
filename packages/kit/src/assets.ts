/** Files that are next to the program, for several houses. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const FIXTURES: string = fileURLToPath(new URL('../fixtures', import.meta.url))

/** The lists of documented facts, a JSON file for each interface. */
const DOCUMENTED = fileURLToPath(new URL('./http/openapi/fidelity/documented', import.meta.url))

/** Returns the list of documented facts of an interface as JSON text; null if it is still to be made. */
export function documentedList(name: string): string | null {
  const file = join(DOCUMENTED, `${name}.json`)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
