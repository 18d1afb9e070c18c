/** The server that is attacked, as it is built and started, and the calls of its control plane that a run is made with. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'
import { startServer, type Server } from '../support/serverProcess.ts'

export interface TargetOptions {
  /** A folder for its database, which is there already. */
  readonly folder: string
  /** Gets each process, so that none outlives the run. */
  readonly watch: (child: ChildProcess) => void
  readonly flags?: readonly string[]
}

const ADMIN_TOKEN = 'hostile-admin-token'

/** A call is answered within this time, however many others there are. */
const DEADLINE_MS = 30_000

export interface Called {
  readonly status: number
  readonly text: string
  /** Parsed where it is JSON. */
  readonly body: unknown
}

export class Target {
  readonly server: Server
  readonly adminToken = ADMIN_TOKEN
  readonly port: number

  private constructor(server: Server) {
    this.server = server
    this.port = Number(new URL(server.url).port)
  }

  static async start({ folder, watch, flags = [] }: TargetOptions): Promise<Target> {
    const args = [
      ...['serve', '--port', '0', '--db', join(folder, 'suite.sqlite'), '--admin-token', ADMIN_TOKEN],
      ...['--rate-limits', 'off', '--webhook-http-hosts', '127.0.0.1', ...flags],
    ]
    const variables = { PATH: process.env['PATH'] }
    const binary = join(ROOT, 'dist/main.js')
    return new Target(await startServer({ binary, args, folder, variables, probe: true }, watch))
  }

  /** Calls with the admin token, or with the credential that is given. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Called> {
    const credentials = headers ?? { authorization: `Bearer ${ADMIN_TOKEN}` }
    const answer = await fetch(this.server.url + path, {
      method,
      headers: { ...credentials, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, text, body: isJson ? (JSON.parse(text) as unknown) : undefined }
  }

  /** The body of an answer that has to be a 2xx. */
  async must<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Body> {
    const answer = await this.call(method, path, body, headers)
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as Body
  }

  /** Resident memory in MB: now, and at most so far. */
  memory(): { now: number; most: number } {
    const status = readFileSync(`/proc/${String(this.server.pid)}/status`, 'utf8')
    const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
    return { now: read('VmRSS'), most: read('VmHWM') }
  }
}

/** The id of a record in what a call answered: {id}, {data: {id}}, {webhook: {id}, secret}. */
export function idIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id } = body as { id?: unknown }
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  return Object.values(body)
    .map(idIn)
    .find((each) => each !== undefined)
}
