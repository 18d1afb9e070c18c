/** Shards behind HAProxy with the shipped configuration, for tests and for `npm run shards`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'
import { startServer, type Server } from '../support/serverProcess.ts'

export const ADMIN_TOKEN = 'shards-admin-token'

export const CONFIG = join(ROOT, 'deploy/haproxy/haproxy.cfg')

/** Clock ticks per second in /proc/PID/stat; 100 on all Linux platforms of Node. */
const TICKS_PER_SECOND = 100

export interface ClusterOptions {
  readonly names: readonly string[]
  /** The folder of the shards' databases. */
  readonly folder: string
  /** Registers each process, so that it ends with the test. */
  readonly watch: (child: ChildProcess) => void
}

/** One shard; it can be killed and started again at the same address with the same file. */
export class Shard {
  readonly name: string
  /** Its own URL, past the proxy. */
  readonly url: string
  readonly #options: ClusterOptions & { readonly publicUrl: string }
  #server: Server | null = null

  constructor(name: string, port: number, options: ClusterOptions & { readonly publicUrl: string }) {
    this.name = name
    this.url = `http://127.0.0.1:${String(port)}`
    this.#options = options
  }

  async start(): Promise<void> {
    const { folder, publicUrl, watch } = this.#options
    const { port } = new URL(this.url)
    const args = [
      ...['serve', '--port', port, '--db', join(folder, `${this.name}.sqlite`)],
      ...['--fixtures', this.name === 's1' ? 'demo' : 'none'],
      ...['--shard', this.name, '--admin-token', ADMIN_TOKEN, '--public-url', publicUrl],
      ...['--webhook-http-hosts', '*', '--rate-limits', 'off', '--trusted-proxies', '127.0.0.1'],
    ]
    const launch = { binary: join(ROOT, 'dist/main.js'), args, folder, probe: false }
    const variables = { PATH: process.env['PATH'], TMPDIR: folder }
    this.#server = await startServer({ ...launch, variables }, watch)
  }

  /** Ends the process with a signal, and starts it again. */
  async restart(signal: NodeJS.Signals): Promise<void> {
    await this.#server?.stop(signal)
    await this.start()
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    await this.#server?.stop(signal)
  }

  /** CPU seconds that its process has used. */
  get cpuSeconds(): number {
    return cpuSecondsOf(this.#server?.pid)
  }

  /** Calls its control plane past the proxy. */
  async sim<Result>(path: string): Promise<Result> {
    return (await simAt(this.url, 'GET', path)).body as Result
  }
}

export interface Reply {
  readonly status: number
  readonly shard: string | null
  readonly headers: Headers
  readonly body: unknown
}

/** Calls a URL; returns the parsed JSON of the answer, or its text. */
export async function ask(url: string, init: RequestInit = {}): Promise<Reply> {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  return {
    status: answer.status,
    shard: answer.headers.get('x-sim-shard'),
    headers: answer.headers,
    body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text,
  }
}

/** Calls a control plane with the admin token. */
export const simAt = (url: string, method: string, path: string, body?: object): Promise<Reply> =>
  ask(`${url}/_sim${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

const cpuSecondsOf = (pid = 0): number => {
  const [, user = 0, system = 0] =
    /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'))?.map(Number) ?? []
  return (user + system) / TICKS_PER_SECOND
}

export class Cluster {
  /** The URL of the proxy. */
  readonly url: string
  readonly shards: readonly Shard[]
  #proxy: ChildProcess | null = null

  private constructor(url: string, shards: readonly Shard[]) {
    this.url = url
    this.shards = shards
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    mkdirSync(options.folder, { recursive: true })
    const [proxyPort = 0, ...ports] = await freePorts(options.names.length + 1)
    const url = `http://127.0.0.1:${String(proxyPort)}`
    const shards = options.names.map(
      (name, index) => new Shard(name, ports[index] ?? 0, { ...options, publicUrl: url }),
    )
    const cluster = new Cluster(url, shards)
    await Promise.all(shards.map((shard) => shard.start()))
    await cluster.#startProxy(options.watch)
    return cluster
  }

  shard(name: string | null): Shard {
    const found = this.shards.find((each) => each.name === name)
    if (!found) throw new Error(`there is no shard ${String(name)}`)
    return found
  }

  /** Calls the control plane through the proxy. */
  sim(method: string, path: string, body?: object): Promise<Reply> {
    return simAt(this.url, method, path, body)
  }

  /** CPU seconds of the proxy. */
  get proxyCpuSeconds(): number {
    return cpuSecondsOf(this.#proxy?.pid)
  }

  async stop(): Promise<void> {
    this.#proxy?.kill('SIGKILL')
    await Promise.all(this.shards.map((shard) => shard.stop('SIGKILL')))
  }

  async #startProxy(watch: (child: ChildProcess) => void): Promise<void> {
    const addresses = this.shards.map(({ name, url }) => [`SIM_${name.toUpperCase()}`, new URL(url).host])
    const child = spawn('haproxy', ['-db', '-f', CONFIG], {
      env: {
        PATH: process.env['PATH'],
        SIM_BIND: new URL(this.url).host,
        ...(Object.fromEntries(addresses) as Record<string, string>),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    watch(child)
    this.#proxy = child
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const ended = once(child, 'close').then(() => {
      throw new Error(`haproxy ended: ${errors}`)
    })
    await Promise.race([ended, this.#isReady()])
    ended.catch(() => undefined)
  }

  /** Resolves when the proxy sends calls to each shard. */
  async #isReady(): Promise<void> {
    const paths = ['/_proxy/health', ...this.shards.map(({ name }) => `/_sim/health?shard=${name}`)]
    for (const path of paths) {
      while ((await ask(this.url + path).catch(() => null))?.status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Returns ports of this machine that nothing listens on. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
