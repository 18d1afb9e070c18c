/** The globals of import time for the program of `startSimulator`, which is loaded later (scripts/bundles.mjs). */
import { clearTimeout, fetch, setTimeout } from './globals.ts'

const { setInterval, clearInterval, setImmediate, clearImmediate } = globalThis

const HELD = Symbol.for('suite-simulator.globals')

/** Keeps the globals. */
export function holdGlobals(): void {
  const held = { fetch, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate }
  ;(globalThis as unknown as Record<symbol, typeof held>)[HELD] ??= held
}
