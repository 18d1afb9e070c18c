/** Reads the overlay that a server follows. Loaded only if there is one. */
import { readFileSync, statSync } from 'node:fs'
import type { Published } from '../http/definition/definition.ts'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import type { Catalog } from './check.ts'
import { follow, type Observed } from './follow.ts'
import { MAX_OVERLAY_BYTES, type Overlay } from './format.ts'
import { checkOverlay, ObservedError, parseOverlay } from './parse.ts'

export interface ObservingOptions {
  /** What was observed on the real service: an overlay (docs/VERIFY.md) or its file; nothing by default. */
  readonly observed?: string | object | undefined
  /** "observed" follows observations that contradict the specification as well. */
  readonly prefer?: 'observed' | undefined
}

/** An app without an overlay. */
interface PlainApp {
  published(name: string): Promise<Published>
  close(): Promise<void>
}

export type BuildApp = () => Promise<PlainApp>

export type LoadReadings = () => Promise<{ readonly READINGS: Catalog['readings'] }>

let specified: Promise<Catalog> | undefined

/** Returns what the simulator serves without an overlay. Cached, because the routes of every app are the same. */
export function specifiedCatalog(build: BuildApp, loadReadings: LoadReadings): Promise<Catalog> {
  specified ??= catalogOf(build, loadReadings).catch((error: unknown) => {
    specified = undefined
    throw error
  })
  return specified
}

async function catalogOf(build: BuildApp, loadReadings: LoadReadings): Promise<Catalog> {
  const app = await build()
  try {
    const published = INTERFACE_NAMES.map(async (name) => [name, await app.published(name)] as const)
    const { READINGS: readings } = await loadReadings()
    return { interfaces: new Map(await Promise.all(published)), readings }
  } finally {
    await app.close()
  }
}

/** Returns what a server follows. Throws an ObservedError. */
export async function readObserved(
  { observed, prefer }: ObservingOptions,
  build: BuildApp,
  loadReadings: LoadReadings,
): Promise<Observed> {
  const file = typeof observed === 'string' ? observed : null
  const overlay = file === null ? fromObject(observed) : parseOverlay(read(file), file)
  const catalog =
    overlay.entries.length === 0
      ? { interfaces: new Map(), readings: [] }
      : await specifiedCatalog(build, loadReadings)
  return follow(overlay, catalog, { file, prefersObserved: prefer === 'observed', now: systemNow() })
}

/** Returns a copy, so that the caller's later changes have no effect, with the checks of a file. */
function fromObject(value: unknown): Overlay {
  let text: string | undefined
  try {
    // undefined for a function.
    text = JSON.stringify(value) as string | undefined
  } catch (error) {
    throw new ObservedError(
      `observed: an overlay must be JSON: ${(error as Error).message.split('\n')[0] ?? ''}`,
    )
  }
  return text === undefined ? checkOverlay(value, 'observed') : parseOverlay(text, 'observed')
}

function read(file: string): string {
  try {
    const stats = statSync(file)
    // A device could be read without end.
    if (!stats.isFile()) throw new ObservedError(`${file}: an overlay must be a file`)
    if (stats.size <= MAX_OVERLAY_BYTES) return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ObservedError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new ObservedError(`${file}: ${code === 'ENOENT' ? 'the file does not exist' : message}`)
  }
  throw new ObservedError(`${file}: an overlay must have at most ${String(MAX_OVERLAY_BYTES)} bytes`)
}
