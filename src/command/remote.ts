/** The control plane of a server that runs, as the commands call it. */
import { fillPath } from '../library/path.ts'
import { Misuse, Problem } from './problem.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An event of a stream: `data` is what it says, parsed. */
export interface Told {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly title: string
  readonly causedBy: string | null
  readonly ref: string | null
}

export interface Answer {
  readonly status: number
  readonly text: string
}

/** A path with what a person wrote for its parameters; what can't stand in a path is Misuse, before any call is made. */
export function pathTo(template: string, values: Readonly<Record<string, string>>): string {
  try {
    return fillPath(template, values)
  } catch (error) {
    throw new Misuse((error as Error).message)
  }
}

export class Remote {
  readonly url: string
  readonly #token: string | undefined

  constructor(url: string, token?: string) {
    this.url = url.replace(/(?<!\/)\/+$/, '')
    this.#token = token
  }

  /** What a call answers with, parsed; null for none. `path` is below /_sim. A refusal is a Problem in its own words. */
  async call<Result = unknown>(method: Method, path: string, body?: unknown): Promise<Result> {
    const text = await this.text(method, path, body)
    return (text === '' ? null : parsed(text, this.url)) as Result
  }

  /** The same as text. */
  async text(method: Method, path: string, body?: unknown): Promise<string> {
    const { status, text } = await this.ask(method, `/_sim${path}`, body)
    if (status >= 400) throw new Problem(refusalIn(text, status))
    return text
  }

  /** The bytes of a file; `path` is below /_sim. */
  async bytes(path: string): Promise<Uint8Array> {
    const response = await this.#fetch('GET', `/_sim${path}`, undefined)
    if (response.status >= 400) throw new Problem(refusalIn(await response.text(), response.status))
    return new Uint8Array(await response.arrayBuffer())
  }

  /** Whatever it answers, refusals as well; `path` begins at the root of the server. */
  async ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
    const response = await this.#fetch(method, path, body, signal)
    return { status: response.status, text: await response.text() }
  }

  /** What the stream of a workspace tells, until it ends. */
  async *stream(workspace: string, seconds: number | undefined, signal: AbortSignal): AsyncGenerator<Told> {
    const query = seconds === undefined ? '' : `?wait=${String(seconds)}`
    const path = `${pathTo('/_sim/workspaces/{workspace}/stream', { workspace })}${query}`
    const response = await this.#fetch('GET', path, undefined, signal)
    if (response.status !== 200) throw new Problem(refusalIn(await response.text(), response.status))
    if (response.body) yield* eventsIn(response.body)
  }

  async #fetch(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new Problem(`${this.url} does not answer: ${causeOf(error)}`)
    }
  }
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield JSON.parse(data) as Told
    }
  }
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(`${url} answers, but not as a simulator does`)
  }
}

function refusalIn(text: string, status: number): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return `the server answered ${String(status)}`
  }
}

/** What fetch says is "fetch failed"; what it knows is in the cause. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
