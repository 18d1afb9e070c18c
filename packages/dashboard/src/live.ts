/** The live timeline of a workspace: one stream for the whole page, which reconnects when it breaks. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { TimelineStream } from '@suite-sim/client/stream'
import { server, needsToken, type TimelineItem } from './server.ts'

type Listener = (item: TimelineItem) => void

/** The maximum delay between reconnects, in milliseconds. */
const MAX_DELAY_MS = 10_000

class Live {
  readonly #listeners = new Set<Listener>()
  readonly #stateListeners = new Set<(isOn: boolean) => void>()
  #workspace = ''
  /** Increments when another stream starts, so that the loop of the previous one ends. */
  #generation = 0
  #stream: TimelineStream | null = null
  isOn = false

  /** Follows another workspace. Listeners receive no more entries of the previous one. */
  follow(workspace: string): void {
    if (workspace === this.#workspace) return
    this.#workspace = workspace
    this.#stream?.close()
    const generation = ++this.#generation
    if (workspace !== '') void this.#read(workspace, () => generation === this.#generation)
  }

  /** Opens the stream again with the current token. */
  restart(): void {
    const workspace = this.#workspace
    this.follow('')
    this.follow(workspace)
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onState(listener: (isOn: boolean) => void): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  async #read(workspace: string, isCurrent: () => boolean): Promise<void> {
    let after: string | undefined
    for (let delay = 250; isCurrent(); delay = Math.min(delay * 2, MAX_DELAY_MS)) {
      const stream = new TimelineStream(server(), workspace, after === undefined ? {} : { after })
      this.#stream = stream
      try {
        await stream.opened
        if (!isCurrent()) return
        delay = 250
        this.#setOn(true)
        for await (const item of stream) {
          after = item.id
          if (!isCurrent()) return
          for (const listener of this.#listeners) listener(item)
        }
      } catch (error) {
        if (needsToken(error)) return
      }
      if (!isCurrent()) return
      this.#setOn(false)
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }

  #setOn(isOn: boolean): void {
    this.isOn = isOn
    for (const listener of this.#stateListeners) listener(isOn)
  }
}

export const live = new Live()

/** Milliseconds until the first reload after an entry, so that entries that follow each other share it. */
const DELAY_MS = 250
/** The minimum milliseconds between two reloads. */
const INTERVAL_MS = 1000

/**
 * Calls `onChange` soon after new entries of these kinds (undefined: all), at most once per second. Returns a function
 * that does the same without an entry.
 */
export function useLive(
  wanted: readonly TimelineItem['kind'][] | ((item: TimelineItem) => boolean) | undefined,
  onChange: () => void,
): () => void {
  const latest = useRef({ wanted, onChange })
  latest.current = { wanted, onChange }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef(-Infinity)
  const schedule = useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        last.current = performance.now()
        latest.current.onChange()
      },
      Math.max(DELAY_MS, last.current + INTERVAL_MS - performance.now()),
    )
  }, [])
  useEffect(() => {
    const stop = live.listen((item) => {
      const { wanted: filter } = latest.current
      if (typeof filter === 'function' ? filter(item) : filter?.includes(item.kind) !== false) schedule()
    })
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [])
  return schedule
}

export function useIsLive(): boolean {
  const [isOn, setIsOn] = useState(live.isOn)
  useEffect(() => live.onState(setIsOn), [])
  return isOn
}
