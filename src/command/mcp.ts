/** `suite-sim mcp`: the control plane for agents, over standard input and output. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../version.ts'
import type { Document } from './mcpTools.ts'
import type { Reaching } from './reaching.ts'
import { remoteOf } from './workspaces.ts'

/** The pages that the build puts beside the bundle. */
const PAGES = fileURLToPath(new URL('./docs', import.meta.url))

export async function mcp(settings: Reaching): Promise<void> {
  const remote = remoteOf(settings)
  // Before anything is served, so that a server that is not there is one line.
  const document = await remote.call<Document>('GET', '/openapi/control.json')
  const { interfaces } = JSON.parse((await remote.ask('GET', '/')).text) as { interfaces: { name: string }[] }
  const { serveTools } = await import('./mcpServer.ts')
  await serveTools({
    version: VERSION,
    document,
    ask: (method, path, body) => remote.ask(method, path, body),
    resources: [
      {
        uri: 'suite-sim://llms.txt',
        name: 'llms.txt',
        mimeType: 'text/plain',
        read: async () => (await remote.ask('GET', '/llms.txt')).text,
      },
      ...['control', ...interfaces.map(({ name }) => name)].map((name) => ({
        uri: `suite-sim://openapi/${name}.json`,
        name: `OpenAPI of ${name}`,
        mimeType: 'application/json',
        read: () => remote.text('GET', `/openapi/${name}.json`),
      })),
      ...pages(),
    ],
  })
}

const pages = () =>
  readdirSync(PAGES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      uri: `suite-sim://docs/${name}`,
      name,
      mimeType: 'text/markdown',
      read: async () => readFileSync(`${PAGES}/${name}`, 'utf8'),
    }))
