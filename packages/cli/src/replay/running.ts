/** `suite-sim replay` and `suite-sim can-i-upgrade`. Exit code 0: equal; 1: different; 2: not replayed. */
import { io } from '@suite-sim/kit/terminal/io'
import { counted } from '@suite-sim/kit/text/counted'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { paint, print, withProgress } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { VERSION } from '@suite-sim/kit/version'
import type { Recording } from './format/recording.ts'
import { readRecording } from './recordingFile.ts'
import { replay, ReplayRefused, type ReplayResult, type StepDifference } from './replay.ts'
import type { CODE_FORMATS, ReplaySettings, UpgradeSettings } from './settings.ts'
import { ownTarget, remoteTarget } from './target.ts'

const DIFFERENT = 1
const NOT_REPLAYED = 2

export async function runReplay(file: string, settings: ReplaySettings): Promise<void> {
  const recording = readRecording(file)
  if (settings.as !== undefined) {
    await writeTest(file, recording, settings.as, settings.out)
    return
  }
  if (settings.out !== undefined)
    throw new UsageError('--out needs --as, with the format of the test to write')
  if (settings.keep === true && settings.url === undefined) {
    throw new UsageError('--keep needs --url, because the own server of the command ends with it')
  }
  const result = await withProgress('replaying', replayed(recording, settings))
  print(settings, { file, ...result }, () => textOf(file, recording, result))
  if (!result.isEqual) io().exitCode = DIFFERENT
}

async function replayed(recording: Recording, settings: ReplaySettings): Promise<ReplayResult> {
  const { url, adminToken, keep = false } = settings
  const fixtures = fixturesOf(recording, settings.fixtures)
  const target = url === undefined ? await ownTarget(recording) : remoteTarget(url, adminToken)
  try {
    return await replay(target, recording, { keep, ...(fixtures !== undefined && { fixtures }) })
  } finally {
    await target.close()
  }
}

/** Returns the records that a HAR file starts with. */
function fixturesOf({ start }: Recording, fixtures: string | undefined): unknown {
  if (fixtures === undefined) return undefined
  if (start) throw new UsageError('--fixtures is for HAR files; a recording has the snapshot it began with')
  if (['none', 'small', 'demo'].includes(fixtures)) return fixtures
  try {
    return JSON.parse(readFileSync(fixtures, 'utf8')) as unknown
  } catch (error) {
    throw new UsageError(
      `--fixtures must be none, small, demo, or the file of a snapshot: ${(error as Error).message}`,
    )
  }
}

async function writeTest(
  file: string,
  recording: Recording,
  format: (typeof CODE_FORMATS)[number],
  out: string | undefined,
): Promise<void> {
  const { testOf } = await import('./code/index.ts')
  // From the folder of the test, because the test reads the recording.
  const place = relative(out === undefined ? '.' : dirname(out), file).replaceAll('\\', '/')
  const text = testOf(format, recording, place)
  if (out === undefined) {
    io().stdout.write(text)
    return
  }
  try {
    writeFileSync(out, text)
  } catch (error) {
    throw new CommandError(`cannot write ${out}: ${(error as Error).message}`)
  }
}

function textOf(file: string, { end, endedBy }: Recording, result: ReplayResult): string {
  const { isEqual, steps, skipped, differences, isSnapshotEqual } = result
  const lines = skipped.map(({ step, title, reason }) => `skipped step ${String(step)}, ${title}: ${reason}`)
  if (isEqual) {
    const compared = end === null ? 'all answers are equal' : 'all answers and changes are equal'
    const bytes = isSnapshotEqual === true ? ', and the snapshot has the same bytes' : ''
    const missing = endedBy === null ? '' : `; it has no changes, because ${endedBy} ended it`
    return [
      ...lines,
      `${paint('green', 'equal')}  ${file}: ${counted(steps, 'step')}; ${compared}${bytes}${missing}`,
    ].join('\n')
  }
  const [first] = differences
  const more = differences.length - 1
  return [
    ...lines,
    `${paint('red', 'different')}  ${file}: ${counted(steps, 'step')}; the first difference is`,
    ...(first ? [differenceText(first)] : []),
    ...(more > 0 ? [`and ${counted(more, 'more difference')}; --json lists them`] : []),
  ].join('\n')
}

/** Maximum characters of a value in the text. */
const MAX_VALUE = 500

function valueText(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`
}

const differenceText = ({ step, title, path, recorded, replayed: other }: StepDifference): string =>
  [
    `  ${step === null ? title : `step ${String(step)}, ${title}`}: ${path}`,
    `    recorded: ${valueText(recorded)}`,
    `    replayed: ${valueText(other)}`,
  ].join('\n')

/** The most files of a folder. */
const MAX_FILES = 1000

interface Replayed {
  readonly file: string
  readonly steps: number
  readonly recordedWith: string | null
  readonly skipped: ReplayResult['skipped']
  /** Each with its first difference. */
  readonly changed: readonly StepDifference[]
  /** Why it can't be replayed. */
  readonly error?: string
}

export async function canIUpgrade(folder: string, settings: UpgradeSettings): Promise<void> {
  const names = filesIn(folder).map((name) => join(folder, name))
  // All files first, one at a time in memory: an error in the last would lose the results of the others.
  for (const file of names) readRecording(file)
  const files: Replayed[] = []
  for (const file of names) {
    files.push(await withProgress(`replaying ${file}`, upgradeOf(file, settings)))
  }
  const changes = files.reduce((sum, { changed }) => sum + changed.length, 0)
  const failed = files.filter(({ error }) => error !== undefined).length
  const isSafe = changes + failed === 0
  print(settings, { version: VERSION, files, isSafe }, () => upgradeText(files, changes, failed))
  if (!isSafe) io().exitCode = failed > 0 ? NOT_REPLAYED : DIFFERENT
}

/** Replays a file. The result has the error if the server refuses what the recording begins with. */
async function upgradeOf(file: string, settings: UpgradeSettings): Promise<Replayed> {
  const recording = readRecording(file)
  const recordedWith = recording.version
  // The fixtures of the flag are for the HAR files among the recordings.
  const { fixtures, ...others } = settings
  const own = recording.start || fixtures === undefined ? others : settings
  try {
    const { steps, skipped, differences } = await replayed(recording, own)
    const changed = differences.filter(
      (each, index) =>
        differences.findIndex(({ title, step }) => title === each.title && step === each.step) === index,
    )
    return { file, steps, recordedWith, skipped, changed }
  } catch (error) {
    if (!(error instanceof ReplayRefused)) throw error
    const { steps } = recording
    return { file, steps: steps.length, recordedWith, skipped: [], changed: [], error: error.message }
  }
}

function filesIn(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
      .filter((name) => /\.(?:json|har)$/.test(name))
      .toSorted()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason =
      code === 'ENOENT' ? 'the folder does not exist' : code === 'ENOTDIR' ? 'it is a file' : code
    throw new UsageError(`cannot read ${folder}: ${reason ?? ''}`)
  }
  if (names.length === 0)
    throw new UsageError(`${folder} must contain recordings (*.json) or HAR files (*.har)`)
  if (names.length > MAX_FILES) {
    throw new UsageError(
      `${folder} must contain at most ${String(MAX_FILES)} files, not ${String(names.length)}`,
    )
  }
  return names
}

function upgradeText(files: readonly Replayed[], changes: number, failed: number): string {
  const lines = files.flatMap(({ file, steps, recordedWith, changed, skipped, error }) => {
    if (error !== undefined) return [`${paint('red', 'not replayed')}  ${file}: ${error}`]
    const made = recordedWith === null ? '' : `, recorded with ${recordedWith}`
    const verdict =
      changed.length === 0 ? paint('green', 'equal') : paint('red', `${String(changed.length)} changed`)
    return [
      `${verdict}  ${file}: ${counted(steps, 'step')}${made}`,
      ...skipped.map(({ step, title, reason }) => `  skipped step ${String(step)}, ${title}: ${reason}`),
      ...changed.map(differenceText),
    ]
  })
  const verdict =
    changes === 0
      ? `Version ${VERSION} gives the same answers to ${counted(files.length, 'recording')}.`
      : `With version ${VERSION}, ${counted(changes, 'answer')} of ${counted(files.length, 'recording')} change${changes === 1 ? 's' : ''}.`
  if (failed > 0) lines.push(`${counted(failed, 'recording')} can't be replayed with version ${VERSION}.`)
  return (changes === 0 && failed > 0 ? lines : [...lines, verdict]).join('\n')
}
