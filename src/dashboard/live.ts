/** The live timeline of a workspace: one stream for the whole page, which reconnects when it breaks. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { TimelineStream } from '../library/stream.ts'
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

/** Calls `onChange` after new entries of these kinds (undefined: all), at most once in the interval. */
export function useLive(
  kinds: readonly TimelineItem['kind'][] | undefined,
  onChange: () => void,
  intervalMs = 250,
): void {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = live.listen(({ kind }) => {
      if (kinds?.includes(kind) === false) return
      timer ??= setTimeout(() => {
        timer = undefined
        latest.current()
      }, intervalMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [kinds?.join()])
}

export function useIsLive(): boolean {
  const [isOn, setIsOn] = useState(live.isOn)
  useEffect(() => live.onState(setIsOn), [])
  return isOn
}
