/** Where a recording is replayed: a running server, or one inside this process. */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { DEFAULT_URL } from '@suite-sim/kit/defaultUrl'
import { randomToken } from '@suite-sim/kit/random'
import type { Recording } from './format/recording.ts'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { causeOf } from '@suite-sim/kit/terminal/remote'

export interface TargetCall {
  readonly method: string
  /** The whole path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface TargetAnswer {
  /** 0 if the connection was cut. */
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly text: string
}

export interface Target {
  /** The URL in the links of its answers. */
  readonly origin: string
  /** True if the new workspace can have the id and the account number of the recorded one. */
  readonly isOwn: boolean
  /** The credentials of the control plane. */
  readonly credentials: Readonly<Record<string, string>>
  send(call: TargetCall): Promise<TargetAnswer>
  close(): Promise<void>
}

/** Returns a running server. */
export function remoteTarget(url: string, token: string | undefined): Target {
  const base = url.replace(/(?<!\/)\/+$/, '')
  return {
    origin: base,
    isOwn: false,
    credentials: token === undefined ? {} : { authorization: `Bearer ${token}` },
    async send({ method, path, headers, body }) {
      let response: Response
      try {
        response = await fetch(base + path, {
          method,
          headers,
          redirect: 'manual',
          ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
        })
      } catch (error) {
        const cause = causeOf(error)
        // A fault cuts connections without an answer.
        if (/other side closed|ECONNRESET|socket hang up/i.test(cause)) return CUT
        throw new UsageError(`${base} does not respond: ${cause}`)
      }
      return {
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        location: response.headers.get('location') ?? undefined,
        text: await response.text(),
      }
    },
    close: () => Promise.resolve(),
  }
}

const CUT: TargetAnswer = { status: 0, contentType: '', location: undefined, text: '' }

/** Starts a server in this process for one recording. Its database is in memory. */
export async function ownTarget({ workspace }: Recording): Promise<Target> {
  const { buildApp } = await import('../../../../src/index.ts')
  const origin = workspace?.publicUrl ?? DEFAULT_URL
  const token = randomToken()
  // The account of the conversations interface is the number of a workspace.
  const app = await buildApp({
    publicUrl: origin,
    adminToken: token,
    rateLimits: true,
    firstAccountId: workspace?.accountId,
  })
  const { host } = new URL(origin)
  const agent = new Agent({ keepAlive: true })
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  return {
    origin: origin.replace(/(?<!\/)\/+$/, ''),
    isOwn: true,
    credentials: { authorization: `Bearer ${token}` },
    send: (call) => sendTo(address, agent, { ...call, headers: { ...call.headers, host } }),
    async close() {
      agent.destroy()
      await app.close()
    },
  }
}

/** Sends a call to the server of this process, with the Host header of the recorded server. */
const sendTo = (
  address: URL,
  agent: Agent,
  { method, path, headers, body }: TargetCall,
): Promise<TargetAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = address
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(
      { hostname, port, agent, method, path, headers: { ...headers, ...length } },
      (response) => {
        text(response).then((content) => {
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            location: response.headers.location,
            text: content,
          })
        }, reject)
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A fault cuts connections without an answer.
      if (error.code === 'ECONNRESET') resolve(CUT)
      else reject(error)
    })
    sent.end(body)
  })
