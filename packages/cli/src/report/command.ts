/** `suite-sim report`: asks a server what a run relied on, and writes the page for going live. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { SimulatorClient } from '@suite-sim/client/client'
import { SimulatorError } from '@suite-sim/client/errors'
import { io } from '@suite-sim/kit/terminal/io'
import { printsJson, withProgress } from '@suite-sim/kit/terminal/output'
import { CommandError, printable, UsageError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { readText } from '@suite-sim/kit/terminal/textFiles'
import { iso } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { parseReport } from '@suite-sim/verify/report/since'
import { gatherFacts } from './facts.ts'
import { FORMATS, type ReportFormat } from './formats.ts'
import type { Part } from './part.ts'
import { partOf } from './reliances.ts'
import { reportOf, type Measured } from './report.ts'
import type { RunReport } from './runReport.ts'
import { partsIn } from './runFolder.ts'
import { examScore, mutateScore } from './scores.ts'
import { writeAs } from './writing.ts'

export interface ReportSettings extends WorkspaceSettings {
  readonly label?: Readonly<Record<string, string>>
  /** A folder of SUITE_SIM_REPORT. */
  readonly run?: string
  readonly exam?: readonly string[]
  readonly mutate?: string
  readonly verify?: string
  readonly format?: ReportFormat
  readonly out?: string
}

/** Megabytes of a report that is read. */
const MAX_FILE = 100

export async function report(settings: ReportSettings): Promise<void> {
  const files = filesOf(settings)
  const measured = measuredIn(settings)
  const simulator = new SimulatorClient(settings.url, { adminToken: settings.adminToken ?? null })
  const made = await withProgress('reading the run', reportFrom(simulator, settings, measured)).catch(
    (error: unknown): never => {
      throw error instanceof SimulatorError ? new CommandError(error.message) : error
    },
  )
  for (const { file, format } of files) write(file, writeAs(format, made))
  const format = settings.format ?? (printsJson(settings) ? 'json' : 'md')
  const { stdout } = io()
  if (files.length === 0)
    stdout.write(format === 'json' ? writeAs(format, made) : printable(writeAs(format, made)))
  else for (const { file } of files) stdout.write(`${file}\n`)
}

async function reportFrom(
  simulator: SimulatorClient,
  { workspace, label, run }: ReportSettings,
  measured: Measured,
): Promise<RunReport> {
  if (run !== undefined) return reportOf(parsedRun(run), measured, iso(systemNow()))
  const ids = label ? (await simulator.workspaces.list({ labels: label })).map(({ id }) => id) : [workspace]
  if (ids.length === 0) throw new CommandError('no workspace has these labels')
  const parts: Part[] = []
  for (const id of ids) parts.push(partOf(await gatherFacts(simulator, id)))
  return reportOf(parts, measured, iso(systemNow()))
}

function parsedRun(folder: string): Part[] {
  try {
    return partsIn(folder)
  } catch (error) {
    throw new UsageError(`--run: ${folder}: ${(error as Error).message}`)
  }
}

function measuredIn({ exam = [], mutate, verify }: ReportSettings): Measured {
  return {
    exams: exam.map((file) => parsed('--exam', file, examScore)),
    ...(mutate !== undefined && { mutate: parsed('--mutate', mutate, mutateScore) }),
    ...(verify !== undefined && { verify: parsed('--verify', verify, parseReport) }),
  }
}

function parsed<Result>(flag: string, file: string, parse: (text: string) => Result): Result {
  const text = readText(flag, file, MAX_FILE)
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(`${flag}: ${file}: ${(error as Error).message}`)
  }
}

interface Output {
  readonly file: string
  readonly format: ReportFormat
}

/** A folder gets all formats; the name of a file says its format, unless a flag does. */
function filesOf({ out, format }: ReportSettings): Output[] {
  if (out === undefined) return []
  const isFolder = statSync(out, { throwIfNoEntry: false })?.isDirectory() ?? extname(out) === ''
  if (isFolder)
    return (format ? [format] : FORMATS).map((each) => ({ file: join(out, `report.${each}`), format: each }))
  const named = FORMATS.find((each) => extname(out).toLowerCase() === `.${each}`)
  const chosen = format ?? named
  if (!chosen)
    throw new UsageError(
      `--out: ${out} must end in ${FORMATS.map((each) => `.${each}`).join(', ')}, or be a folder`,
    )
  return [{ file: out, format: chosen }]
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    throw new CommandError(
      `--out: cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
    )
  }
}
