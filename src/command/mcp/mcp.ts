/** `suite-sim mcp`: serves the control plane to agents over standard input and output. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../../version.ts'
import type { Document } from './tools.ts'
import { UsageError } from '../terminal/problem.ts'
import type { ServerSettings } from '../terminal/settings.ts'
import { pathOf, remoteOf } from '../remote/workspaces.ts'

/** The docs pages, which the build copies next to the bundle. */
const PAGES = fileURLToPath(new URL('./docs', import.meta.url))

interface McpSettings extends ServerSettings {
  /** The only workspace that the session can call. */
  readonly workspace?: string
  readonly readOnly?: boolean
  readonly allowReset?: boolean
}

export async function mcp(settings: McpSettings): Promise<void> {
  const { workspace, readOnly = false, allowReset = false } = settings
  if (allowReset && (workspace !== undefined || readOnly)) {
    throw new UsageError(
      '--allow-reset must be used without --workspace and --read-only, because it lets agents reset the whole server',
    )
  }
  const remote = remoteOf(settings)
  // Fails with one line if the server or the workspace does not exist.
  const document = await remote.call<Document>('GET', '/openapi/control.json')
  const { data: triggers } = await remote.call<{ data: { name: string }[] }>('GET', '/triggers')
  if (workspace !== undefined) await remote.call('GET', pathOf(workspace))
  const { interfaces } = JSON.parse((await remote.ask('GET', '/')).text) as { interfaces: { name: string }[] }
  const { serveTools } = await import('./server.ts')
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
      ...readPages(),
    ],
  })
}

const readPages = () =>
  readdirSync(PAGES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      uri: `suite-sim://docs/${name}`,
      name,
      mimeType: 'text/markdown',
      read: async () => readFileSync(`${PAGES}/${name}`, 'utf8'),
    }))
