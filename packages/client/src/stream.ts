/** Reads the Server-Sent Events of a workspace's timeline. */
import type { ControlPlaneClient, Schema } from './calling.ts'
import { abortWithAny } from './globals.ts'

export interface StreamOptions {
  /** Continues after this timeline item, by its id. */
  readonly after?: string
  readonly signal?: AbortSignal
}

/**
 * A stream of a workspace's timeline. It connects immediately and has every event after `opened`. It ends
 * with its workspace, when a loop over it ends, and with `close()`.
 */
export class TimelineStream implements AsyncIterable<Schema<'TimelineItem'>>, AsyncDisposable {
  /** Resolves when the server has started to send; later events are not missed. */
  readonly opened: Promise<void>
  readonly #controller: AbortController = new AbortController()
  readonly #response: Promise<Response>
  #isRead = false

  constructor(calling: ControlPlaneClient, id: string, { after, signal, ...unknown }: StreamOptions = {}) {
    this.#response = calling.send('streamTimeline', {
      path: { id },
      // Passed on, because the server refuses unknown names.
      query: unknown,
      ...(after !== undefined && { headers: { 'last-event-id': after } }),
      signal: signal ? abortWithAny([signal, this.#controller.signal]) : this.#controller.signal,
    })
    this.opened = this.#response.then(() => undefined)
    // Readers of the stream get the error; others need not handle it.
    this.opened.catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Schema<'TimelineItem'>, void, undefined> {
    if (this.#isRead) throw new TypeError('A stream can be read only once. Open another one.')
    this.#isRead = true
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

/** Yields the data of each event. The server sends one data line per event, and comments in between. */
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
