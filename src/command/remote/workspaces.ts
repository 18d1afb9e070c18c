/** `suite-sim workspace`: lists, creates, shows and deletes workspaces. */
import { resolve } from 'node:path'
import type { ChosenReadings } from '../../state/model/reading.ts'
import { paint, print, table } from '../terminal/output.ts'
import { pathTo, Remote } from './remote.ts'
import { UsageError } from '../terminal/problem.ts'
import type { ServerSettings, WorkspaceSettings } from '../terminal/settings.ts'

interface Workspace {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly timezone: string
  readonly createdAt: string
}

interface Creating extends ServerSettings {
  readonly fixtures?: string
  readonly currency?: string
  readonly timezone?: string
  readonly readings?: ChosenReadings
  readonly cases?: boolean
  readonly ttl?: string
  readonly label?: Readonly<Record<string, string>>
}

interface Listing extends ServerSettings {
  readonly label?: Readonly<Record<string, string>>
  readonly shards?: readonly string[]
}

interface Deleting extends ServerSettings {
  readonly label?: Readonly<Record<string, string>>
}

interface WorkspaceList {
  readonly data: readonly Workspace[]
  readonly shard?: string
}

/** Lists the workspaces of the server, of all shards behind a proxy, or of the servers in `shards`. */
export async function listWorkspaces(settings: Listing): Promise<void> {
  const { url, shards = [url], adminToken, label = {} } = settings
  const labels = new URLSearchParams()
  for (const [name, value] of Object.entries(label)) labels.append('label', `${name}:${value}`)
  const query = labels.size === 0 ? '' : `?${labels.toString()}`
  const lists = await Promise.all(
    shards.map((each) => new Remote(each, adminToken).lists<WorkspaceList>(`/workspaces${query}`)),
  )
  const data = lists.flat().flatMap((list) => list.data)
  print(settings, { data }, () =>
    table(
      ['ID', 'NAME', 'CURRENCY', 'TIMEZONE'],
      data.map(({ id, name, currency, timezone }) => [id, name, currency, timezone]),
    ),
  )
}

export async function createWorkspace(name: string | undefined, settings: Creating): Promise<void> {
  const { fixtures, currency, timezone, readings, cases, ttl, label: labels } = settings
  const body = {
    name,
    fixtures: fixtures === undefined ? undefined : sourceOf(fixtures),
    currency,
    timezone,
    readings,
    cases,
    ttl,
    labels,
  }
  const created = await remoteOf(settings).call<{
    workspace: Workspace
    key: string
    controlToken: string
  }>('POST', '/workspaces', body)
  const { workspace, key, controlToken } = created
  print(
    settings,
    created,
    () => `created ${paint('green', workspace.id)}; its key is ${key}; its control token is ${controlToken}`,
  )
}

/** A path is relative to the folder of the command, not to that of the server. */
const sourceOf = (fixtures: string): string =>
  /^(?:none|small|demo|[a-z][a-z\d+.-]+:.*)$/i.test(fixtures) || !/[/\\.]/.test(fixtures)
    ? fixtures
    : resolve(fixtures)

export async function showWorkspace(id: string, settings: ServerSettings): Promise<void> {
  const found = await remoteOf(settings).call<Workspace>('GET', pathOf(id))
  print(settings, found, () =>
    Object.entries(found)
      .map(
        ([name, value]) =>
          `${paint('dim', name)} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      .join('\n'),
  )
}

/** Deletes one workspace, or all with the labels. */
export async function deleteWorkspaces(id: string | undefined, settings: Deleting): Promise<void> {
  const { label } = settings
  if (id !== undefined && label !== undefined) throw new UsageError(`${MISSING}, not both`)
  if (label !== undefined) {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(label)) query.append('label', `${name}:${value}`)
    const path = `/workspaces?${query.toString()}`
    const deleted = await remoteOf(settings).call<{ count: number }>('DELETE', path)
    const { count } = deleted
    print(settings, deleted, () => `deleted ${String(count)} ${count === 1 ? 'workspace' : 'workspaces'}`)
    return
  }
  if (id === undefined) throw new UsageError(MISSING)
  await remoteOf(settings).call('DELETE', pathOf(id))
  print(settings, { id, deleted: true }, () => `deleted ${id}`)
}

const MISSING = 'a deletion must have the id of a workspace or --label'

export const remoteOf = ({
  url,
  adminToken,
  workspace,
}: ServerSettings & Partial<WorkspaceSettings>): Remote => new Remote(url, adminToken, workspace)

/** Returns the path of a workspace below /_sim. */
export const pathOf = (workspace: string): string => pathTo('/workspaces/{workspace}', { workspace })
