/** Files for browsers, with an ETag, also compressed. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasTag } from '../../http/files/entityTags.ts'

const compress = promisify(gzip)

export interface Asset {
  readonly etag: string
  readonly plain: Buffer
  /** Returns the file compressed with gzip; null if its format is already compressed. */
  readonly compressed: () => Promise<Buffer> | null
}

/** Returns a file; a text is compressed when it is first needed. */
export function assetOf(plain: Buffer, isText = true): Asset {
  let compressed: Promise<Buffer> | null = null
  return {
    // Weak, because a compressed file has the same one.
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    compressed: () => (isText ? (compressed ??= compress(plain)) : null),
  }
}

/** A quality of 0 excludes a coding (RFC 9110, 12.5.3). */
const acceptsGzip = (codings = ''): boolean =>
  /\bgzip\b/.test(codings) && !/\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(codings)

/** Sends a file, or 304 if the browser has it. */
export async function sendAsset(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, plain, compressed }: Asset,
): Promise<FastifyReply> {
  void reply.headers({ etag, vary: 'accept-encoding' })
  const known = headers['if-none-match']
  if (reply.statusCode === 200 && known !== undefined && hasTag(known, etag)) return reply.code(304).send()
  const gzipped = acceptsGzip(headers['accept-encoding']) ? await compressed() : null
  return gzipped ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain)
}
