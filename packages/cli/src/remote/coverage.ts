/** `suite-sim coverage`: prints the coverage of operations, transitions and events. */
import { io } from '@suite-sim/kit/terminal/io'
import { printsJson } from '@suite-sim/kit/terminal/output'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

export const FORMATS = ['json', 'text', 'mermaid']

export async function coverage(
  settings: WorkspaceSettings & { server?: boolean; format?: string },
): Promise<void> {
  const { server = false, workspace, format = printsJson(settings) ? 'json' : 'text' } = settings
  const path = `${server ? '' : pathOf(workspace)}/coverage?format=${format}`
  const text = await remoteOf(settings).text('GET', path)
  const output = format === 'json' ? JSON.stringify(JSON.parse(text), null, 2) : text.trimEnd()
  io().stdout.write(`${output}\n`)
}
