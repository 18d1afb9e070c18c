/** Which call or trigger caused the moves and the deliveries of a run, from its timeline. */
import { isOwnCaller } from '@suite-sim/kit/calls/callerName'
import type { Facts } from '../facts.ts'

export interface MadeMove {
  /** "payments.links" */
  readonly section: string
  readonly move: string
  readonly from: string
  readonly to: string
  /** The id of the call, trigger or job that caused it. */
  readonly root: string
}

interface Causes {
  readonly moves: readonly MadeMove[]
  /** Returns the id of what caused a delivery. */
  readonly rootOf: (delivery: string) => string | undefined
}

const known = new WeakMap<Facts, Causes>()

/** "payments.links pl_1 pay: active to paid" */
const MOVE = /^(\S+) .+ (\S+): (.+) to (.+)$/

const numberOf = (id: string): number => Number(id.slice(id.indexOf('_') + 1))

export function causesIn(facts: Facts): Causes {
  const found = known.get(facts) ?? findCauses(facts)
  known.set(facts, found)
  return found
}

function findCauses({ timeline, interfaces }: Facts): Causes {
  const causes = new Map(timeline.map(({ id, causedBy }) => [id, causedBy]))
  const rootOf = (id: string): string => {
    const cause = causes.get(id) ?? null
    return cause === null ? id : rootOf(cause)
  }
  const begins = timeline.flatMap(({ kind, id }) =>
    kind === 'request' || kind === 'trigger' ? [numberOf(id)] : [],
  )
  const first = begins.reduce((least, each) => Math.min(least, each), Infinity)
  const own = new Set(timeline.flatMap(({ id, caller }) => (isOwnCaller(caller) ? [id] : [])))
  // Jobs before the first call made up for the time since the fixtures were made.
  const isOfRun = (root: string): boolean => numberOf(root) >= first && !own.has(root)
  const moves = timeline.toReversed().flatMap(({ kind, id, title }) => {
    const [, section = '', move = '', from = '', to = ''] =
      kind === 'transition' ? (MOVE.exec(title) ?? []) : []
    const root = rootOf(id)
    return interfaces.has(section.split('.')[0] ?? '') && isOfRun(root)
      ? [{ section, move, from, to, root }]
      : []
  })
  const deliveries = new Map(
    timeline.flatMap(({ kind, id, ref }) =>
      kind === 'delivery' && isOfRun(rootOf(id)) ? [[ref, rootOf(id)] as const] : [],
    ),
  )
  return { moves, rootOf: (delivery) => deliveries.get(delivery) }
}
