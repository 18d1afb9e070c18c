/** `suite-sim workspace`: lists, creates, shows and deletes workspaces. */
import { counted } from '@suite-sim/kit/text/counted'
import { resolve } from 'node:path'
import { ControlPlaneClient } from '@suite-sim/client/calling'
import { SimulatorError } from '@suite-sim/client/errors'
import {
  deleteWorkspaces as deleteAll,
  listWorkspaces as listAll,
  shardTimeout,
} from '@suite-sim/client/shards'
import { paint, print, table } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { causeOf, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'
import type { ServerSettings } from '@suite-sim/kit/terminal/settings'

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
  readonly readings?: Readonly<Record<string, string>>
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

/**
 * Lists the workspaces of the server, of all shards behind a proxy, or of the servers in `shards`. Prints those that it has
 * before it throws an error that names the missing shards and servers.
 */
export async function listWorkspaces(settings: Listing): Promise<void> {
  const { url, shards, adminToken = null, label: labels = {} } = settings
  const label = labelTexts(labels)
  const results = await Promise.allSettled(
    (shards ?? [url]).map(async (each) => {
      try {
        const signal = shards && shardTimeout()
        return await listAll(new ControlPlaneClient(each, adminToken), { label }, signal)
      } catch (error) {
        throw clientError(each, error)
      }
    }),
  )
  const lists = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const problems = results.flatMap((result): Error[] =>
    result.status === 'rejected' ? [result.reason as Error] : result.value.missing.map(({ error }) => error),
  )
  const data = lists.flatMap((list) => list.data)
  if (lists.length > 0) {
    print(settings, { data }, () =>
      table(
        ['ID', 'NAME', 'CURRENCY', 'TIMEZONE'],
        data.map(({ id, name, currency, timezone }) => [id, name, currency, timezone]),
      ),
    )
  }
  if (problems.length > 0) throw new CommandError(problems.map(({ message }) => message).join(' '))
}

const labelTexts = (labels: Readonly<Record<string, string>>): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}:${value}`)

/** Returns the error of a call of the library client, with the text of a command. */
function clientError(url: string, error: unknown): unknown {
  if (!(error instanceof SimulatorError))
    return (error as Error).name === 'TimeoutError' ? new CommandError(`${url} does not respond`) : error
  const { code, status, message, cause } = error
  if (code === 'unreachable') return new CommandError(`${url} does not respond: ${causeOf(cause)}`)
  if (code !== 'unexpected_answer') return new CommandError(message)
  return new CommandError(
    status === null
      ? `${url} responds, but is not a suite simulator`
      : `${url} responded with ${String(status)}`,
  )
}

export async function createWorkspace(name: string | undefined, settings: Creating): Promise<void> {
  const { fixtures, currency, timezone, readings, cases, ttl, label: labels } = settings
  const body = {
    name,
    fixtures: fixtures === undefined ? undefined : (savedOf(fixtures) ?? sourceOf(fixtures)),
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

/** Returns the named snapshot of "shop@before-sale"; undefined for others, such as a file. */
function savedOf(fixtures: string): { workspace: string; snapshot: string } | undefined {
  const [, workspace, snapshot] = /^([\w-]+)@([\w.-]+)$/.exec(fixtures) ?? []
  if (workspace === undefined || snapshot === undefined || /\.json(?:\.gz)?$/i.test(fixtures))
    return undefined
  return { workspace, snapshot }
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
    const { url, adminToken = null } = settings
    const count = await deleteAll(new ControlPlaneClient(url, adminToken), {
      label: labelTexts(label),
    }).catch((error: unknown) => {
      throw clientError(url, error)
    })
    print(settings, { count }, () => `deleted ${counted(count, 'workspace')}`)
    return
  }
  if (id === undefined) throw new UsageError(MISSING)
  await remoteOf(settings).call('DELETE', pathOf(id))
  print(settings, { id, deleted: true }, () => `deleted ${id}`)
}

const MISSING = 'a deletion must have the id of a workspace or --label'
