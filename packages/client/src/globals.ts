/**
 * The globals of import time. Tests stub, spy and fake those of their process, and neither must the stub of a test meet
 * calls of the library, nor must a wait stand still with the clock of a test.
 */
const fetchOfImport = globalThis.fetch as typeof globalThis.fetch | undefined

// Names of their own, because the bundles of the program begin with variables of the other ones (scripts/bundles.mjs).
const setTimeoutOfImport: typeof globalThis.setTimeout = globalThis.setTimeout
const clearTimeoutOfImport: typeof globalThis.clearTimeout = globalThis.clearTimeout
export { clearTimeoutOfImport as clearTimeout, setTimeoutOfImport as setTimeout }

/** The `fetch` of import time; without one, as in some test environments, that of a later polyfill. */
const fetchOfNow: typeof globalThis.fetch = (...sent) => (fetchOfImport ?? globalThis.fetch)(...sent)
export { fetchOfNow as fetch }

// oxlint-disable-next-line typescript/unbound-method -- called with AbortSignal below
const { timeout, any } = AbortSignal

/** Returns a signal that is aborted after this time. */
export const abortAfter = (ms: number): AbortSignal => timeout.call(AbortSignal, ms)

/** Returns a signal that is aborted with the first of these. */
export const abortWithAny = (signals: AbortSignal[]): AbortSignal => any.call(AbortSignal, signals)
