/** Server-Sent Events as they come: what the timeline of a workspace gets. */
import type { Calling, Schema } from './calling.ts'

export interface StreamOptions {
  /** Goes on after this one: the id of something on the timeline. */
  readonly after?: string
  readonly signal?: AbortSignal
}

/**
 * What happens in a workspace, as it happens. It is opened when it is made, so that nothing is missed that happens
 * after `opened`; it ends with its workspace, when a loop over it is left, and by `close()`.
 */
export class TimelineStream implements AsyncIterable<Schema<'TimelineItem'>>, AsyncDisposable {
  /** Settles when the server has begun to tell; whoever waits for it misses nothing. */
  readonly opened: Promise<void>
  readonly #controller: AbortController = new AbortController()
  readonly #response: Promise<Response>
  #isTaken = false

  constructor(calling: Calling, id: string, { after, signal, ...unknown }: StreamOptions = {}) {
    this.#response = calling.send('streamTimeline', {
      path: { id },
      // The server refuses names that it does not know.
      query: unknown,
      ...(after !== undefined && { headers: { 'last-event-id': after } }),
      signal: signal ? AbortSignal.any([signal, this.#controller.signal]) : this.#controller.signal,
    })
    this.opened = this.#response.then(() => undefined)
    // Whoever reads the stream is told; whoever does not need not mind.
    this.opened.catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Schema<'TimelineItem'>, void, undefined> {
    if (this.#isTaken) throw new TypeError('A stream is read once; open another one.')
    this.#isTaken = true
    try {
      const { body } = await this.#response
      if (!body) return
      for await (const data of eventsIn(body)) yield JSON.parse(data) as Schema<'TimelineItem'>
    } catch (error) {
      if (!this.#controller.signal.aborted) throw error
    } finally {
      this.close()
    }
  }

  close(): void {
    this.#controller.abort()
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close()
    return Promise.resolve()
  }
}

/** The data of each event; the server sends one line of it for each, and comments in between. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let unread = ''
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    unread += decoder.decode(chunk, { stream: true })
    const lines = unread.split('\n')
    unread = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
  }
}
