/** `suite-sim mcp`: the control plane for agents, over standard input and output. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../version.ts'
import type { Document } from './mcpTools.ts'
import { Misuse } from './problem.ts'
import type { Reaching } from './reaching.ts'
import { pathOf, remoteOf } from './workspaces.ts'

/** The pages that the build puts beside the bundle. */
const PAGES = fileURLToPath(new URL('./docs', import.meta.url))

interface McpSettings extends Reaching {
  /** The only one that the session may call. */
  readonly workspace?: string
  readonly readOnly?: boolean
  readonly allowReset?: boolean
}

export async function mcp(settings: McpSettings): Promise<void> {
  const { workspace, readOnly = false, allowReset = false } = settings
  if (allowReset && (workspace !== undefined || readOnly)) {
    throw new Misuse(
      '--allow-reset lets agents reset the whole server: leave out --workspace and --read-only',
    )
  }
  const remote = remoteOf(settings)
  // Before anything is served, so that a server or a workspace that is not there is one line.
  const document = await remote.call<Document>('GET', '/openapi/control.json')
  const { data: triggers } = await remote.call<{ data: { name: string }[] }>('GET', '/triggers')
  if (workspace !== undefined) await remote.call('GET', pathOf(workspace))
  const { interfaces } = JSON.parse((await remote.ask('GET', '/')).text) as { interfaces: { name: string }[] }
  const { serveTools } = await import('./mcpServer.ts')
  await serveTools({
    version: VERSION,
    document,
    triggers,
    scope: { workspace: workspace ?? null, isReadOnly: readOnly, mayReset: allowReset },
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
