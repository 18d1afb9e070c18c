/**
 * The tested program: the sources, or with TESTED=dist the build, loaded by its launcher with the cached machine
 * code. The same suites run against both (vitest.config.ts).
 */
import type * as App from '../../src/app.ts'
import type * as Documents from '../../src/http/openapi/openapi.ts'
import type * as Main from '../../src/main.ts'
import { build, ROOT } from './process.ts'

export const IS_BUILT = process.env['TESTED'] === 'dist'

/** The exports of dist/load.js. */
interface Loaded {
  readonly exports: {
    readonly main: typeof Main.main
    app(): Promise<typeof App>
    documents(): Promise<typeof Documents>
  }
  readonly script: { readonly cachedDataRejected?: boolean }
}

export async function loadBuilt(): Promise<Loaded> {
  build()
  const { load } = (await import(`${ROOT}dist/load.js`)) as { load(): Loaded }
  return load()
}

const built = IS_BUILT ? (await loadBuilt()).exports : null

const subject = await (built?.app() ?? import('../../src/app.ts'))

export const { INTERFACES, MACHINES } = subject

/** The week for which the demo was written: tests with their own clock find its records at the expected times. */
export const DEMO_DATE = Date.parse('2026-11-23T00:00:00Z')

export const buildApp: typeof App.buildApp = (options) =>
  subject.buildApp({ demoDate: DEMO_DATE, ...options })

export const { interfaceDocument, suiteDocument } = await (built?.documents() ??
  import('../../src/http/openapi/openapi.ts'))
