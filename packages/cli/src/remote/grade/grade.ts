/** `suite-sim grade`: prepares workspaces for agents, and grades what the agents did. */
import { io } from '@suite-sim/kit/terminal/io'
import { counted } from '@suite-sim/kit/text/counted'
import { print, printsJson, table, withProgress } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { ServerSettings } from '@suite-sim/kit/terminal/settings'
import { readShortText } from '@suite-sim/kit/terminal/textFiles'
import { remoteOf } from '@suite-sim/kit/terminal/remote'
import { gradeRun, prepareRun, runSelfTest, type SelfTestRun } from './grading.ts'
import { gradeReport, selfTestReport, type ReportFormat } from './reports.ts'
import { readTask, shippedTasks, taskFiles } from './taskFile.ts'
import type { Task } from './task.ts'

export interface GradeSettings extends ServerSettings {
  readonly workspace?: string
  readonly answer?: string
  readonly report?: ReportFormat
  readonly prepare?: true
  readonly reference?: true
  readonly saboteurs?: true
  readonly selfTest?: true
  readonly list?: true
}

const MAX_ANSWER_BYTES = 1_000_000

/** Ends with exit code 1 if a task is not solved, and with 2 if it can't be graded. */
export async function gradeTask(wanted: string | undefined, settings: GradeSettings): Promise<void> {
  const failure = await work(wanted, settings).catch((error: unknown) => {
    throw error instanceof CommandError ? new UsageError(error.message) : error
  })
  if (failure !== null) throw new CommandError(failure)
}

/** Returns what failed, after the report; null if nothing did. */
async function work(wanted: string | undefined, settings: GradeSettings): Promise<string | null> {
  if (settings.list) return await listTasks(settings)
  const files = wanted === undefined ? [] : taskFiles(wanted)
  const isSelfTest = settings.selfTest ?? settings.reference ?? settings.saboteurs
  if (isSelfTest) return await testTasks(wanted === undefined ? shippedTasks() : files, settings)
  const [file] = files
  if (file === undefined)
    throw new UsageError('grade must have a TASK, such as tasks/refund-second-payment.yaml')
  if (files.length > 1)
    throw new UsageError('grade must have one TASK; a folder can only be used with --self-test')
  const task = await readTask(file)
  if (settings.prepare) return await prepareTask(task, settings)
  return await gradeWorkspace(task, settings)
}

const formatOf = (settings: GradeSettings): ReportFormat =>
  settings.report ?? (printsJson(settings) ? 'json' : 'text')

async function listTasks(settings: GradeSettings): Promise<null> {
  const tasks: Task[] = []
  for (const file of shippedTasks()) tasks.push(await readTask(file))
  const data = tasks.map(({ name, title, interfaces, file }) => ({ name, title, interfaces, file }))
  print(settings, { data }, () =>
    table(
      ['NAME', 'TITLE', 'INTERFACES'],
      data.map(({ name, title, interfaces }) => [name, title, interfaces.join(', ')]),
    ),
  )
  return null
}

async function testTasks(files: readonly string[], settings: GradeSettings): Promise<string | null> {
  const { reference = false, saboteurs = false } = settings
  const choice = reference || saboteurs ? { reference, saboteurs } : { reference: true, saboteurs: true }
  const remote = remoteOf(settings)
  const tasks: Task[] = []
  for (const file of files) tasks.push(await readTask(file))
  const runs: SelfTestRun[] = []
  for (const task of tasks) {
    const found = await withProgress(`running ${task.name}`, runSelfTest(remote, task, choice)).catch(
      (error: unknown) => {
        if (error instanceof CommandError) throw new UsageError(`${task.file}: ${error.message}`)
        throw error
      },
    )
    runs.push(...found)
  }
  io().stdout.write(`${selfTestReport(formatOf(settings), runs)}\n`)
  const failed = runs.filter(({ passed }) => !passed).length
  return failed === 0 ? null : `${String(failed)} of ${String(runs.length)} runs are not as the tasks say`
}

async function prepareTask(task: Task, settings: GradeSettings): Promise<null> {
  const remote = remoteOf(settings)
  const run = await prepareRun(remote, task)
  const { workspace, accountId, key, controlToken, interfaces, scopes, budget, instruction, mcp } = run
  const prepared = {
    ...run,
    grade: ['suite-sim', 'grade', task.file, '--url', remote.url, '--workspace', workspace],
  }
  print(settings, prepared, () =>
    [
      `workspace   ${workspace} (account ${String(accountId)})`,
      `key         ${key}`,
      `interfaces  ${interfaces.join(', ')}`,
      `scopes      ${scopes.join(', ') || 'none'}`,
      `budget      ${counted(budget, 'call')}`,
      `agent       SIM_ADMIN_TOKEN=${controlToken} ${[mcp.command, ...mcp.args].join(' ')}`,
      `grade       ${[...prepared.grade, ...(task.answer.length > 0 ? ['--answer', 'FILE'] : [])].join(' ')}`,
      '',
      instruction,
    ].join('\n'),
  )
  return null
}

async function gradeWorkspace(task: Task, settings: GradeSettings): Promise<string | null> {
  const { workspace } = settings
  if (workspace === undefined) throw new UsageError('grade must have --workspace, --prepare or --self-test')
  const remote = remoteOf({ ...settings, workspace })
  const answer =
    settings.answer === undefined ? null : readShortText('--answer', settings.answer, MAX_ANSWER_BYTES)
  const result = await gradeRun(remote, task, workspace, answer)
  io().stdout.write(`${gradeReport(formatOf(settings), result)}\n`)
  if (result.passed) return null
  const { length } = result.findings
  return `the task is not solved: ${counted(length, 'finding')}`
}
