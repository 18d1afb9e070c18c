/**
 * Serves the guide, the static site that `npm run docs:build` writes to dist/guide. It contains no data, so it needs no
 * token. Files are read when they are requested, so that a start does not wait for them and a new build shows at once.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../state/model/refusal.ts'
import type { ControlResource } from '../shared/dialect.ts'
import { assetOf, sendAsset } from './asset.ts'

/** The colors of code are inline styles. Scripts are files: the build moves the inline ones (docs/.vitepress). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** The types whose content refers to the base path and can be compressed. */
const TEXTS: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

const NOT_BUILT =
  'The guide is not built. Run `npm run docs:build` in the folder of the simulator, then reload this page.'

const BUILDING = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>Suite Simulator: guide</title>
<link rel="icon" href="data:,">
</head>
<body>
<p role="status">The guide is being built, which takes about half a minute. This page reloads until it is there.</p>
</body>
</html>
`

const BASE = '/_sim/guide/'

const OPEN = { config: { isOpen: true } }

export const guide: ControlResource = async (app, context) => {
  /** The path of the public URL, below which a proxy serves this server. The site was built without it. */
  const prefix =
    context.publicUrl === null ? '' : new URL(context.publicUrl).pathname.replace(/(?<!\/)\/+$/, '')

  const send = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path
    const file = await context.guideFile(name)
    if (file !== null) return sendFile(request, reply, name, file)
    const notFound = await context.guideFile('404.html')
    if (notFound === null) return sendUnbuilt(reply)
    return sendFile(request, reply.code(404), '404.html', notFound)
  }

  let state: 'missing' | 'building' | 'failed' = 'missing'

  /** Starts one build, and answers with a page that waits for it. */
  const sendUnbuilt = (reply: FastifyReply): FastifyReply => {
    if (context.buildGuide === null || state === 'failed') throw new Refusal('not_found', NOT_BUILT)
    if (state === 'missing') {
      state = 'building'
      context.buildGuide().then(
        () => (state = 'missing'),
        (error: unknown) => {
          state = 'failed'
          app.log.error({ err: error }, 'the guide could not be built')
        },
      )
    }
    return reply
      .code(503)
      .type('text/html; charset=utf-8')
      .headers({ ...HEADERS, 'retry-after': '2', 'cache-control': 'no-store' })
      .send(BUILDING)
  }

  const sendFile = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    file: Buffer,
  ): Promise<FastifyReply> => {
    const extension = name.slice(name.lastIndexOf('.') + 1)
    const textType = TEXTS[extension]
    const content = textType !== undefined && prefix !== '' ? moveTo(prefix, file) : file
    // The names of assets contain a hash of their content, but not the prefix.
    const isImmutable = name.startsWith('assets/') && prefix === ''
    void reply
      .type(textType ?? IMAGES[extension] ?? 'application/octet-stream')
      .headers(HEADERS)
      .header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    return sendAsset(request, reply, assetOf(content, textType !== undefined))
  }

  // Relative, because a proxy may serve the guide below any path.
  app.get('/guide', OPEN, (_request, reply) => reply.redirect('guide/'))

  app.get('/guide/', OPEN, (request, reply) => send(request, reply, ''))

  app.get<{ Params: { '*': string } }>('/guide/*', OPEN, (request, reply) =>
    send(request, reply, request.params['*']),
  )
}

/** Returns a text of the site with the base path below which a proxy serves it. */
const moveTo = (prefix: string, file: Buffer): Buffer =>
  Buffer.from(file.toString('utf8').replaceAll(BASE, () => `${prefix}${BASE}`))
