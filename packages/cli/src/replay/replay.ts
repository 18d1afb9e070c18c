/** Replays a recording in a new workspace, and compares the answers, the changes and the snapshot. */
import { createHash } from 'node:crypto'
import { References } from './comparing/references.ts'
import { CredentialHider } from '@suite-sim/kit/calls/credentials'
import { INTERFACES } from '@suite-sim/client/generated/control'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { formBody } from './forms.ts'
import { Places, type Moves } from './format/places.ts'
import {
  BODY_MISSING,
  type RecordedCaller,
  type RecordedChange,
  type Recording,
  type Step,
} from './format/recording.ts'
import type { Target, TargetAnswer } from './target.ts'

export interface StepDifference {
  /** From 1 on; null for the changes that all steps led to. */
  readonly step: number | null
  /** "POST /pay/v1/links" */
  readonly title: string
  /** "status", "location", "answer.data[0].id" or "diff.data[0].fields[1].after". */
  readonly path: string
  readonly recorded: unknown
  readonly replayed: unknown
}

export interface ReplayResult {
  readonly isEqual: boolean
  readonly steps: number
  /** Steps that can't be replayed, with the reason. */
  readonly skipped: readonly { readonly step: number; readonly title: string; readonly reason: string }[]
  readonly differences: readonly StepDifference[]
  /** Whether the snapshot has the same bytes; null if the file does not say. */
  readonly isSnapshotEqual: boolean | null
  /** Whether the same records changed in the same way; null if the file does not say. */
  readonly isDiffEqual: boolean | null
  readonly workspace: string
}

/** The server refuses a step of the replay itself, such as the snapshot that the recording begins with. */
export class ReplayRefused extends UsageError {}

/** The most differences of a replay, and of one step. */
const MAX_DIFFERENCES = 100
const MAX_OF_STEP = 10

export interface ReplayOptions {
  /** The records of a HAR file: `none`, `small`, `demo` or a snapshot. */
  readonly fixtures?: unknown
  /** Whether the workspace stays. */
  readonly keep?: boolean
}

export async function replay(
  target: Target,
  recording: Recording,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const run = new Replay(target, recording)
  await run.open(options)
  try {
    return await run.result()
  } finally {
    if (options.keep !== true) await run.remove()
  }
}

export const titleOf = ({ kind, method = '', path = '', operation }: Step): string =>
  kind === 'restart'
    ? 'restart of the server'
    : kind === 'trigger' || kind === 'call' || operation === undefined
      ? `${method} ${path}`
      : `${method} ${path} (${operation})`

/** Refusals that do not depend on the body. Other calls without their body could do something else than recorded. */
const REFUSED_UNREAD: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 429, 507])

/** The snapshot with the state at the start. */
const START = 'replay-start'

interface Created {
  readonly workspace: { readonly id: string; readonly accountId: number }
  readonly user: { readonly id: string }
  readonly key: string
}

class Replay {
  readonly #target: Target
  readonly #recording: Recording
  readonly #references: References
  readonly #hider: CredentialHider
  readonly #keys = new Map<string, string>()
  readonly #differences: StepDifference[] = []
  readonly #skipped: { step: number; title: string; reason: string }[] = []
  #created: Created = { workspace: { id: '', accountId: 0 }, user: { id: '' }, key: '' }
  #places = new Places(null)
  #now: string | null = null

  constructor(target: Target, recording: Recording) {
    this.#target = target
    this.#recording = recording
    this.#hider = new CredentialHider(recording.id)
    this.#references = new References({
      times: recording.workspace === null ? 'any' : 'exact',
      maxDifferences: MAX_OF_STEP,
    })
  }

  /**
   * Creates the workspace with the records, settings and faults of the start. The records come last: at the time of the
   * replay, jobs of the recording would be due.
   */
  async open({ fixtures = 'none', keep = false }: ReplayOptions): Promise<void> {
    const { workspace, start, name } = this.#recording
    const { format, workspace: settings, users } = start?.snapshot ?? {}
    this.#created = await this.#control<Created>('POST', '/workspaces', {
      ...(workspace && this.#target.isOwn && { id: workspace.id }),
      ...(workspace ? { ids: workspace.ids } : { name: `Replay of ${name}`.slice(0, 200) }),
      fixtures: start ? { format, workspace: settings, users } : fixtures,
      ...(!keep && { ttl: 'PT24H' }),
    })
    this.#places = new Places(this.#moves())
    if (!start) return
    await this.#setClock(start.at)
    await this.#control('PATCH', this.#path(''), start.settings)
    await this.#control('PUT', this.#path('/snapshot'), start.snapshot)
    await this.#control('POST', this.#path('/snapshots'), { name: START })
    for (const fault of start.faults) await this.#control('POST', this.#path('/faults'), fault)
  }

  async result(): Promise<ReplayResult> {
    const { steps, end } = this.#recording
    for (const [index, step] of steps.entries()) {
      if (this.#differences.length >= MAX_DIFFERENCES) break
      await this.#step(step, index + 1)
    }
    const isDiffEqual = end && this.#differences.length < MAX_DIFFERENCES ? await this.#compareEnd(end) : null
    const isSnapshotEqual = end ? (await this.#digest()) === end.snapshot.sha256 : null
    return {
      isEqual: this.#differences.length === 0,
      steps: steps.length,
      skipped: this.#skipped,
      differences: this.#differences.slice(0, MAX_DIFFERENCES),
      isSnapshotEqual,
      isDiffEqual,
      workspace: this.#created.workspace.id,
    }
  }

  async remove(): Promise<void> {
    await this.#target.send({
      method: 'DELETE',
      path: `/_sim${this.#path('')}`,
      headers: this.#target.credentials,
    })
  }

  async #step(step: Step, number: number): Promise<void> {
    if (step.at !== null) await this.#setClock(step.at)
    if (step.kind === 'restart') {
      // A restart removes the faults, which are in memory.
      await this.#control('DELETE', this.#path('/faults'))
      return
    }
    if (step.snapshot) {
      await this.#replaceState(step, step.snapshot)
      return
    }
    const { isBodyMissing = false, status = 0 } = step
    const answer = isBodyMissing && !REFUSED_UNREAD.has(status) ? null : await this.#send(step)
    if (answer && !(isBodyMissing && answer.status !== status)) this.#compare(step, answer, number)
    else this.#skipped.push({ step: number, title: titleOf(step), reason: BODY_MISSING })
  }

  /** Applies a reset or another replacement of all records by its result. */
  async #replaceState({ operation, now, settings = {} }: Step, snapshot: object): Promise<void> {
    // First, because a reset moves the clock back, and the jobs of the new records must not run before.
    if (now !== undefined) await this.#setClock(now)
    // Before the records, whose jobs follow the progression.
    await this.#control('PATCH', this.#path(''), settings)
    await this.#control('PUT', this.#path('/snapshot'), snapshot)
    if (operation === 'resetWorkspace') await this.#control('DELETE', this.#path('/faults'))
  }

  async #send(step: Step): Promise<TargetAnswer> {
    const { kind, method = 'GET', path = '/', headers = {}, form, text } = step
    const isControl = kind === 'trigger' || kind === 'clock' || kind === 'control'
    const credentials = isControl
      ? this.#target.credentials
      : kind === 'page'
        ? {}
        : this.#credentialsOf(step.interface ?? '', await this.#keyOf(step.caller))
    const sent = form
      ? formBody(form.map((field) => this.#translated(field, step)))
      : step.body !== undefined
        ? { headers: {}, body: JSON.stringify(this.#translated(this.#sentBody(step), step)) }
        : text !== undefined
          ? { headers: {}, body: this.#translated(text, step) }
          : { headers: {} }
    return this.#target.send({
      method,
      path: this.#references.translate(this.#places.inPath(path)),
      headers: { ...this.#translated(headers, step), ...sent.headers, ...credentials },
      ...('body' in sent && { body: sent.body }),
    })
  }

  /** The clock stays frozen in a replay, so that its speed has no effect. */
  #sentBody({ kind, body }: Step): unknown {
    if (kind !== 'clock' || typeof body !== 'object' || body === null) return body
    const { frozen: _frozen, ...rest } = body as Readonly<Record<string, unknown>>
    return rest
  }

  #translated<Value>(value: Value, { origin }: Step): Value {
    return this.#references.translateValue(this.#places.inValue(value, origin, this.#target.origin))
  }

  #compare(step: Step, answer: TargetAnswer, number: number): void {
    const { kind, status, operation, location, answerText, file } = step
    const add = (path: string, recorded: unknown, replayed: unknown): void => {
      this.#differences.push({ step: number, title: titleOf(step), path, recorded, replayed })
    }
    if (status !== answer.status) {
      add('status', status, answer.status)
      return
    }
    if (kind === 'page') return
    if (location !== undefined) this.#compareValues(step, 'location', location, answer.location, add)
    if (file === true) return
    if (answerText !== undefined) {
      this.#compareValues(step, 'answer', answerText, this.#hidden(answer.text), add)
      return
    }
    const { answer: recorded } = step
    const replayed = this.#json(answer.text)
    if (kind === 'call' || kind === 'trigger') {
      this.#compareValues(step, 'answer', recorded, replayed, add)
      return
    }
    this.#pairId(recorded, replayed)
    if (kind === 'clock') this.#compareValues(step, 'answer.now', nowOf(recorded), nowOf(replayed), add)
    else if (operation === 'createUser') this.#compareValues(step, 'answer', recorded, replayed, add)
  }

  #compareValues(
    step: Step,
    path: string,
    recorded: unknown,
    replayed: unknown,
    add: (path: string, recorded: unknown, replayed: unknown) => void,
  ): void {
    const left = this.#places.inValue(recorded, step.origin, this.#target.origin)
    for (const found of this.#references.compare(left, replayed)) {
      const inside = found.path === '' || found.path.startsWith('[') ? found.path : `.${found.path}`
      add(path + inside, found.left, found.right)
    }
  }

  /** Pairs the ids of what a control call has created: "fault_3" and "fault_1". */
  #pairId(recorded: unknown, replayed: unknown): void {
    const [left, right] = [recorded, replayed].map((answer) =>
      typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined,
    )
    if (typeof left !== 'string' || typeof right !== 'string' || left === right) return
    this.#references.pair(left, right)
  }

  async #compareEnd(end: NonNullable<Recording['end']>): Promise<boolean> {
    await this.#setClock(end.at)
    const { summary, data, isComplete } = end.diff
    const replayed = await this.#diff(data.length)
    const plain = (changes: readonly RecordedChange[]) =>
      isComplete ? changes.map((change) => plainChange(change, this.#hider)) : []
    const left = { summary, data: plain(data) }
    const right = { summary: replayed.summary, data: plain(replayed.data) }
    const moved = this.#places.inValue(left, this.#recording.workspace?.publicUrl, this.#target.origin)
    const found = this.#references.compare(moved, right)
    for (const { path, left: recorded, right: other } of found) {
      const place = /^data\[(\d+)\]/.exec(path)?.[1]
      const { section = '', id = '' } = data[Number(place ?? -1)] ?? replayed.data[Number(place ?? -1)] ?? {}
      const title = place === undefined ? 'the changes' : `the change of ${section}/${id}`
      this.#differences.push({ step: null, title, path: `diff.${path}`, recorded, replayed: other })
    }
    return found.length === 0
  }

  /** Returns the changes since the start: all pages, or more than the recording has. */
  async #diff(wanted: number): Promise<{ summary: object; data: RecordedChange[] }> {
    const data: RecordedChange[] = []
    let cursor: string | null = null
    let summary: object = {}
    do {
      const query = new URLSearchParams({ from: START, limit: '1000', ...(cursor !== null && { cursor }) })
      const page: { summary: object; data: RecordedChange[]; nextCursor: string | null } =
        await this.#control('GET', this.#path(`/diff?${query.toString()}`))
      summary = page.summary
      data.push(...(this.#json(JSON.stringify(page.data)) as RecordedChange[]))
      cursor = page.nextCursor
    } while (cursor !== null && data.length <= wanted)
    return { summary, data }
  }

  /** Returns the digest of the snapshot without credentials, as the recording has it. */
  async #digest(): Promise<string> {
    const { text } = await this.#target.send({
      method: 'GET',
      path: `/_sim${this.#path('/snapshot')}`,
      headers: this.#target.credentials,
    })
    return createHash('sha256').update(this.#hidden(text)).digest('hex')
  }

  /** Returns a text with the replacements that the recording has for credentials. */
  #hidden(text: string): string {
    return this.#hider.json(text)
  }

  #json(text: string): unknown {
    if (text === '') return undefined
    try {
      return JSON.parse(this.#hidden(text))
    } catch {
      return text
    }
  }

  async #setClock(now: string): Promise<void> {
    if (this.#now === now) return
    await this.#control('PUT', this.#path('/clock'), { now, frozen: true })
    this.#now = now
  }

  #credentialsOf(name: string, key: string): Record<string, string> {
    const { header } = (INTERFACES as Readonly<Record<string, { readonly header?: string }>>)[name] ?? {}
    return header === undefined ? { authorization: `Bearer ${key}` } : { [header.toLowerCase()]: key }
  }

  /** Returns the key of a caller, with the rights that the recorded key had. */
  async #keyOf(caller: RecordedCaller | undefined): Promise<string> {
    if (caller === undefined) return this.#created.key
    const known = this.#keys.get(caller.name)
    if (known !== undefined) return known
    const { key } = await this.#control<{ key: string }>('POST', this.#path('/keys'), {
      userId: this.#references.translate(caller.user),
      scopes: caller.scopes,
      interfaces: caller.interfaces,
      ...(typeof caller.expiresAt === 'string' && { expiresAt: caller.expiresAt }),
    })
    this.#keys.set(caller.name, key)
    return key
  }

  #moves(): Moves | null {
    const { workspace } = this.#recording
    if (!workspace) return null
    const { id, accountId } = this.#created.workspace
    return { workspace: [workspace.id, id], account: [String(workspace.accountId), String(accountId)] }
  }

  #path(below: string): string {
    return `/workspaces/${encodeURIComponent(this.#created.workspace.id)}${below}`
  }

  async #control<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const answer = await this.#target.send({
      method,
      path: `/_sim${path}`,
      headers: {
        ...this.#target.credentials,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.status < 400) return (answer.text === '' ? null : JSON.parse(answer.text)) as Result
    throw new ReplayRefused(`the recording can't be replayed: ${method} /_sim${path}: ${messageIn(answer)}`)
  }
}

const nowOf = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'now' in answer ? answer.now : undefined

/** Causes are entries of the timeline, whose numbers depend on what the replay calls. */
const plainChange = ({ section, id, change, fields }: RecordedChange, hider: CredentialHider) => ({
  section,
  id,
  change,
  fields: fields.map(({ path, before, after }) => {
    const field = path.slice(path.lastIndexOf('.') + 1)
    return { path, before: hider.field(field, before), after: hider.field(field, after) }
  }),
})

function messageIn({ status, text }: TargetAnswer): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return `the server responded with ${String(status)}`
  }
}
