/** Grades workspaces, and the reference and the saboteurs of a task. */
import type { Server } from '@suite-sim/client/calling'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { pathTo, Remote, pathOf } from '@suite-sim/kit/terminal/remote'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { instantOf, UTC } from '@suite-sim/kit/time/instants'
import { compare, isInSection, type Outcome } from './comparing/comparing.ts'
import { createStart, deleteQuietly, mustFit, prepare, type Prepared, type Start } from './preparing.ts'
import { documentOf, run } from './running.ts'
import { taskOf } from './taskFile.ts'
import type {
  ChangedRecord,
  Email,
  ExpectedFailure,
  Finding,
  Grade,
  JournalCall,
  PreparedRun,
  Step,
  Task,
} from './task.ts'

const PAGE = 1000
/** The journal has the last 1,000 calls, more than any budget. */
const MAX_CALLS = 1000
/** The maximum number of changed records that are read. */
const MAX_CHANGES = 10_000

/** Makes a workspace for an agent: with the records, the time and the key of the task. */
export async function prepareRun(remote: Remote, task: Task): Promise<PreparedRun> {
  const start = await startOf(remote, task)
  const { id, accountId, key, controlToken } = await prepareAndDelete(remote, task, start)
  const { name, instruction, interfaces, scopes, budget } = task
  const mcp = {
    command: 'suite-sim',
    args: [
      ...['mcp', '--url', remote.url, '--workspace', id, '--tools', 'search'],
      ...['--interface', interfaces.join(',')],
      ...(scopes.length > 0 ? ['--scopes', scopes.join(',')] : []),
    ],
    env: { SIM_ADMIN_TOKEN: controlToken },
  }
  return {
    task: name,
    workspace: id,
    accountId,
    key,
    controlToken,
    interfaces,
    scopes,
    budget,
    instruction,
    mcp,
  }
}

async function prepareAndDelete(remote: Remote, task: Task, start: Start): Promise<Prepared> {
  try {
    return await prepare(remote, task, start)
  } finally {
    await deleteQuietly(remote, start.id)
  }
}

/** Grades a workspace that fits the task. */
export async function gradeRun(
  remote: Remote,
  task: Task,
  workspace: string,
  answer: string | null,
): Promise<Grade> {
  await mustFit(remote, task, workspace)
  await mustHaveNames(remote, task, workspace)
  return await grade(remote, task, workspace, answer)
}

const remoteTo = ({ url, adminToken }: Server): Remote => new Remote(url, adminToken ?? undefined)

/** `prepareTask` of the library. */
export const prepareFor = async (server: Server, task: string | object): Promise<PreparedRun> =>
  prepareRun(remoteTo(server), await taskOf(task))

const MAX_ANSWER_LENGTH = 1_000_000

/** `grade` of the library. */
export async function gradeFor(
  server: Server,
  task: string | object,
  workspace: string,
  answer: string | null,
): Promise<Grade> {
  if (answer !== null && answer.length > MAX_ANSWER_LENGTH) {
    throw new UsageError(`answer must have at most ${String(MAX_ANSWER_LENGTH)} characters`)
  }
  const result = await gradeRun(remoteTo(server), await taskOf(task), workspace, answer)
  const findings = result.findings.map((each) => ({
    ...each,
    message: each.message.replace(BY_FLAG, BY_OPTION),
  }))
  return { ...result, findings }
}

const BY_FLAG = /pass it with --answer$/
const BY_OPTION = 'pass it as { answer }'

async function grade(remote: Remote, task: Task, workspace: string, answer: string | null): Promise<Grade> {
  const outcome = {
    changes: await withValues(remote, task, workspace, await changesOf(remote, workspace)),
    calls: await callsOf(remote, workspace),
    emails: await emailsOf(remote, workspace),
    answer,
    now: await nowOf(remote, workspace),
  }
  return gradeOf(task, workspace, outcome)
}

function gradeOf(task: Task, workspace: string, outcome: Outcome): Grade {
  const findings = compare(task, outcome)
  const { name, budget } = task
  return {
    task: name,
    workspace,
    passed: findings.length === 0,
    calls: outcome.calls.length,
    budget,
    findings,
  }
}

async function changesOf(remote: Remote, workspace: string): Promise<ChangedRecord[]> {
  const changes: ChangedRecord[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) })
    const page: { data: ChangedRecord[]; nextCursor: string | null } = await remote.call(
      'GET',
      `${pathOf(workspace)}/diff?${query.toString()}`,
    )
    for (const each of page.data) changes.push(each)
    cursor = page.nextCursor
    if (changes.length > MAX_CHANGES) {
      throw new UsageError(`the workspace has more than ${String(MAX_CHANGES)} changed records`)
    }
  } while (cursor !== null)
  return changes
}

/** The maximum number of records that are read whole. */
const MAX_WHOLE = 500

/** Adds the values that did not change to the records that selectors may match. */
async function withValues(
  remote: Remote,
  task: Task,
  workspace: string,
  changes: readonly ChangedRecord[],
): Promise<ChangedRecord[]> {
  const matching = [...task.changes, ...task.sideEffects, ...task.forbidden].filter(
    ({ match }) => match.size > 0,
  )
  const result: ChangedRecord[] = []
  let read = 0
  for (const each of changes) {
    const { section, id, change } = each
    const isNeeded = change === 'changed' && matching.some((one) => isInSection(one.section, section))
    if (!isNeeded || read++ >= MAX_WHOLE) result.push(each)
    else {
      const path = pathOf(workspace) + pathTo('/records/{section}/{id}', { section, id })
      const { status, text } = await remote.ask('GET', `/_sim${path}`)
      // A deleted record can't be read.
      result.push(status === 200 ? { ...each, whole: (JSON.parse(text) as { record: Row }).record } : each)
    }
  }
  return result
}

type Row = Readonly<Record<string, unknown>>

/** Returns the calls of the journal, oldest first. */
async function callsOf(remote: Remote, workspace: string): Promise<JournalCall[]> {
  const path = `${pathOf(workspace)}/requests?limit=${String(MAX_CALLS)}`
  return (await remote.call<{ data: JournalCall[] }>('GET', path)).data.toReversed()
}

async function nowOf(remote: Remote, workspace: string): Promise<number> {
  const { now } = await remote.call<{ now: string }>('GET', `${pathOf(workspace)}/clock`)
  return instantOf(now, UTC)
}

async function emailsOf(remote: Remote, workspace: string): Promise<Email[]> {
  const path = `${pathOf(workspace)}/emails?limit=${String(PAGE)}`
  return (await remote.call<{ data: Email[] }>('GET', path)).data
}

/** A run of a self-test: of the reference or of a saboteur. */
export interface SelfTestRun {
  readonly task: string
  readonly run: string
  /** True if the reference passed, or the saboteur failed for its reason. */
  readonly passed: boolean
  readonly findings: readonly Finding[]
  /** What is not as the task says. */
  readonly problems: readonly string[]
}

export interface SelfTestChoice {
  readonly reference: boolean
  readonly saboteurs: boolean
}

/** Runs the reference and the saboteurs, each in its own workspace. */
export async function runSelfTest(
  remote: Remote,
  task: Task,
  choice: SelfTestChoice,
): Promise<SelfTestRun[]> {
  const start = await startOf(remote, task)
  try {
    const runs: SelfTestRun[] = []
    if (choice.reference) {
      const { findings } = await gradeSteps(remote, task, start, task.reference, true)
      const problems = findings.map(({ kind, message }) => `${kind}: ${message}`)
      runs.push({ task: task.name, run: 'reference', passed: problems.length === 0, findings, problems })
    }
    for (const { name, steps, fails } of choice.saboteurs ? task.saboteurs : []) {
      const { findings } = await gradeSteps(remote, task, start, steps, false)
      const problems = differences(fails, findings)
      runs.push({ task: task.name, run: name, passed: problems.length === 0, findings, problems })
    }
    return runs
  } finally {
    await deleteQuietly(remote, start.id)
  }
}

/** Creates the start of a task. Refuses names that the server does not have. */
async function startOf(remote: Remote, task: Task): Promise<Start> {
  const start = await createStart(remote, task)
  try {
    await mustHaveNames(remote, task, start.id)
    return start
  } catch (error) {
    await deleteQuietly(remote, start.id)
    throw error
  }
}

async function gradeSteps(
  remote: Remote,
  task: Task,
  start: Start,
  steps: readonly Step[],
  mustSucceed: boolean,
): Promise<Grade> {
  const { id, key, values } = await prepare(remote, task, start)
  try {
    const { answer } = await run(remote, steps, { workspace: id, key, values, mustSucceed })
    return await grade(remote, task, id, answer)
  } finally {
    await deleteQuietly(remote, id)
  }
}

/** Compares findings with the failures that a saboteur must lead to. Both must be complete. */
function differences(fails: readonly ExpectedFailure[], findings: readonly Finding[]): string[] {
  const lacking = fails.filter((each) => !findings.some((found) => isFailure(each, found)))
  const others = findings.filter((found) => !fails.some((each) => isFailure(each, found)))
  return [
    ...(findings.length === 0 ? ['it passes'] : []),
    ...lacking.map((each) => `it must fail with ${JSON.stringify(each)}`),
    ...others.map(({ kind, message }) => `it fails for another reason: ${kind}: ${message}`),
  ]
}

const isFailure = (wanted: ExpectedFailure, found: Finding): boolean =>
  wanted.kind === found.kind &&
  (wanted.section === undefined || wanted.section === found.section) &&
  (wanted.id === undefined || wanted.id === found.id) &&
  (wanted.field === undefined || wanted.field === found.field) &&
  (wanted.text === undefined || found.message.toLowerCase().includes(wanted.text.toLowerCase()))

/** Refuses sections, operations and triggers that the server does not have, because nothing would match them. */
async function mustHaveNames(remote: Remote, task: Task, workspace: string): Promise<void> {
  const { data } = await remote.call<{ data: { section: string }[] }>('GET', `${pathOf(workspace)}/records`)
  const sections = data.map(({ section }) => section)
  const used = [...task.changes, ...task.sideEffects, ...task.forbidden].map(({ section }) => section)
  for (const section of used) {
    if (section.includes('.') && !sections.includes(section)) {
      throw unknown(task, 'section', section, sections)
    }
  }
  for (const { interface: of, operation } of task.calls) {
    const { paths } = await documentOf(remote, of)
    const operations = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    )
    if (!operations.includes(operation)) throw unknown(task, `operation of ${of}`, operation, operations)
  }
}

function unknown({ file }: Task, what: string, name: string, names: readonly string[]): UsageError {
  const nearest = nearestName(name, names)
  const hint = nearest === null ? `the server has ${names.join(', ')}` : `did you mean ${nearest}?`
  return new UsageError(`${file}: there is no ${what} ${name}; ${hint}`)
}
