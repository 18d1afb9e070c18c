/**
 * Decodes the bodies of requests (Content-Encoding: RFC 9110, 8.4). The limits of a body apply to what it decodes to, as
 * it is read, so that a small body can't become a large one.
 */
import { Readable, type Transform } from 'node:stream'
import type Zlib from 'node:zlib'
import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import { Refusal } from '../../state/model/refusal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The decoded body, if the client has encoded it. */
    decodedBody?: Readable
  }
}

/** Bits of the first byte of the zlib format, in which "deflate" is specified. Some clients send it without (RFC 9110, 8.4.1.2). */
const isZlib = (first: number): boolean => (first & 0x0f) === 8

const DECODERS: Readonly<Record<string, (zlib: typeof Zlib, first: number) => Transform>> = {
  gzip: (zlib) => zlib.createGunzip(),
  'x-gzip': (zlib) => zlib.createGunzip(),
  deflate: (zlib, first) => (isZlib(first) ? zlib.createInflate() : zlib.createInflateRaw()),
  br: (zlib) => zlib.createBrotliDecompress(),
}

/** Maximum characters of the coding in a message. */
const MAX_SHOWN = 50

/** Returns the stream of the body, decoded if the client has encoded it. */
export const bodyStreamOf = ({ decodedBody, raw }: FastifyRequest): Readable => decodedBody ?? raw

/** Replaces an encoded body by its content. Runs after the key was checked. */
export const decodeBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const { 'content-encoding': sent = '', 'content-length': length } = request.headers
  const coding = sent.trim().toLowerCase()
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0
  if (coding === '' || coding === 'identity' || !hasBody || request.is404) {
    done(null, payload)
    return
  }
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined
  if (!decoder) {
    const message = `The content encoding ${coding.slice(0, MAX_SHOWN)} is not supported here; send the body with gzip, deflate or br, or without an encoding.`
    done(
      new Refusal('unsupported_media_type', message, { headers: { 'accept-encoding': 'gzip, deflate, br' } }),
    )
    return
  }
  const { raw } = request
  raw.once('readable', () => {
    void import('node:zlib').then((zlib) => {
      const first = raw.read(1) as Buffer | null
      if (first) raw.unshift(first)
      request.decodedBody = decode(raw, coding, decoder(zlib, first?.[0] ?? 0))
      done(null, request.decodedBody)
    }, done)
  })
}

function decode(raw: FastifyRequest['raw'], coding: string, decoder: Transform): Readable {
  let receivedEncodedLength = 0
  raw.on('data', (piece: Buffer) => (receivedEncodedLength += piece.length))
  raw.once('close', () => {
    if (!raw.complete) decoder.destroy(new Error('the connection was cut'))
  })
  const content = Readable.from(contentOf(raw.pipe(decoder), coding), { objectMode: false })
  // Stays when the reader of the body has left, because an error without a listener ends the process.
  content.on('error', () => undefined)
  // Fastify compares it with the Content-Length.
  return Object.defineProperty(content, 'receivedEncodedLength', { get: () => receivedEncodedLength })
}

async function* contentOf(decoder: Readable, coding: string): AsyncGenerator<Buffer, void> {
  try {
    for await (const piece of decoder as AsyncIterable<Buffer>) yield piece
  } catch (error) {
    throw new Refusal('malformed', `The body is not valid ${coding}: ${(error as Error).message}.`)
  }
}
