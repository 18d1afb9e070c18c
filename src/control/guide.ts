/** What this server is and where to look, for whoever comes to it without knowing. */
import type { FastifyInstance } from 'fastify'
import { html } from '../http/html.ts'
import type { ControlContext } from './context.ts'

/** The index at `/`, and `/llms.txt`. */
export function mountGuide(app: FastifyInstance, { interfaces, version }: ControlContext): void {
  app.get('/', (request, reply) => {
    if (request.headers.accept?.includes('text/html') === true) {
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' })
        .send(page(interfaces).text)
    }
    return reply.send({
      name: 'Suite Simulator',
      version,
      description: DESCRIPTION,
      interfaces: interfaces.map(({ name, title, basePath }) => ({ name, title, basePath })),
      dashboard: '/_sim/',
      controlPlane: '/_sim',
      documentation: '/_sim/docs',
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
  'Stands in for a business suite: its HTTP interfaces with state, and a control plane that causes and shows everything.'

type Known = Pick<ControlContext, 'interfaces'>['interfaces']

const page = (interfaces: Known) =>
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
            <li><a href="_sim/docs">Documentation</a></li>
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

/** As llmstxt.org proposes it. */
const llmsText = (interfaces: Known): string => `# Suite Simulator

> ${DESCRIPTION}

One key serves all interfaces. Make a workspace for each test with POST /_sim/workspaces {"fixtures": "demo"}; the answer has
its key. The demo workspace has the key demo-key. Credentials go into the header that the OpenAPI document names.

## Interfaces

${interfaces
  .map(({ name, title, basePath }) => `- [${title}](/_sim/openapi/${name}.json): mounted at ${basePath}`)
  .join('\n')}

## Control plane

- [OpenAPI](/_sim/openapi/control.json): all calls with their schemas
- [Triggers](/_sim/triggers): what people, devices and authorities outside the interfaces do
- [State machines](/_sim/machines): states, moves, who makes them
- /_sim/workspaces/{id}/requests: each call with hints on what was ignored, and what followed from it
- /_sim/workspaces/{id}/timeline: what has happened and why
- /_sim/workspaces/{id}/records/{section}/{recordId}: a record with its state and next moves
- /_sim/workspaces/{id}/deliveries, /emails: what was sent; wait=10&count=1 waits for it
- /_sim/workspaces/{id}/clock/advance: moves time on, and what falls due happens
- /_sim/workspaces/{id}/faults: has calls and webhooks go wrong
- /_sim/workspaces/{id}/coverage: what was called, moved and sent, and what was not
`
