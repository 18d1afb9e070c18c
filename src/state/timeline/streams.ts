/**
 * Streams: messages to current listeners only. Nothing is stored; messages that must not be missed are events
 * (`events.ts`). Without listeners, a broadcast costs one lookup.
 */
import type { Database } from '../storage/database/database.ts'
import type { TopicOwner } from './longPoll.ts'

/** Receives a function that returns the message as JSON, serialized once for all listeners; null means no message. */
export type Listener = (getMessage: () => string | null) => void

type Listeners = Map<string, Set<Listener>>

const createListeners = (): Listeners => new Map()
const streamsOf = (database: Database): Listeners => database.own(createListeners)

/** By tenant id instead of row scope, so that a stream survives a reset. */
const keyOf = (workspace: TopicOwner, stream: string): string => `${String(workspace.tenantId)} ${stream}`

/** Checks whether any stream has listeners, so that callers can skip finding the recipients. */
export const hasListeners = ({ database }: TopicOwner): boolean => streamsOf(database).size > 0

/**
 * Sends a message to a stream after all writes so far are committed. `message` runs then, only if the stream has
 * listeners, and can return null, for example after an undone write.
 */
export function broadcast(workspace: TopicOwner, stream: string, message: () => object | null): void {
  const streams = streamsOf(workspace.database)
  const key = keyOf(workspace, stream)
  if (!streams.has(key)) return
  workspace.database.whenCommitted((error) => {
    const listeners = streams.get(key)
    if (error || !listeners) return
    const getMessage = once(() => {
      const value = message()
      return value && JSON.stringify(value)
    })
    for (const listener of [...listeners]) listener(getMessage)
  })
}

/** The stream of a workspace whose records were replaced or deleted as a whole, as by a reset. */
export const REPLACED = 'replaced'

/** Tells the listeners of `REPLACED`, which ask for the new state themselves. */
export const announceReplacement = (workspace: TopicOwner): void => {
  broadcast(workspace, REPLACED, () => ({}))
}

function once<Value>(create: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined
  return () => (cached ??= { value: create() }).value
}

/**
 * Subscribes to a stream until the returned function is called. A listener must not throw, because others follow it.
 */
export function listen(workspace: TopicOwner, stream: string, listener: Listener): () => void {
  const streams = streamsOf(workspace.database)
  const key = keyOf(workspace, stream)
  const listeners = streams.get(key) ?? new Set()
  streams.set(key, listeners)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && streams.get(key) === listeners) streams.delete(key)
  }
}
