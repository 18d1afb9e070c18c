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

/**
 * Addresses are relative, for a proxy may put the server below any path. The token is kept for the tab, under the name by
 * which the dashboard knows it, and shown to the control plane alone.
 */
const startScript = (names: readonly string[]): string => {
  const sources = names.map((name) => ({ title: name, slug: name, url: `openapi/${name}.json` }))
  const settings = {
    sources,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    // They would call on services elsewhere.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    persistAuth: true,
  }
  return `const settings = ${JSON.stringify(settings)}\n${START}`
}

const START = `const TOKEN = 'suite-sim-admin-token'
const ours = new URL('.', document.baseURI).href

const withToken = (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input, document.baseURI).href
  const token = sessionStorage.getItem(TOKEN)
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
  if (token === null || !url.startsWith(ours) || headers.has('authorization')) return fetch(input, init)
  headers.set('authorization', 'Bearer ' + token)
  return fetch(input, { ...init, headers })
}

const show = () => Scalar.createApiReference('#docs', { ...settings, fetch: withToken })

const ask = (words) => {
  const form = document.createElement('form')
  const label = document.createElement('label')
  const input = document.createElement('input')
  const button = document.createElement('button')
  input.type = 'password'
  input.required = true
  button.textContent = 'Open'
  label.append(words + ' ', input)
  form.append(label, ' ', button)
  document.getElementById('docs').replaceChildren(form)
  input.focus()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sessionStorage.setItem(TOKEN, input.value.trim())
    void begin('That is not the token of this server. Admin token')
  })
}

const begin = async (words) => {
  const { status } = await withToken('workspaces')
  if (status === 401) return ask(words)
  document.getElementById('docs').replaceChildren()
  show()
}

void begin('Admin token')
`

/** The page holds nothing of anybody; what it shows comes by calls that carry the token. */
const OPEN = { isOpen: true }

export const docsPage =
  (context: ControlContext): Resource =>
  async (app) => {
    app.get(
      '/docs',
      {
        config: {
          ...controlOperation(TAG, {
            id: 'getDocsPage',
            summary: 'Show the documentation of all interfaces as a page',
            description: 'A browser gets it without the token, which the page then asks for.',
            answers: { 200: Type.String({ contentMediaType: 'text/html' }) },
          }),
          isShell: true,
        },
      },
      (_request, reply) => reply.type('text/html; charset=utf-8').headers(HEADERS).send(PAGE),
    )

    app.get('/docs/start.js', { config: OPEN }, (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .headers(HEADERS)
        .send(startScript([...context.interfaces.map(({ name }) => name), 'control'])),
    )

    let script: Promise<Buffer> | undefined
    app.get('/docs/scalar.js', { config: OPEN }, async (_request, reply) => {
      script ??= context.docsScript()
      return reply
        .type('text/javascript; charset=utf-8')
        .headers({ ...HEADERS, 'cache-control': 'public, max-age=86400' })
        .send(await script)
    })
  }
