/** A second copy of the program in the process of a test, as two versions of a package in one test suite. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './root.ts'

const BUNDLE = join(ROOT, 'node_modules/.cache/suite-sim-tests/sources.cjs')

const load = createRequire(import.meta.url)

/** Returns a source, such as "./src/index.ts", of a bundle that is loaded for this call. */
export function anotherCopy(source: string): unknown {
  const known = load.cache[BUNDLE]
  Reflect.deleteProperty(load.cache, BUNDLE)
  try {
    const { modules } = load(BUNDLE) as { modules: Readonly<Record<string, () => unknown>> }
    return modules[source]?.()
  } finally {
    load.cache[BUNDLE] = known
  }
}
