/**
 * What is tested: the sources, or with TESTED=dist the program as it is built and started, read by its launcher with
 * the machine code that the build kept. The same suites run against both (vitest.config.ts).
 */
import type * as App from '../../src/app.ts'
import type * as Documents from '../../src/http/openapi.ts'
import { build, ROOT } from './process.ts'

export const IS_BUILT = process.env['TESTED'] === 'dist'

/** What dist/load.js answers with. */
interface Loaded {
  readonly exports: { app(): Promise<typeof App>; documents(): Promise<typeof Documents> }
  readonly script: { readonly cachedDataRejected?: boolean }
}

export async function loadBuilt(): Promise<Loaded> {
  build()
  const { load } = (await import(`${ROOT}dist/load.js`)) as { load(): Loaded }
  return load()
}

const built = IS_BUILT ? (await loadBuilt()).exports : null

export const { buildApp, INTERFACES, MACHINES } = await (built?.app() ?? import('../../src/app.ts'))

export const { interfaceDocument, suiteDocument } = await (built?.documents() ??
  import('../../src/http/openapi.ts'))
