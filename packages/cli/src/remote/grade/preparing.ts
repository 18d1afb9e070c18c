/** Makes the workspace of a task. */
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { type Remote, pathOf } from '@suite-sim/kit/terminal/remote'
import { readFixture } from './fixture.ts'
import { isObject } from './fields.ts'
import { run, type Values } from './running.ts'
import type { Task } from './task.ts'

/** A workspace as `POST /_sim/workspaces` returns it. */
interface Created {
  readonly workspace: { readonly id: string; readonly accountId: number; readonly labels: Labels }
  readonly user: { readonly id: string }
  readonly key: string
  readonly controlToken: string
}

type Labels = Readonly<Record<string, string>>

/** The label of prepared workspaces: the name of the task. */
const TASK_LABEL = 'task'

/** Prepared workspaces are deleted after a week without calls. */
const TTL = 'P7D'

/** The records that a task starts with. Each run gets a clone. */
export interface Start {
  readonly id: string
  readonly name: string
  readonly userId: string
  /** What the steps of the setup saved. */
  readonly values: Values
}

/** A clone of the start, with a key for what the task allows. */
export interface Prepared {
  readonly id: string
  readonly accountId: number
  readonly key: string
  readonly controlToken: string
  readonly values: Values
}

/**
 * Loads the fixture after the clock has the time of the task, so that no job runs at the time of today. Then runs the setup.
 */
export async function createStart(remote: Remote, task: Task): Promise<Start> {
  const snapshot = readFixture(task.fixture, task.file)
  const head = headOf(snapshot)
  const created = await remote.call<Created>('POST', '/workspaces', {
    ttl: TTL,
    labels: { [TASK_LABEL]: task.name },
    ...(head && { fixtures: head }),
  })
  const path = pathOf(created.workspace.id)
  try {
    const { now, frozen } = task.clock
    await remote.call('PUT', `${path}/clock`, { now, frozen })
    if (snapshot) await remote.call('PUT', `${path}/snapshot`, snapshot)
    if (Object.keys(task.settings).length > 0) await remote.call('PATCH', path, task.settings)
    const { users = [] } = (snapshot ?? {}) as { users?: { id: string }[] }
    if (task.user !== undefined && !users.some(({ id }) => id === task.user)) {
      throw new UsageError(
        `${task.file}: user must be a user of the fixture: ${users.map(({ id }) => id).join(', ')}`,
      )
    }
    const { values } = await run(remote, task.setup, {
      workspace: created.workspace.id,
      key: created.key,
      values: { account: created.workspace.accountId },
      mustSucceed: true,
    })
    const { name } = await remote.call<{ name: string }>('GET', path)
    return { id: created.workspace.id, name, userId: task.user ?? created.user.id, values }
  } catch (error) {
    await deleteQuietly(remote, created.workspace.id)
    throw error
  }
}

/** Returns the snapshot without its records: the workspace and its users. */
function headOf(snapshot: object | null): object | null {
  if (!isObject(snapshot)) return null
  const { format, workspace, users } = snapshot
  return {
    format,
    ...(isObject(workspace) && { workspace }),
    ...(Array.isArray(users) && { users: users as unknown[] }),
  }
}

/** Clones the start, so that the diff of the workspace begins there. */
export async function prepare(remote: Remote, task: Task, start: Start): Promise<Prepared> {
  const {
    workspace,
    key: fullKey,
    controlToken,
  } = await remote.call<Created>('POST', `${pathOf(start.id)}/clone`, {
    // Agents see the name, for example in e-mails.
    name: start.name,
  })
  const { key } = await remote.call<{ key: string }>('POST', `${pathOf(workspace.id)}/keys`, {
    interfaces: task.interfaces,
    scopes: task.scopes,
    userId: start.userId,
  })
  // The agent must not find a key for everything.
  await remote.call('DELETE', `${pathOf(workspace.id)}/keys/${fullKey}`)
  const { id, accountId } = workspace
  return { id, accountId, key, controlToken, values: { ...start.values, account: accountId } }
}

export async function deleteQuietly(remote: Remote, id: string): Promise<void> {
  await remote.call('DELETE', pathOf(id)).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
  })
}

/** Refuses a workspace that was prepared for another task. */
export async function mustFit(remote: Remote, task: Task, id: string): Promise<void> {
  const { labels } = await remote.call<{ labels: Labels }>('GET', pathOf(id))
  const other = labels[TASK_LABEL]
  if (other !== undefined && other !== task.name) {
    throw new UsageError(`the workspace ${id} was prepared for the task ${other}, not ${task.name}`)
  }
}
