/** Serves the index page and `/llms.txt`, which say what this server is and link to the rest. */
import type { FastifyInstance } from 'fastify'
import { html } from '../../http/webPages/html.ts'
import type { ControlContext } from '../shared/context.ts'

/** Mounts `/` and `/llms.txt`. */
export function mountIndexPage(app: FastifyInstance, { interfaces, build }: ControlContext): void {
  app.get('/', (request, reply) => {
    if (request.headers.accept?.includes('text/html') === true) {
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' })
        .send(page(interfaces).render('en', false))
    }
    return reply.send({
      name: 'Suite Simulator',
      version: build.version,
      description: DESCRIPTION,
      interfaces: interfaces.map(({ name, title, basePath }) => ({ name, title, basePath })),
      dashboard: '/_sim/',
      controlPlane: '/_sim',
      documentation: '/_sim/docs',
      guide: '/_sim/guide/',
      openapi: '/_sim/openapi.json',
      health: '/_sim/health',
      llms: '/llms.txt',
    })
  })
  app.get('/llms.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(interfaces)),
  )
}

const DESCRIPTION =
  'Simulates a business suite: HTTP interfaces with state, and a control plane to drive and inspect them.'

type Interfaces = Pick<ControlContext, 'interfaces'>['interfaces']

const page = (interfaces: Interfaces) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Suite Simulator</title>
      </head>
      <body>
        <main>
          <h1>Suite Simulator</h1>
          <p>${DESCRIPTION}</p>
          <ul>
            <li><a href="_sim/">Dashboard</a></li>
            <li><a href="_sim/guide/">Guide</a></li>
            <li><a href="_sim/docs">API reference</a></li>
            <li><a href="_sim/openapi.json">OpenAPI of all interfaces</a></li>
            <li><a href="_sim/health">Health</a></li>
            <li><a href="llms.txt">llms.txt</a></li>
          </ul>
          <h2>Interfaces</h2>
          <ul>
            ${interfaces.map(
              ({ name, title, basePath }) =>
                html`<li><a href="_sim/openapi/${name}.json">${title}</a> at ${basePath}</li>`,
            )}
          </ul>
        </main>
      </body>
    </html>`

/** Returns the description of the server in the format of llmstxt.org. */
const llmsText = (interfaces: Interfaces): string => `# Suite Simulator

> ${DESCRIPTION}

One key works for all interfaces. Create a workspace for each test with POST /_sim/workspaces {"fixtures": "demo"}; the
response has its key. The demo workspace has the key demo-key. Send the key in the header that the OpenAPI document names.

## Interfaces

${interfaces
  .map(({ name, title, basePath }) => `- [${title}](/_sim/openapi/${name}.json): mounted at ${basePath}`)
  .join('\n')}

## Control plane

- /_sim/guide/: the guide for people: getting started, recipes, webhooks, CI, troubleshooting, glossary
- [OpenAPI](/_sim/openapi/control.json): all calls with their schemas
- [Triggers](/_sim/triggers): actions by users, devices and authorities outside the interfaces
- [State machines](/_sim/machines): states, moves and who makes them
- /_sim/workspaces/{id}/requests: each call with its effects, and hints about ignored input
- /_sim/workspaces/{id}/timeline: calls, jobs, events and deliveries with their causes
- /_sim/workspaces/{id}/records/{section}/{recordId}: a record with its state and next moves
- /_sim/workspaces/{id}/deliveries, /emails: sent webhooks and e-mails; wait=10&count=1 waits for one
- /_sim/workspaces/{id}/clock/advance: advances the clock and runs due jobs
- /_sim/workspaces/{id}/faults: makes calls and webhook deliveries fail
- /_sim/workspaces/{id}/coverage: operations called, transitions made and events sent, and those missing
`
