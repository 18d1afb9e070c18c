/**
 * What is tested: the sources, or with TESTED=dist the program as it is built and started, read by its launcher with
 * the machine code that the build kept. The same suites run against both (vitest.config.ts).
 */
import { build, ROOT } from './process.ts'

type Subject = typeof import('../../src/app.ts') & typeof import('../../src/http/openapi.ts')

export const IS_BUILT = process.env['TESTED'] === 'dist'

/** What dist/load.js answers with. */
interface Loaded {
  readonly exports: { parts(): Promise<Subject> }
  readonly script: { readonly cachedDataRejected?: boolean }
}

export async function loadBuilt(): Promise<Loaded> {
  build()
  const { load } = (await import(`${ROOT}dist/load.js`)) as { load(): Loaded }
  return load()
}

const fromSources = async (): Promise<Subject> => ({
  ...(await import('../../src/app.ts')),
  ...(await import('../../src/http/openapi.ts')),
})

export const { buildApp, INTERFACES, MACHINES, interfaceDocument, suiteDocument }: Subject = IS_BUILT
  ? await (await loadBuilt()).exports.parts()
  : await fromSources()
