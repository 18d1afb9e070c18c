/** Loads what was read of a service into a workspace of the simulator. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Exchange } from '../exchanges/exchange.ts'
import { record, type CheckContext } from '../checks/context.ts'
import type { Reference, Scratch } from '../reference.ts'
import type { Answers, Row } from '../crawl/answers.ts'
import { LOADERS } from './loaders/index.ts'
import type { Loaded, LoadOptions } from './loaders/loader.ts'

/** Records that do not fit are left out, at most this many. */
const MAX_LEFT_OUT = 20

/** Returns the records that were read; null if their form is too far from the document, which other checks report. */
export function rowsToLoad(name: InterfaceName, answers: Answers, options: LoadOptions): Loaded | null {
  try {
    return LOADERS[name]?.load(answers, options) ?? null
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

/** Creates a workspace that has only the users of the service, or its own one if they do not fit. */
export async function withUsers(
  reference: Reference,
  loaded: Loaded | null,
  settings: { readonly timezone?: string },
): Promise<Scratch> {
  const users = loaded?.users ?? []
  const own = (): Promise<Scratch> => reference.scratch('none', settings)
  return users.length === 0
    ? own()
    : reference.scratch({ format: 'suite-simulator/1', users }, settings).catch(own)
}

/**
 * Loads the records. One that the simulator cannot hold is a difference, and is left out; the others are incomplete then.
 * Returns null if they do not fit together.
 */
export async function loadInto(
  context: CheckContext,
  reference: Reference,
  scratch: Scratch,
  loaded: Loaded,
): Promise<Loaded | null> {
  const kept = structuredClone(loaded.snapshot) as Record<string, Record<string, unknown[]>>
  for (let leftOut = 0; leftOut < MAX_LEFT_OUT; leftOut++) {
    try {
      await reference.load(scratch, { format: 'suite-simulator/1', ...kept })
      return { ...loaded, isComplete: loaded.isComplete && leftOut === 0 }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const [, group = '', section = '', index = ''] =
        / ([a-z-]{1,40})\.(\w{1,40})\.(\d+)/.exec(message) ?? []
      const rows = kept[group]?.[section]
      const [row] = rows?.splice(Number(index), 1) ?? []
      const exchange = showing(context.answers, row)
      // Records that others refer to may be among those that were not read or did not fit.
      if (!exchange || (!rows && !(loaded.isComplete && leftOut === 0))) return null
      record(context, 'differential', exchange, {
        aspect: `load:${group}.${section}`,
        place: '',
        isEqual: false,
        message: `The simulator cannot hold a record that was read: ${message}`,
        actual: row,
      })
      if (!rows) return null
    }
  }
  return null
}

/** Returns the first answer with the row; without one, the first answer of all. */
function showing(answers: Answers, row: unknown): Exchange | undefined {
  const id = (row as Row | undefined)?.['id']
  const has = (exchange: Exchange): boolean =>
    answers.rows(exchange).some((each) => (each as Row)['id'] === id)
  return (id === undefined ? undefined : answers.exchanges.find(has)) ?? answers.exchanges[0]
}
