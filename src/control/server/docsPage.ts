/** Serves the API reference page and its scripts, so that the browser loads nothing from other hosts. */
import { Type } from '@sinclair/typebox'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { assetOf, sendAsset, type Asset } from './asset.ts'

/** Swagger UI adds inline styles, and its pictures are in its style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
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
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>
body { margin: 0; font-family: system-ui, sans-serif }
html.dark-mode, html.dark-mode select { color-scheme: dark; background: #1c2022; color: #e4e6e6 }
form { display: flex; gap: .5em; align-items: center; flex-wrap: wrap; padding: 1em 20px; max-width: 1420px; margin: auto }
select, input, button { font: inherit; padding: .25em .5em }
</style>
</head>
<body>
<div id="docs" role="status">Loading\u2026</div>
<noscript>This page needs JavaScript. The OpenAPI document is at /_sim/openapi.json.</noscript>
<script src="docs/start.js"></script>
<script src="docs/swagger-ui.js" async></script>
</body>
</html>
`

/** Returns the script that starts Swagger UI. URLs are relative because a proxy may serve the page below any path. */
const startScript = (names: readonly string[]): string => `const names = ${JSON.stringify(names)}\n${START}`

/**
 * While the browser loads Swagger UI, which is large, the script loads the document of the interface in `?interface=` and a
 * key of the workspace: that of `?workspace=`, to which the dashboard links, or the first one. The token is in the session
 * storage under the key that the dashboard uses, and goes only to the control plane.
 */
const START = `const TOKEN = 'suite-sim-admin-token'
const query = new URLSearchParams(location.search)
const place = document.getElementById('docs')
const loaded = new Promise((resolve, reject) => {
  addEventListener('load', () => (window.SwaggerUIBundle ? resolve() : reject(new Error('The script of this page did not load.'))))
})
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)

const ask = (path) => {
  const token = sessionStorage.getItem(TOKEN)
  return fetch(path, { headers: token === null ? {} : { authorization: 'Bearer ' + token } })
}

const json = async (path) => {
  const response = await ask(path)
  return response.ok ? response.json() : null
}

const keyOf = async (confinedTo) => {
  const wanted = query.get('workspace') ?? confinedTo
  const id = wanted ?? (await json('workspaces'))?.data?.[0]?.id
  const keys = id ? ((await json('workspaces/' + encodeURIComponent(id) + '/keys'))?.data ?? []) : []
  return (keys.find(({ scopes, interfaces }) => scopes.includes('*') && interfaces.includes('*')) ?? keys[0])?.key
}

const chooser = (current) => {
  const form = document.createElement('form')
  const label = document.createElement('label')
  const select = document.createElement('select')
  select.append(...names.map((name) => new Option(name, name, false, name === current)))
  select.addEventListener('change', () => {
    query.set('interface', select.value)
    location.assign(location.pathname + '?' + query)
  })
  label.append('Interface ', select)
  form.append(label)
  return form
}

const show = async (confinedTo) => {
  const name = names.find((each) => each === query.get('interface')) ?? names[0]
  const [spec, key] = await Promise.all([json('openapi/' + name + '.json'), keyOf(confinedTo), loaded])
  if (spec === null) throw new Error('The document of ' + name + ' could not be read.')
  const view = document.createElement('main')
  place.removeAttribute('role')
  place.replaceChildren(chooser(name), view)
  const ui = SwaggerUIBundle({
    spec,
    domNode: view,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    // The default is a service on the Internet.
    validatorUrl: null,
    onComplete() {
      for (const scheme of Object.keys(spec.components?.securitySchemes ?? {})) {
        const secret = scheme === 'Token' ? sessionStorage.getItem(TOKEN) : key
        if (secret) ui.preauthorizeApiKey(scheme, secret)
      }
    },
  })
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
  const answer = await ask('access')
  if (answer.status === 401) return askToken(prompt)
  const { workspaceId } = await answer.json()
  return show(workspaceId).catch((error) => place.replaceChildren(error.message))
}

void begin('Admin token')
`

/** The page contains no data. Its calls carry the token. */
const OPEN = { isOpen: true }

/** The files of Swagger UI: the path, the media type and the name in its package. */
const FILES = [
  ['swagger-ui.js', 'text/javascript', 'swagger-ui-bundle.js'],
  ['swagger-ui.css', 'text/css', 'swagger-ui.css'],
] as const

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

  for (const [path, type, file] of FILES) {
    let asset: Promise<Asset> | undefined
    app.get(`/docs/${path}`, { config: OPEN }, async (request, reply) =>
      sendAsset(
        request,
        reply
          .type(`${type}; charset=utf-8`)
          .headers({ ...HEADERS, 'cache-control': 'public, max-age=86400' }),
        await (asset ??= context.docsFile(file).then((plain) => assetOf(plain))),
      ),
    )
  }
}
