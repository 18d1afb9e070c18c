/** Runs the steps of --init as calls of the control plane, so that the server checks each as it checks a call. */
import { counted } from '@suite-sim/kit/text/counted'
import { isAbsolute, join } from 'node:path'
import { Readable } from 'node:stream'
import type { App } from '../app.ts'
import { openSource, SourceError, sourceProblem } from '../control/snapshots/sources.ts'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { KINDS, type Entry, type InitPlan, type InitStep, type Kind } from './initFiles.ts'

/** Returns "2 files: 1 workspace, 3 triggers". */
export function summaryOf({ files, steps }: InitPlan): string {
  const counts = KINDS.flatMap((kind) => {
    const count = steps.filter((step) => step.kind === kind).length
    return count === 0 ? [] : [`${String(count)} ${count === 1 ? kind.slice(0, -1) : kind}`]
  })
  const of = counted(files.length, 'file')
  return `${of}: ${counts.length === 0 ? 'nothing to do' : counts.join(', ')}`
}

/** Runs all steps in order. Throws a UsageError that names the file, the entry and the reason. */
export async function runInit(
  { fastify }: Pick<App, 'fastify'>,
  adminToken: string | null,
  { folder, steps }: InitPlan,
): Promise<void> {
  /** The ids of the workspaces of these files, by name and id. */
  const ids = new Map<string, string>()
  const call = async (step: InitStep): Promise<void> => {
    const { method, path, body } = callOf(step, ids)
    const source = step.kind === 'workspaces' ? sourceOf(folder, step) : null
    const sent: Sent = source === null ? Readable.from([JSON.stringify(body)]) : withSnapshot(body, source)
    const response = await fastify.inject({
      method,
      url: `/_sim${path}`,
      headers: {
        'content-type': 'application/json',
        ...(adminToken !== null && { authorization: `Bearer ${adminToken}` }),
      },
      payload: sent,
    })
    const answer = response.json<{ error?: { message: string }; workspace?: { id: string; name: string } }>()
    if (response.statusCode >= 400) throw failed(step, sent.failure ?? answer.error?.message ?? response.body)
    const { workspace } = answer
    if (workspace) ids.set(workspace.name, workspace.id).set(workspace.id, workspace.id)
  }
  for (const step of steps) await call(step)
}

const failed = ({ place }: InitStep, why: string): UsageError => new UsageError(`--init: ${place}: ${why}`)

interface Call {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Entry
}

/** Returns the call of a step. Its entry is the body of the call; `workspace` and `name` of a trigger are in the path. */
function callOf(step: InitStep, ids: ReadonlyMap<string, string>): Call {
  if (step.kind === 'workspaces') return { method: 'POST', path: '/workspaces', body: step.entry }
  const { workspace: wanted, ...entry } = step.entry
  if (typeof wanted !== 'string' || wanted === '') {
    throw failed(step, 'workspace must be the id or the name of a workspace')
  }
  const workspace = ids.get(wanted) ?? wanted
  if (!/^[\w-]+$/.test(workspace)) throw failed(step, `there is no workspace ${wanted}`)
  const path = `/workspaces/${workspace}`
  const kinds: Readonly<Record<Exclude<Kind, 'workspaces'>, () => Call>> = {
    users: () => ({ method: 'POST', path: `${path}/users`, body: entry }),
    keys: () => ({ method: 'POST', path: '/keys', body: { ...entry, workspaceId: workspace } }),
    subscriptions: () => ({ method: 'POST', path: `${path}/subscriptions`, body: entry }),
    faults: () => ({ method: 'POST', path: `${path}/faults`, body: entry }),
    clocks: () => ({ method: 'PUT', path: `${path}/clock`, body: entry }),
    triggers: () => triggerCall(step, path, entry),
  }
  return kinds[step.kind]()
}

function triggerCall(step: InitStep, path: string, { name, body = {}, ...others }: Entry): Call {
  if (typeof name !== 'string' || !/^\w[\w.-]*$/.test(name)) {
    throw failed(step, 'name must be the name of a trigger')
  }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw failed(step, `${unknown} is not a known field; use workspace, name, body`)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw failed(step, 'body must be an object')
  return { method: 'POST', path: `${path}/triggers/${name}`, body: body as Entry }
}

/** Returns the file or URL of a workspace's fixtures; null for built-in ones. Relative paths start in the folder. */
function sourceOf(folder: string, step: InitStep): string | null {
  const { fixtures } = step.entry
  if (typeof fixtures !== 'string' || ['none', 'small', 'demo'].includes(fixtures)) return null
  const problem = sourceProblem(fixtures)
  if (problem !== null) throw failed(step, `fixtures ${problem}`)
  return /^(?:https?|file):/i.test(fixtures) || isAbsolute(fixtures) ? fixtures : join(folder, fixtures)
}

/** A body as a stream, and why its snapshot could not be read. */
type Sent = Readable & { failure?: string }

/** Returns the body of a call whose field `fixtures` is the content of a file or URL. */
function withSnapshot(body: Entry, source: string): Sent {
  const { fixtures: _source, ...rest } = body
  async function* pieces(): AsyncGenerator<Buffer, void> {
    yield Buffer.from(JSON.stringify({ ...rest, fixtures: 0 }).slice(0, -2))
    try {
      yield* openSource(source)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      // The server refuses the incomplete body; the reason is here.
      stream.failure = `cannot read ${error.message}`
      return
    }
    yield Buffer.from('}')
  }
  const stream: Sent = Readable.from(pieces())
  return stream
}
