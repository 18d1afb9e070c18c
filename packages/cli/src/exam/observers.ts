/** How the exam observes what the receiver did: at a URL, or at the records of a workspace. */
import { causeOf, type Remote, pathOf } from '@suite-sim/kit/terminal/remote'
import { CommandError } from '@suite-sim/kit/terminal/problem'

/** What an observer sees. */
export interface Observation {
  /** Grows with the work that the receiver has done. */
  readonly count: number
  /** The ids of the events that it has worked on, one for each time; null if it shows none. */
  readonly ids: readonly string[] | null
  /** The ids of the events whose content it shows now; null if it does not say. */
  readonly current: readonly string[] | null
}

/** Returns a URL for reports: its query may have a token. */
export const withoutQuery = (url: string): string => url.replace(/\?[^]*/, '?…')

export interface Observer {
  observe(): Promise<Observation>
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1_048_576

const CONTRACT =
  'must answer a JSON number, a list, or an object with "count" or "processed" (docs/exam.md, "What the receiver did")'

/** Observes a URL of the receiver. */
export class UrlObserver implements Observer {
  readonly #url: string
  /** For messages. */
  readonly #name: string

  constructor(url: string) {
    this.#url = url
    this.#name = withoutQuery(url)
  }

  async observe(): Promise<Observation> {
    const found = observationIn(await this.#get())
    if (found === null) throw new CommandError(`--observe ${this.#name} ${CONTRACT}`)
    return found
  }

  async #get(): Promise<unknown> {
    const response = await this.#fetch()
    if (!response.ok) throw new CommandError(`--observe ${this.#name} answered ${String(response.status)}`)
    const chunks: Uint8Array[] = []
    let length = 0
    try {
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        length += chunk.length
        if (length > MAX_BYTES) break
        chunks.push(chunk)
      }
    } catch (error) {
      throw new CommandError(`--observe ${this.#name} does not respond: ${causeOf(error)}`)
    }
    if (length > MAX_BYTES) {
      throw new CommandError(`--observe ${this.#name} must answer at most ${String(MAX_BYTES)} bytes`)
    }
    try {
      return JSON.parse(Buffer.concat(chunks).toString())
    } catch {
      throw new CommandError(`--observe ${this.#name} ${CONTRACT}`)
    }
  }

  async #fetch(): Promise<Response> {
    try {
      return await fetch(this.#url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch (error) {
      throw new CommandError(`--observe ${this.#name} does not respond: ${causeOf(error)}`)
    }
  }
}

/** Returns what an answer says; null if it is none of the contract. */
function observationIn(answer: unknown): Observation | null {
  if (typeof answer === 'number') return observationOf(answer, null)
  if (Array.isArray(answer)) return observationOf(answer.length, answer)
  if (typeof answer !== 'object' || answer === null) return null
  const { count, processed, current } = answer as Readonly<Record<string, unknown>>
  const list = Array.isArray(processed) ? processed : null
  const total = list?.length ?? processed ?? count
  return typeof total === 'number' ? observationOf(total, list, current) : null
}

const observationOf = (count: number, ids: readonly unknown[] | null, current?: unknown): Observation => ({
  count,
  // A copy, because a function may return a list that grows.
  ids: ids?.every((id) => typeof id === 'string') === true ? [...ids] : null,
  current: Array.isArray(current) ? current.map(String) : null,
})

/** Counts the records that a workspace has more than when it was made. */
export class WorkspaceObserver implements Observer {
  readonly #remote: Remote
  readonly #path: string

  constructor(remote: Remote, workspace: string) {
    this.#remote = remote
    this.#path = `${pathOf(workspace)}/diff?limit=1`
  }

  async observe(): Promise<Observation> {
    const { summary } = await this.#remote.call<{ summary: { added: number } }>('GET', this.#path)
    return { count: summary.added, ids: null, current: null }
  }
}

/** Observes with a function that answers as a URL does. */
export class FunctionObserver implements Observer {
  readonly #answer: () => unknown

  constructor(answer: () => unknown) {
    this.#answer = answer
  }

  async observe(): Promise<Observation> {
    const found = observationIn(await this.#ask())
    if (found === null) throw new CommandError(`--observe ${CONTRACT}`)
    return found
  }

  async #ask(): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(reject, TIMEOUT_MS, new Error(`no answer within ${String(TIMEOUT_MS / 1000)} s`))
    })
    try {
      return await Promise.race([this.#answer(), late])
    } catch (error) {
      // Errors of a test in a VM, such as that of Jest, have a class of their own.
      const { message } = Object(error) as { readonly message?: unknown }
      throw new CommandError(`--observe failed: ${String(message ?? error)}`)
    } finally {
      clearTimeout(timer)
    }
  }
}
