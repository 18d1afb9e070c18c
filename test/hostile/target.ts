/** The attacked server, built and started, and the control plane calls of a run. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'
import { startServer, type Server } from '../support/serverProcess.ts'

export interface TargetOptions {
  /** An existing folder for its database. */
  readonly folder: string
  /** Receives each process, so that none outlives the run. */
  readonly watch: (child: ChildProcess) => void
  readonly flags?: readonly string[]
}

const ADMIN_TOKEN = 'hostile-admin-token'

/** The deadline of a call under any load. */
const DEADLINE_MS = 30_000

export interface Called {
  readonly status: number
  readonly text: string
  /** Parsed if it is JSON. */
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

  /** Calls with the admin token or the given credential. */
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

  /** Returns the body of a response that must be a 2xx. */
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

  /** Resident memory in MB: now, and the maximum so far. */
  memory(): { now: number; most: number } {
    const status = readFileSync(`/proc/${String(this.server.pid)}/status`, 'utf8')
    const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
    return { now: read('VmRSS'), most: read('VmHWM') }
  }
}

/** The id of a record in a response: {id}, {data: {id}}, {webhook: {id}, secret}. */
export function idIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id } = body as { id?: unknown }
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  return Object.values(body)
    .map(idIn)
    .find((each) => each !== undefined)
}
