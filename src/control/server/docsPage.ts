/** Serves the API reference page and its scripts, so that the browser loads nothing from other hosts. */
import { Type } from '@sinclair/typebox'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'

/** Scalar adds inline styles and creates workers and images from blobs. */
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
<div id="docs" role="status">Loading\u2026</div>
<noscript>This page needs JavaScript. The OpenAPI document is at /_sim/openapi.json.</noscript>
<script src="docs/start.js"></script>
<script id="scalar" src="docs/scalar.js" async></script>
</body>
</html>
`

/** Returns the script that starts Scalar. URLs are relative because a proxy may serve the page below any path. */
const startScript = (names: readonly string[]): string => {
  const sources = names.map((name) => ({ title: name, slug: name, url: `openapi/${name}.json` }))
  const settings = {
    sources,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    // These features call external services.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
  }
  return `const settings = ${JSON.stringify(settings)}\n${START}`
}

/**
 * While the browser loads Scalar, which is large, the script loads the first document and a key of the workspace: that of
 * \`?workspace=\`, to which the dashboard links, or the first one. The token is in the session storage under the key that the
 * dashboard uses, and goes only to the control plane.
 */
const START = `const TOKEN = 'suite-sim-admin-token'
const ours = new URL('.', document.baseURI).href
const place = document.getElementById('docs')
const loaded = new Promise((resolve, reject) => {
  addEventListener('load', () => (window.Scalar ? resolve() : reject(new Error('The script of this page did not load.'))))
})

const withToken = (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input, document.baseURI).href
  const token = sessionStorage.getItem(TOKEN)
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
  if (token === null || !url.startsWith(ours) || headers.has('authorization')) return fetch(input, init)
  headers.set('authorization', 'Bearer ' + token)
  return fetch(input, { ...init, headers })
}

const json = async (path) => {
  const response = await withToken(path)
  return response.ok ? response.json() : null
}

const keyOf = async (confinedTo) => {
  const wanted = new URLSearchParams(location.search).get('workspace') ?? confinedTo
  const id = wanted ?? (await json('workspaces'))?.data?.[0]?.id
  const keys = id ? ((await json('workspaces/' + encodeURIComponent(id) + '/keys'))?.data ?? []) : []
  return (keys.find(({ scopes, interfaces }) => scopes.includes('*') && interfaces.includes('*')) ?? keys[0])?.key
}

// Scalar reads the credential from the scheme itself.
const withCredential = (document, key) => {
  for (const [name, scheme] of Object.entries(document.components?.securitySchemes ?? {})) {
    const secret = name === 'Token' ? sessionStorage.getItem(TOKEN) : key
    if (secret) scheme[scheme.type === 'http' ? 'token' : 'value'] = secret
  }
  return document
}

const show = async (confinedTo) => {
  const first = location.hash.slice(1).split('/')[0]
  const { url } = settings.sources.find(({ slug }) => slug === first) ?? settings.sources[0]
  const early = new Map([[new URL(url, document.baseURI).href, withToken(url)]])
  const [key] = await Promise.all([keyOf(confinedTo), loaded])
  const load = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, document.baseURI).href
    const response = await (early.get(address) ?? withToken(input, init))
    early.delete(address)
    if (!address.startsWith(ours + 'openapi/') || !response.ok) return response
    return Response.json(withCredential(await response.json(), key))
  }
  place.removeAttribute('role')
  place.replaceChildren()
  Scalar.createApiReference('#docs', { ...settings, fetch: load })
}

const askToken = (prompt) => {
  const form = document.createElement('form')
  const label = document.createElement('label')
  const input = document.createElement('input')
  const button = document.createElement('button')
  input.type = 'password'
  input.required = true
  button.textContent = 'Open'
  label.append(prompt + ' ', input)
  form.append(label, ' ', button)
  place.replaceChildren(form)
  input.focus()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sessionStorage.setItem(TOKEN, input.value.trim())
    void begin('Wrong token. Admin token')
  })
}

const begin = async (prompt) => {
  const answer = await withToken('access')
  if (answer.status === 401) return askToken(prompt)
  const { workspaceId } = await answer.json()
  return show(workspaceId).catch((error) => place.replaceChildren(error.message))
}

void begin('Admin token')
`

/** The page contains no data. Its calls carry the token. */
const OPEN = { isOpen: true }

export const docsPage: ControlResource = async (app, context) => {
  const at = controlRoutesOf(app, 'Documentation')

  at('/docs').get({
    id: 'getDocsPage',
    isShared: true,
    isShell: true,
    summary: 'Open the API reference of all interfaces',
    description: 'Browsers load the page without the token; the page then asks for it.',
    answers: { 200: Type.String({ contentMediaType: 'text/html' }) },
    run: (_request, reply) => reply.type('text/html; charset=utf-8').headers(HEADERS).send(PAGE),
  })

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
