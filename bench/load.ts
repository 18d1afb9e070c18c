/**
 * Raw requests and the load generators: wrk if it is installed, because it leaves more CPU to the server,
 * else a process of the bench. Both sides of a comparison always use the same one.
 */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Load, Loaded, Prepare } from './companions/client.ts'
import { Companion, scratch, track } from './processes.ts'
import { KEY } from './records.ts'
import { CONNECTIONS } from './settings.ts'

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/** wrk accepts whole seconds only. */
const usesWrk = (seconds: number): boolean => hasWrk && Number.isInteger(seconds)

export const generatorFor = (seconds: number): string =>
  usesWrk(seconds) ? 'wrk' : "the bench's own client, which uses more CPU than wrk"

const CREDENTIAL = `authorization: Bearer ${KEY}`

export function request(method: string, path: string, body?: object, credential = CREDENTIAL): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}\r\n`
  if (!body) return `${head}\r\n`
  const text = JSON.stringify(body)
  return `${head}content-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(text))}\r\n\r\n${text}`
}

/** Returns a form as a browser sends it, or with a credential. */
export function form(path: string, fields: Readonly<Record<string, string>>, credential = ''): string {
  const text = new URLSearchParams(fields).toString()
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential && `${credential}\r\n`}`
  return `${head}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${String(Buffer.byteLength(text))}\r\n\r\n${text}`
}

/** Concurrent writes during a measurement, which invalidate a server's caches. */
export interface Beside {
  readonly load: string
  readonly perSecond: number
}

export const rate = ({ requests, seconds }: Omit<Loaded, 'p99'>): number => requests / seconds

export class Client {
  readonly #companion = new Companion<Prepare | Load, Loaded | null>('client')
  readonly #writer = new Companion<Prepare | Load, Loaded | null>('client')
  readonly #files = new Map<string, RequestFile>()

  async prepare(name: string, requests: readonly string[]): Promise<void> {
    await this.#companion.ask({ prepare: name, requests })
    await this.#writer.ask({ prepare: name, requests })
    if (hasWrk) this.#files.set(name, new RequestFile(name, requests))
  }

  /** Sends for some seconds; returns responses per second. */
  async perSecond(url: string, load: string, seconds: number, beside?: Beside): Promise<number> {
    return rate(await this.forSeconds(url, load, seconds, beside))
  }

  async forSeconds(
    url: string,
    load: string,
    seconds: number,
    beside?: Beside,
  ): Promise<Omit<Loaded, 'p99'>> {
    const until = { seconds }
    const writing =
      beside &&
      this.#writer.ask({ load: beside.load, url, connections: 1, until, restMs: 1000 / beside.perSecond })
    const file = usesWrk(seconds) ? this.#files.get(load) : undefined
    const loaded = file
      ? await file.send(url, seconds)
      : await run(this.#companion, { load, url, connections: CONNECTIONS, until })
    await writing
    return loaded
  }

  /** Sends a number of requests on some connections; returns the seconds. */
  async secondsFor(url: string, load: string, requests: number, connections: number): Promise<number> {
    return (await run(this.#companion, { load, url, connections, until: { requests } })).seconds
  }

  /** Sends for some seconds, with a pause after each response; returns the 99th percentile in ms. */
  async slowestOfHundred(url: string, load: string, seconds: number): Promise<number> {
    return (
      await run(this.#companion, { load, url, connections: CONNECTIONS, until: { seconds }, restMs: 2 })
    ).p99
  }

  async stop(): Promise<void> {
    await Promise.all([this.#companion.stop(), this.#writer.stop()])
  }
}

async function run(companion: Companion<Prepare | Load, Loaded | null>, load: Load): Promise<Loaded> {
  const loaded = await companion.ask(load)
  if (!loaded) throw new Error('the client answered a load like a preparation')
  return loaded
}

/** A wrk script that repeats the requests of a file, from a given position. */
const SCRIPT = `
local requests, position = {}, 0
function init(args)
  local file = io.open(args[1], "rb")
  for text in file:read("*a"):gmatch("[^%z]+") do requests[#requests + 1] = text end
  position = tonumber(args[2])
end
function request()
  position = position % #requests + 1
  return requests[position]
end
`

/** Requests for wrk. Each server continues where its last load stopped. */
class RequestFile {
  readonly #file: string
  readonly #count: number
  readonly #positions = new Map<string, number>()

  constructor(name: string, requests: readonly string[]) {
    this.#file = scratch(`requests-${name}`)
    this.#count = requests.length
    writeFileSync(this.#file, requests.join('\0'))
  }

  async send(url: string, seconds: number): Promise<Omit<Loaded, 'p99'>> {
    const script = scratch('requests.lua')
    writeFileSync(script, SCRIPT)
    const args = ['-t1', `-c${String(CONNECTIONS)}`, `-d${String(seconds)}s`, '-s', script, url, '--']
    const position = this.#positions.get(url) ?? 0
    const running = promisify(execFile)('wrk', [...args, this.#file, String(position)])
    track(running.child)
    const { stdout } = await running
    const wrkError = /Non-2xx.*|Socket errors.*/.exec(stdout)
    if (wrkError) throw new Error(`wrk reported errors at ${url}: ${wrkError[0]}`)
    const [, requests] = /(\d+) requests in/.exec(stdout) ?? []
    const [, perSecond] = /Requests\/sec: *([\d.]+)/.exec(stdout) ?? []
    const answered = Number(requests)
    this.#positions.set(url, (position + answered) % this.#count)
    return { requests: answered, seconds: answered / Number(perSecond) }
  }
}
