/** Requests as they go over the wire, and the process that sends them. */
import { Companion } from './processes.ts'
import type { Load, Loaded, Prepare } from './companions/client.ts'
import { KEY } from './records.ts'
import { CONNECTIONS } from './settings.ts'

export function request(method: string, path: string, body?: object): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${KEY}\r\n`
  if (!body) return `${head}\r\n`
  const text = JSON.stringify(body)
  return `${head}content-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(text))}\r\n\r\n${text}`
}

/** Writes that are sent while something else is measured, so that what a server remembers grows old. */
export interface Beside {
  readonly load: string
  readonly perSecond: number
}

export const rate = ({ requests, seconds }: Loaded): number => requests / seconds

export class Client {
  readonly #companion = new Companion<Prepare | Load, Loaded | null>('client')

  async prepare(name: string, requests: readonly string[]): Promise<void> {
    await this.#companion.ask({ prepare: name, requests })
  }

  /** Sends for so long; answers with how many requests were answered in a second. */
  async perSecond(url: string, load: string, seconds: number, beside?: Beside): Promise<number> {
    return rate(await this.forSeconds(url, load, seconds, beside))
  }

  forSeconds(url: string, load: string, seconds: number, beside?: Beside): Promise<Loaded> {
    return this.#run({
      load,
      url,
      connections: CONNECTIONS,
      until: { seconds },
      ...(beside && { beside }),
    })
  }

  /** Sends so many, on so many connections; answers with the seconds that it took. */
  async secondsFor(url: string, load: string, requests: number, connections: number): Promise<number> {
    return (await this.#run({ load, url, connections, until: { requests } })).seconds
  }

  async #run(load: Load): Promise<Loaded> {
    const loaded = await this.#companion.ask(load)
    if (!loaded) throw new Error('a load was answered like a preparation')
    return loaded
  }

  stop(): Promise<void> {
    return this.#companion.stop()
  }
}
