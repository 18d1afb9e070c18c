/** HTTPS: the certificate, which can change while the server runs, and clients that send plain HTTP. */
import type { Server as PlainServer } from 'node:http'
import type { Server, ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { PLAIN_HTTP } from './clientErrors.ts'

/** A certificate, with the certificates between it and a trusted one, and its private key. Both are PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** The first byte of a TLS connection: a record of the handshake. */
const HANDSHAKE = 0x16

export class Tls {
  #pair: KeyPair
  #context: SecureContext
  #server: Server | null = null

  /** Throws if the two do not belong together. */
  constructor(pair: KeyPair) {
    this.#pair = pair
    this.#context = createSecureContext(pair)
  }

  get options(): ServerOptions {
    return {
      ...this.#pair,
      // The framework listens at the second address of "localhost" with a server of its own, which has only this.
      SNICallback: (_name, done) => {
        done(null, this.#context)
      },
    }
  }

  /** Uses another certificate for new connections. Throws, and keeps the current one, if the two do not belong together. */
  renew(pair: KeyPair): void {
    this.#context = createSecureContext(pair)
    this.#pair = pair
    this.#server?.setSecureContext(pair)
  }

  /** Passes connections with plain HTTP to the handler of client errors; `timeoutMs` is for the first byte. */
  protect(server: PlainServer, timeoutMs: number): void {
    this.#server = server as Server
    const [takeSecure] = server.listeners('connection') as ((socket: Socket) => void)[]
    if (!takeSecure) throw new Error('the HTTPS server has no listener of connections')
    server.off('connection', takeSecure)
    server.on('connection', (socket: Socket) => {
      const destroy = (): void => void socket.destroy()
      socket.on('error', destroy)
      socket.setTimeout(timeoutMs, destroy)
      socket.once('readable', () => {
        socket.setTimeout(0)
        socket.off('timeout', destroy)
        const first = socket.read() as Buffer | null
        if (first === null) {
          socket.destroy()
          return
        }
        if (first[0] === HANDSHAKE) {
          socket.unshift(first)
          takeSecure.call(server, socket)
        } else {
          const error = Object.assign(new Error('plain HTTP'), { code: PLAIN_HTTP, rawPacket: first })
          server.emit('clientError', error, socket)
        }
      })
    })
  }
}
