/**
 * Serves the dashboard, a page whose script uses only the public calls of the control plane. The page and its files
 * contain no data, so they need no token. The script asks for the token when a call responds with 401.
 */
import { Type } from '@sinclair/typebox'
import { operation } from '../../http/definition/operation.ts'
import { documented } from '../../state/model/fidelity.ts'
import type { ControlResource } from '../shared/dialect.ts'
import { assetOf, sendAsset, type Asset } from './asset.ts'

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Browsers revalidate each time, because another version of the server has other files.
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

/** Policy of the frame that shows e-mails. It allows their inline styles and blocks scripts and requests. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** URLs are relative because a proxy may serve this page below any path. */
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
<noscript>The dashboard needs JavaScript. Without it, use the calls of the control plane: see docs/control-plane.md.</noscript>
<div id="app"><p class="loading"><span>Loading\u2026</span></p></div>
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

export const dashboard: ControlResource = async (app, context) => {
  app.get(
    '/',
    {
      prefixTrailingSlash: 'slash',
      config: operation({
        id: 'getDashboard',
        tag: 'Documentation',
        isShared: true,
        isShell: true,
        summary: 'Open the dashboard',
        description:
          'Returns a page that shows the state of the simulator and controls it through the control plane. ' +
          'Browsers load it without the token; the page then asks for it.',
        fidelity: documented,
        answers: { 200: Type.String({ contentMediaType: 'text/html' }) },
      }),
    },
    (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ ...HEADERS, 'content-security-policy': POLICY })
        .send(PAGE),
  )

  // Relative URLs of the page resolve only below `/_sim/`.
  app.get('/', { prefixTrailingSlash: 'no-slash', config: OPEN }, (_request, reply) =>
    reply.redirect('_sim/'),
  )

  app.get('/dashboard/mail.html', { config: OPEN }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ ...HEADERS, 'content-security-policy': MAIL_POLICY })
      .send(MAIL_PAGE),
  )

  for (const [name, type] of Object.entries(FILES)) {
    let asset: Promise<Asset> | undefined
    app.get(`/dashboard/${name}`, { config: OPEN }, async (request, reply) =>
      sendAsset(
        request,
        reply.type(type).headers(HEADERS),
        await (asset ??= context.dashboardFile(name).then((plain) => assetOf(plain))),
      ),
    )
  }
}
