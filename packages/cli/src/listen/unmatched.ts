/** Follows the calls that belong to no workspace: wrong key, missing key, unknown path. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Remote, StreamEntry } from '@suite-sim/kit/terminal/remote'

interface Unmatched {
  readonly id: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly caller: { readonly name?: string } | null
  readonly hints: readonly { readonly message: string }[]
}

/** The number of calls that the server stores. */
const MAX_COUNT = 500
/** Seconds that one request waits. */
const WAIT = 25
/** Milliseconds between requests when the list has MAX_COUNT calls, because `count` then matches at once. */
const PAUSE_MS = 1000

/** Reports each new call until `signal` is aborted or the server stops responding. */
export async function followUnmatched(
  remote: Remote,
  report: (entry: StreamEntry) => void,
  signal: AbortSignal,
): Promise<void> {
  let known = new Set<string>()
  let isFirst = true
  try {
    for (;;) {
      const wait = isFirst ? 0 : WAIT
      const count = Math.min(known.size + 1, MAX_COUNT)
      const query = `unmatched=true&limit=${String(MAX_COUNT)}&wait=${String(wait)}&count=${String(count)}`
      const { status, text } = await remote.ask('GET', `/_sim/requests?${query}`, undefined, signal)
      if (status !== 200) return
      const { data } = JSON.parse(text) as { data: Unmatched[] }
      if (!isFirst)
        for (const call of data.filter(({ id }) => !known.has(id)).reverse()) report(entryOf(call))
      known = new Set(data.map(({ id }) => id))
      isFirst = false
      if (data.length >= MAX_COUNT) await pause(PAUSE_MS, undefined, { signal })
    }
  } catch {
    // The stream of the workspace reports the error.
  }
}

const entryOf = ({ id, at, method, path, status, caller, hints }: Unmatched): StreamEntry => ({
  id,
  at,
  kind: 'unmatched',
  title: `${method} ${path} ${String(status)}: ${hints.map(({ message }) => message).join(' ')}`,
  causedBy: null,
  ref: id,
  ...(caller?.name !== undefined && { caller: caller.name }),
})
