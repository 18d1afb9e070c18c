/** The commands of the bundle that are also calls of the library, loaded with the first one. */
import bundle from './tools.cjs'

export const { examCallerFor, examFor, gradeFor, keepPart, prepareFor, removeParts, reportFor, writeRun } =
  bundle
