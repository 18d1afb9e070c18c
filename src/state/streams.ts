/**
 * Streams: what is told to those who listen at this moment, and to nobody else. Nothing of it is kept; what must not be
 * missed is an event (`events.ts`). Where nobody listens, telling costs a look into a map.
 */
import type { Database } from './database.ts'
import type { Workspace } from './workspace.ts'

/** Gets what answers with what is told as JSON, which is written once for all who hear it; null is to be passed by. */
export type Listener = (told: () => string | null) => void

type Listeners = Map<string, Set<Listener>>

const nobody = (): Listeners => new Map()
const listeningIn = (database: Database): Listeners => database.own(nobody)

/** By the account and not by the records, so that it outlives a reset. */
const keyOf = (workspace: Workspace, stream: string): string => `${String(workspace.tenantId)} ${stream}`

/** Whether anybody listens to anything, for whoever has to look records up to know whom it would be told. */
export const isAnybodyListening = ({ database }: Workspace): boolean => listeningIn(database).size > 0

/**
 * Tells a stream of a workspace something, once all that has been written so far is on the file. `message` is called
 * then and by who listens, so that it tells what has become true; null where nothing has, such as after a write that was undone.
 */
export function broadcast(workspace: Workspace, stream: string, message: () => object | null): void {
  const listening = listeningIn(workspace.database)
  const key = keyOf(workspace, stream)
  if (!listening.has(key)) return
  workspace.database.whenCommitted((error) => {
    const listeners = listening.get(key)
    if (error || !listeners) return
    const told = once(() => {
      const value = message()
      return value && JSON.stringify(value)
    })
    for (const listener of [...listeners]) listener(told)
  })
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * Hears what the stream is told from now on, until the function that this answers with is called. A listener throws
 * nothing, for others wait behind it.
 */
export function listen(workspace: Workspace, stream: string, listener: Listener): () => void {
  const listening = listeningIn(workspace.database)
  const key = keyOf(workspace, stream)
  const listeners = listening.get(key) ?? new Set()
  listening.set(key, listeners)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && listening.get(key) === listeners) listening.delete(key)
  }
}
