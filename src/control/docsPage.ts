/** The documentation as a page, with what it is shown by served from here: a browser needs nothing from elsewhere. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition.ts'
import type { ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'

const TAG = 'Documentation'

/** Scalar writes styles into the page, and makes workers and pictures of what it has. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Suite Simulator: documentation</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<noscript>The documentation is shown by a script; its documents are at /_sim/openapi.json.</noscript>
<script src="docs/scalar.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/** Addresses are relative, for a proxy may put the server below any path. */
const startScript = (names: readonly string[]): string => {
  const sources = names.map((name) => ({ title: name, slug: name, url: `openapi/${name}.json` }))
  return `Scalar.createApiReference('#docs', ${JSON.stringify({
    sources,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    // They would call on services elsewhere.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    persistAuth: true,
  })})\n`
}

export const docsPage =
  (context: ControlContext): Resource =>
  async (app) => {
    app.get(
      '/docs',
      {
        config: controlOperation(TAG, {
          id: 'getDocsPage',
          summary: 'Show the documentation of all interfaces as a page',
          answers: { 200: Type.String({ contentMediaType: 'text/html' }) },
        }),
      },
      (_request, reply) => reply.type('text/html; charset=utf-8').headers(HEADERS).send(PAGE),
    )

    app.get('/docs/start.js', (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .headers(HEADERS)
        .send(startScript([...context.interfaces.map(({ name }) => name), 'control'])),
    )

    let script: Promise<Buffer> | undefined
    app.get('/docs/scalar.js', async (_request, reply) => {
      script ??= context.docsScript()
      return reply
        .type('text/javascript; charset=utf-8')
        .headers({ ...HEADERS, 'cache-control': 'public, max-age=86400' })
        .send(await script)
    })
  }
