/** A soak run: mixed traffic for a time, with samples of what the server holds in memory and on disk. */
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { ChildProcess } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../support/root.ts'
import { startServer, type Server } from '../support/serverProcess.ts'
import { lineOf, type Sample } from './report.ts'
import { Client, Tally } from './traffic.ts'

export interface SoakOptions {
  /** An empty folder for the database. */
  readonly folder: string
  readonly watch: (child: ChildProcess) => void
  readonly seconds: number
  readonly sampleSeconds: number
  /** Actions per second of all clients; most are one call, some are several. */
  readonly rate: number
  readonly seed: number
  readonly tell: (line: string) => void
}

export interface SoakReport {
  readonly samples: readonly Sample[]
  /** After all workspaces were deleted. */
  readonly last: Sample
  readonly calls: number
  readonly failures: readonly string[]
  readonly webhooks: number
}

const CLIENTS = 4
const FILE = 'soak.sqlite'

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { folder, seconds, sampleSeconds, rate, seed, tell } = options
  const receiver = await startReceiver(seed)
  const children: ChildProcess[] = []
  const server = await startServer(
    {
      binary: join(ROOT, 'dist/main.js'),
      args: ['--port', '0', '--db', FILE, '--fixtures', 'small', '--seed', 'soak'],
      folder,
      variables: {
        PATH: process.env['PATH'],
        NODE_OPTIONS: `--expose-gc --import ${join(ROOT, 'test/soak/heapProbe.mjs')}`,
      },
      probe: true,
    },
    (child) => {
      children.push(child)
      options.watch(child)
    },
  )
  const tally = new Tally()
  const began = performance.now()
  const sample = async (): Promise<Sample> =>
    sampleOf(server, children[0], folder, tally, (performance.now() - began) / 60_000)
  const samples: Sample[] = []
  const end = began + seconds * 1000
  const clients = Array.from(
    { length: CLIENTS },
    (_, index) => new Client(server.url, receiver.url, tally, seed * CLIENTS + index),
  )
  const traffic = Promise.all(clients.map((client) => drive(client, rate / CLIENTS, end)))
  for (let next = began + sampleSeconds * 1000; next <= end; next += sampleSeconds * 1000) {
    await pause(Math.max(0, next - performance.now()))
    const taken = await sample()
    samples.push(taken)
    tell(lineOf(taken))
  }
  await traffic
  for (const client of clients) await client.end()
  const last = await smallest(sample)
  tell(`without workspaces: ${lineOf(last)}`)
  await server.stop('SIGTERM')
  receiver.close()
  return { samples, last, calls: tally.calls, failures: tally.failures, webhooks: receiver.count() }
}

/** Makes a client act at a rate. A client that falls behind does not catch up. */
async function drive(client: Client, rate: number, end: number): Promise<void> {
  for (let next = performance.now(); next < end;) {
    // A failure is in the tally.
    await client.act().catch(() => undefined)
    next = Math.max(next + 1000 / rate, performance.now())
    await pause(Math.max(0, Math.min(next, end) - performance.now()))
  }
}

/** Samples until the file no longer shrinks, because the server deletes rows in the background. */
async function smallest(sample: () => Promise<Sample>): Promise<Sample> {
  let last = await sample()
  for (let same = 0; same < 4;) {
    await pause(500)
    const next = await sample()
    same = next.fileBytes === last.fileBytes && next.storedFiles === last.storedFiles ? same + 1 : 0
    last = next
  }
  return last
}

async function sampleOf(
  server: Server,
  child: ChildProcess | undefined,
  folder: string,
  tally: Tally,
  minutes: number,
): Promise<Sample> {
  const file = join(folder, FILE)
  const workspaces = (await (await fetch(`${server.url}/_sim/workspaces`)).json()) as { data: unknown[] }
  const reports = new Promise<{ heapBytes: number; longestHoldMs: number }>((resolve) => {
    let heapBytes: number | undefined
    const hear = (report: unknown): void => {
      const { heapBytes: heap, longestHoldMs } = report as Partial<Record<string, number>>
      heapBytes ??= heap
      if (longestHoldMs === undefined) return
      child?.off('message', hear)
      resolve({ heapBytes: heapBytes ?? 0, longestHoldMs })
    }
    child?.on('message', hear)
  })
  child?.send('memory')
  const { heapBytes, longestHoldMs } = await reports
  const status = readFileSync(`/proc/${String(server.pid)}/status`, 'utf8')
  return {
    minutes,
    heapBytes,
    longestHoldMs,
    rssBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
    descriptors: readdirSync(`/proc/${String(server.pid)}/fd`).length,
    walBytes: sizeOf(`${file}-wal`),
    fileBytes: sizeOf(file),
    storedFiles: storedFilesIn(join(folder, 'files', FILE)),
    workspaces: workspaces.data.length,
    ...tally.take(),
  }
}

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0)

const storedFilesIn = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f]{64}$/.test(name))
        .length
    : 0

interface Receiver {
  readonly url: string
  count(): number
  close(): void
}

/** Receives webhooks, and refuses one in ten, so that some are retried. */
async function startReceiver(seed: number): Promise<Receiver> {
  let count = 0
  const server: HttpServer = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      count++
      response.writeHead((count + seed) % 10 === 0 ? 500 : 204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/hooks`,
    count: () => count,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
