/**
 * The lists of documented facts, `src/http/openapi/fidelity/documented/<interface>.json`: made by hand from the specification, one
 * file for each interface. The notation is in src/http/schemas/documentedList.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentedList } from '../../src/http/schemas/documentedList.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { ROOT } from './root.ts'

export const LIST_FOLDER = join(ROOT, 'src/http/openapi/fidelity/documented')

/** The lists by interface, in the order of the interfaces. */
export const DOCUMENTED_LISTS: ReadonlyMap<string, DocumentedList> = new Map(
  INTERFACE_NAMES.flatMap((name): [string, DocumentedList][] => {
    const file = join(LIST_FOLDER, `${name}.json`)
    return existsSync(file) ? [[name, JSON.parse(readFileSync(file, 'utf8')) as DocumentedList]] : []
  }),
)
