/** What happens in a workspace, as it happens: one stream for the whole page, opened again when it breaks off. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { TimelineStream } from '../library/stream.ts'
import { server, wantsToken, type TimelineItem } from './server.ts'

type Listener = (item: TimelineItem) => void

/** Between attempts to open a stream that has broken off, in ms. */
const LONGEST_PAUSE = 10_000

class Live {
  readonly #listeners = new Set<Listener>()
  readonly #stateListeners = new Set<(isOn: boolean) => void>()
  #workspace = ''
  #stream: TimelineStream | null = null
  isOn = false

  /** Follows another workspace; what listens to the one before hears nothing more of that. */
  follow(workspace: string): void {
    if (workspace === this.#workspace) return
    this.#workspace = workspace
    this.#stream?.close()
    if (workspace !== '') void this.#read(workspace)
  }

  /** Opens the stream anew, with the token that there is now. */
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

  async #read(workspace: string): Promise<void> {
    let after: string | undefined
    for (let pause = 250; this.#workspace === workspace; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const stream = new TimelineStream(server(), workspace, after === undefined ? {} : { after })
      this.#stream = stream
      try {
        await stream.opened
        pause = 250
        this.#say(true)
        for await (const item of stream) {
          after = item.id
          if (this.#workspace !== workspace) return
          for (const tell of this.#listeners) tell(item)
        }
      } catch (error) {
        if (wantsToken(error)) return
      }
      if (this.#workspace !== workspace) return
      this.#say(false)
      await new Promise((over) => setTimeout(over, pause))
    }
  }

  #say(isOn: boolean): void {
    this.isOn = isOn
    for (const tell of this.#stateListeners) tell(isOn)
  }
}

export const live = new Live()

/** Calls back when something of these kinds has happened, at most a few times a second. */
export function useLive(kinds: readonly TimelineItem['kind'][], happened: () => void): void {
  const latest = useRef(happened)
  latest.current = happened
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = live.listen(({ kind }) => {
      if (!kinds.includes(kind)) return
      timer ??= setTimeout(() => {
        timer = undefined
        latest.current()
      }, 250)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [kinds.join()])
}

export function useIsLive(): boolean {
  const [isOn, setIsOn] = useState(live.isOn)
  useEffect(() => live.onState(setIsOn), [])
  return isOn
}
