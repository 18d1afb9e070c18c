/**
 * The dashboard: a page whose script speaks the public calls of the control plane and nothing else. The page and what it is
 * shown by hold nothing of anybody, so they are open; the script asks for the token once a call wants one.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../http/definition.ts'
import type { ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Asked again each time, for another version of the server has others.
  'cache-control': 'no-cache',
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What e-mails are shown in: they bring styles of their own, and nothing of them runs or calls on anybody. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** Addresses are relative, for a proxy may put the server below any path. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Suite Simulator</title>
<link rel="icon" href="dashboard/icon.svg">
<link rel="stylesheet" href="dashboard/app.css">
<script type="module" src="dashboard/app.js"></script>
</head>
<body>
<noscript>The dashboard is shown by a script; all that it does are calls of the control plane, which docs/control-plane.md tells of.</noscript>
<div id="app"></div>
</body>
</html>
`

const MAIL_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>E-mail</title></head><body></body></html>
`

const FILES = {
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const

const OPEN = { isOpen: true }

interface Asset {
  readonly etag: string
  readonly plain: Buffer
  readonly packed: Buffer
}

const compress = promisify(gzip)

export const dashboard =
  (context: ControlContext): Resource =>
  async (app) => {
    app.get(
      '/',
      {
        prefixTrailingSlash: 'slash',
        config: {
          ...controlOperation('Documentation', {
            id: 'getDashboard',
            summary: 'Show the dashboard',
            description:
              'A page that looks into the simulator and steers it, by the calls of the control plane. A browser gets it ' +
              'without the token, which the page then asks for.',
            answers: { 200: Type.String({ contentMediaType: 'text/html' }) },
          }),
          isShell: true,
        },
      },
      (_request, reply) =>
        reply
          .type('text/html; charset=utf-8')
          .headers({ ...HEADERS, 'content-security-policy': POLICY })
          .send(PAGE),
    )

    // Its relative addresses would lead elsewhere.
    app.get('/', { prefixTrailingSlash: 'no-slash', config: OPEN }, (_request, reply) =>
      reply.redirect('_sim/'),
    )

    app.get('/dashboard/mail.html', { config: OPEN }, (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ ...HEADERS, 'content-security-policy': MAIL_POLICY })
        .send(MAIL_PAGE),
    )

    const read = async (name: string): Promise<Asset> => {
      const plain = await context.dashboardFile(name)
      const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
      return { etag, plain, packed: await compress(plain) }
    }
    for (const [name, type] of Object.entries(FILES)) {
      let asset: Promise<Asset> | undefined
      app.get(`/dashboard/${name}`, { config: OPEN }, async (request, reply) =>
        send(request, reply.type(type).headers(HEADERS), await (asset ??= read(name))),
      )
    }
  }

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, plain, packed }: Asset,
): FastifyReply {
  void reply.headers({ etag, vary: 'accept-encoding' })
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  const packs = /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  return packs ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(plain)
}
