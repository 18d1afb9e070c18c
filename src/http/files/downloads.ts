/**
 * Serves stored files at their links (`fileLinks.ts`): whole files and ranges, with the detected content
 * type.
 */
import type { IncomingMessage } from 'node:http'
import send from '@fastify/send'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { storeOf } from '../../state/files/fileCleanup.ts'
import { storedFiles, type StoredFile } from '../../state/shared/storedFiles.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { Resource } from '../definition/definition.ts'
import { hasStrongTag, hasTag, isSameStrong } from './entityTags.ts'
import { isSigned } from './fileLinks.ts'
import { filenames } from './filenames.ts'

interface Asked {
  readonly Params: { readonly workspace: string; readonly file: string }
  readonly Querystring: { readonly expires?: unknown; readonly signature?: unknown }
}

export const downloads: Resource = (app, _options) => {
  app.route<Asked>({
    method: ['GET', 'HEAD'],
    url: '/:workspace/:file/:name',
    handler: async (request, reply) => {
      const file = fileAt(request)
      // Strong, because the hash is that of all bytes.
      const etag = `"${file.hash}"`
      void reply.header('etag', etag)
      const { 'if-match': wanted, 'if-none-match': known } = request.headers
      if (wanted !== undefined && !hasStrongTag(wanted, etag)) return reply.code(412).send()
      if (known !== undefined && hasTag(known, etag)) return reply.code(304).headers(CACHED).send()
      const { root, path } = storeOf(request.server.workspaces.database).locationOf(file.hash)
      const sent = await send(withoutTags(request, etag), path.replaceAll('\\', '/'), {
        root,
        contentType: false,
        dotfiles: 'allow',
        etag: false,
        // `answer` sets the header, because links expire.
        cacheControl: false,
      })
      if (sent.type === 'directory') return refuse('not_found', NO_FILE)
      if (sent.type === 'error' && sent.statusCode === 404) return refuse('not_found', NO_FILE)
      // 412, or 416 with the size.
      if (sent.type === 'error') {
        const { 'Content-Range': size } = sent.headers
        return reply
          .code(sent.statusCode)
          .headers(size === undefined ? {} : { 'content-range': size })
          .send()
      }
      return answer(reply, file, sent)
    },
  })
  return Promise.resolve()
}

/** Links expire, so only the browser itself keeps the files. */
const CACHED = { 'cache-control': 'private, max-age=3600' }

/**
 * Returns the request with the conditions on times and the range alone. Conditions on tags come before those on times
 * (RFC 9110, 13.2.2), and a range applies only to a GET whose If-Range has this strong tag.
 */
function withoutTags({ raw, headers }: FastifyRequest, etag: string): IncomingMessage {
  const {
    range,
    'if-match': wanted,
    'if-none-match': known,
    'if-range': ifRange,
    'if-modified-since': modified,
    'if-unmodified-since': unmodified,
  } = headers
  const tagOfRange = typeof ifRange === 'string' && ifRange.includes('"') ? ifRange.trim() : null
  const isRange = raw.method === 'GET' && (tagOfRange === null || isSameStrong(tagOfRange, etag))
  const kept = {
    ...(range !== undefined && isRange && { range }),
    ...(ifRange !== undefined && tagOfRange === null && { 'if-range': ifRange }),
    ...(modified !== undefined && known === undefined && { 'if-modified-since': modified }),
    ...(unmodified !== undefined && wanted === undefined && { 'if-unmodified-since': unmodified }),
  }
  return { method: raw.method, headers: kept } as IncomingMessage
}

const NO_FILE = 'The file does not exist or was deleted.'

function fileAt({ params, query, server }: FastifyRequest<Asked>): StoredFile {
  const workspace = server.workspaces.find(params.workspace)
  const { expires, signature } = query
  const until = typeof expires === 'string' && /^\d{1,12}$/.test(expires) ? Number(expires) : NaN
  if (!workspace || typeof signature !== 'string' || !isSigned(workspace, params.file, until, signature)) {
    return refuse('forbidden', 'The link was not issued by this server.')
  }
  workspace.lifetime.touch()
  if (workspace.now() >= until * 1000) {
    refuse('forbidden', 'The link has expired. Fetch the record of the file again for a new link.')
  }
  return storedFiles.find(workspace, params.file) ?? refuse('not_found', NO_FILE)
}

/** Types that browsers display without running code. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|video\/[\w.+-]+|audio\/[\w.+-]+|application\/pdf|text\/plain)$/

function answer(
  reply: FastifyReply,
  { name, contentType }: StoredFile,
  { statusCode, headers, stream }: Awaited<ReturnType<typeof send>>,
): FastifyReply {
  const isShown = SHOWN.test(contentType)
  return reply
    .code(statusCode)
    .headers(headers)
    .headers({
      'content-type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${filenames(name)}`,
      ...CACHED,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      // Pages of integrators embed the simulator's pictures.
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(stream)
}
