import type { ClientDocuments } from '../clientTypes.mjs'

/** The folder of the generated classes. */
export const FOLDER: string

/** Returns the text of each generated file by its path in the repository. */
export function javaFiles(documents: ClientDocuments): ReadonlyMap<string, string>
