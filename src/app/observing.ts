/** Reads the overlay that a server follows. Loaded only if there is one. */
import { readFileSync, statSync } from 'node:fs'
import { READINGS } from '../control/shared/readings.ts'
import type { Published } from '../http/definition/definition.ts'
import { follow, type Observed } from '../observed/follow.ts'
import { MAX_OVERLAY_BYTES, type Overlay } from '../observed/format.ts'
import { checkOverlay, ObservedError, parseOverlay } from '../observed/parse.ts'
import { systemNow } from '../state/model/clock.ts'
import type { AppOptions } from './options.ts'

/** Returns what a server follows. Throws an ObservedError; `publish` returns interfaces as they are without an overlay. */
export async function observe(
  { observed, prefer }: Pick<AppOptions, 'observed' | 'prefer'>,
  publish: () => Promise<readonly Published[]>,
): Promise<Observed> {
  const file = typeof observed === 'string' ? observed : null
  const overlay = file === null ? fromObject(observed) : parseOverlay(read(file), file)
  const interfaces = overlay.entries.length === 0 ? [] : await publish()
  const catalog = {
    interfaces: new Map(interfaces.map((each) => [each.definition.name, each])),
    readings: READINGS,
  }
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
