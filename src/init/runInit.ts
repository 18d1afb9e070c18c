/** Runs the steps of files as calls, so that the server checks each as it checks those of clients. */
import { CALLER_HEADER, INIT_CALLER } from '@suite-sim/kit/calls/callerName'
import { counted } from '@suite-sim/kit/text/counted'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { isAbsolute, join } from 'node:path'
import { Readable } from 'node:stream'
import type { App } from '../app.ts'
import { openSource, SourceError, sourceProblem } from '../control/snapshots/sources.ts'
import { keepAsBaseline } from '../state/storage/records/replaceRecords.ts'
import type { Hint } from '../state/timeline/causes.ts'
import { Answers } from './answers.ts'
import { failed, fieldIn, titleOf } from './errors.ts'
import { KINDS, OWN, type Entry, type InitFile, type InitPlan, type InitStep, type Kind } from './steps.ts'
import { interfaceCall } from './interfaceCalls.ts'

/** Returns "2 files: 1 workspace, 3 triggers". */
export function summaryOf(files: readonly InitFile[]): string {
  const steps = files.flatMap((file) => file.steps)
  const counts = KINDS.flatMap((kind) => {
    const count = steps.filter((step) => step.kind === kind).length
    return count === 0 ? [] : [counted(count, kind.slice(0, -1))]
  })
  const of = counted(files.length, 'file')
  return `${of}: ${counts.length === 0 ? 'nothing to do' : counts.join(', ')}`
}

type Server = Pick<App, 'fastify' | 'workspaces' | 'records' | 'published'>

/** Runs all steps in order. Throws an InitError that names the file, the line, the entry and the reason. */
export async function runInit(app: Server, adminToken: string | null, plan: InitPlan): Promise<void> {
  const run = new InitRun(app, adminToken, plan.folder)
  for (const file of plan.files) await run.runFile(file)
}

/** A call of the control plane. */
interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: Entry
}

/** A body as a stream, and why its snapshot could not be read. */
type Sent = Readable & { failure?: string }

class InitRun {
  readonly #app: Server
  readonly #adminToken: string | null
  readonly #folder: string
  /** The ids of the workspaces of these files, by name and id; that of the current file is OWN. */
  readonly #ids = new Map<string, string>()

  constructor(app: Server, adminToken: string | null, folder: string) {
    this.#app = app
    this.#adminToken = adminToken
    this.#folder = folder
  }

  async runFile({ steps }: InitFile): Promise<void> {
    const called = steps.find(({ kind }) => kind === 'calls')
    const answers = new Answers()
    for (const step of steps) {
      if (step.kind === 'calls') await this.#interfaceStep(step, answers)
      // Only files with calls have references, so that the texts of others stay as they are.
      else if (called && step.kind === 'triggers') {
        await this.#controlStep({ ...step, entry: answers.fill(step, step.entry, []) as Entry })
      } else await this.#controlStep(step)
    }
    if (called) await keepAsBaseline(this.#app, this.#app.workspaces.get(this.#workspaceOf(called)))
  }

  async #interfaceStep(step: InitStep, answers: Answers): Promise<void> {
    const path = `/workspaces/${this.#workspaceOf(step)}`
    if (!answers.has('workspace')) answers.set('workspace', await this.#get(step, path))
    const { data: keys } = await this.#get<{ data: { key: string }[] }>(step, `${path}/keys`)
    await interfaceCall(this.#app, { key: keys[0]?.key ?? '', answers }, step)
    await this.#mustHaveIgnoredNothing(step, `${path}/requests`)
  }

  /** Refuses fields that the interface does not have: it ignores them, and in a file they are mistakes. */
  async #mustHaveIgnoredNothing(step: InitStep, path: string): Promise<void> {
    const { data: calls } = await this.#get<{ data: { id: string; hintCount: number }[] }>(
      step,
      `${path}?limit=1`,
    )
    if (calls[0] === undefined || calls[0].hintCount === 0) return
    const { hints } = await this.#get<{ hints: Hint[] }>(step, `${path}/${calls[0].id}`)
    const ignored = hints.find(({ code }) => /^unknown_(?:body_field|query_parameter)$/.test(code))
    if (!ignored) return
    const title = titleOf(step.entry)
    const message = ignored.message.replace(' It was ignored.', '')
    throw failed(step, message, [title, ...fieldIn(step.entry[title], message)])
  }

  async #controlStep(step: InitStep): Promise<void> {
    const call = this.#callOf(step)
    const source = step.kind === 'workspaces' ? this.#sourceOf(step) : null
    const { workspace } = await this.#send<{ workspace?: { id: string; name: string } }>(step, call, source)
    if (!workspace) return
    this.#ids.set(workspace.name, workspace.id).set(workspace.id, workspace.id)
    if (step.at[0] === 'workspace') this.#ids.set(OWN, workspace.id)
  }

  #get<Answer>(step: InitStep, path: string): Promise<Answer> {
    return this.#send(step, { method: 'GET', path })
  }

  /** Sends a call of the control plane, with the snapshot at `source`. Throws an InitError if it is refused. */
  async #send<Answer>(
    step: InitStep,
    { method, path, body }: Call,
    source: string | null = null,
  ): Promise<Answer> {
    const sent: Sent | undefined =
      body && (source === null ? Readable.from([JSON.stringify(body)]) : withSnapshot(body, source))
    const response = await this.#app.fastify.inject({
      method,
      url: `/_sim${path}`,
      headers: {
        [CALLER_HEADER]: INIT_CALLER,
        ...(sent && { 'content-type': 'application/json' }),
        ...(this.#adminToken !== null && { authorization: `Bearer ${this.#adminToken}` }),
      },
      ...(sent && { payload: sent }),
    })
    const answer = response.json<Answer & { error?: { message: string } }>()
    if (response.statusCode < 400) return answer
    throw failed(step, sent?.failure ?? answer.error?.message ?? response.body)
  }

  /** Returns the id of the workspace of an entry, by default of the one of its file. */
  #workspaceOf(step: InitStep): string {
    const own = step.kind === 'calls' ? undefined : step.entry['workspace']
    const wanted = own ?? step.workspace
    if (typeof wanted !== 'string' || own === '') {
      throw failed(step, 'workspace must be the id or the name of a workspace')
    }
    const id = this.#ids.get(wanted) ?? wanted
    if (this.#app.workspaces.find(id)) return id
    const nearest = nearestName(wanted, [...this.#ids.keys()])
    const instead = nearest === null ? '' : `; did you mean ${nearest}?`
    const place: InitStep = own === undefined ? { ...step, kind: 'workspaces', at: ['workspace'] } : step
    throw failed(
      place,
      `workspace must be the id or the name of a workspace; there is no ${wanted}${instead}`,
    )
  }

  /** Returns the call of a step. Its entry is the body of the call; `workspace` and `name` of a trigger are in the path. */
  #callOf(step: InitStep): Call {
    if (step.kind === 'workspaces') return { method: 'POST', path: '/workspaces', body: step.entry }
    const { workspace: _workspace, ...entry } = step.entry
    const id = this.#workspaceOf(step)
    const path = `/workspaces/${id}`
    const kinds: Readonly<Record<Exclude<Kind, 'workspaces' | 'calls'>, () => Call>> = {
      users: () => ({ method: 'POST', path: `${path}/users`, body: entry }),
      keys: () => ({ method: 'POST', path: '/keys', body: { ...entry, workspaceId: id } }),
      subscriptions: () => ({ method: 'POST', path: `${path}/subscriptions`, body: entry }),
      faults: () => ({ method: 'POST', path: `${path}/faults`, body: entry }),
      clocks: () => ({ method: 'PUT', path: `${path}/clock`, body: entry }),
      triggers: () => triggerCall(step, path, entry),
    }
    return kinds[step.kind as keyof typeof kinds]()
  }

  /** Returns the file or URL of a workspace's fixtures; null for others. Relative paths start in the folder. */
  #sourceOf(step: InitStep): string | null {
    const { fixtures } = step.entry
    if (typeof fixtures !== 'string' || ['none', 'small', 'demo'].includes(fixtures)) return null
    const problem = sourceProblem(fixtures)
    if (problem !== null) throw failed(step, `fixtures ${problem}`)
    const isWhole = /^(?:https?|file):/i.test(fixtures) || isAbsolute(fixtures)
    return isWhole ? fixtures : join(this.#folder, fixtures)
  }
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
