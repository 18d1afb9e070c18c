/** What happened in a workspace during a failed test: a text for people, and files for tools. */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewWorkspace, Schema, SimulatorClient } from '../index.ts'

/** The maximum number of lines of each part. */
const MAX_LINES = 20

/** The maximum number of entries in a file. */
const LIMIT = 1000

export interface FailureReport {
  /** The calls, hints and deliveries, as lines. */
  readonly text: string
  /** The request journal, the timeline and an HTTP archive (HAR 1.2), as JSON by file name. */
  readonly files: Readonly<Record<string, string>>
}

/** Reads what happened in a workspace. `unhandled` are the calls that no operation answered. */
export async function reportOf(
  simulator: SimulatorClient,
  workspace: NewWorkspace,
  unhandled: readonly string[],
): Promise<FailureReport> {
  const [journal, har, timeline, hints, deliveries] = await Promise.all([
    workspace.requests({ limit: LIMIT }),
    simulator.call('listRequests', { path: { id: workspace.id }, query: { as: 'har', limit: LIMIT } }),
    workspace.timeline({ limit: LIMIT }),
    workspace.hints(),
    workspace.deliveries.list({ limit: MAX_LINES }),
  ])
  const text = [
    `Suite Simulator, workspace ${workspace.id} (${workspace.name}):`,
    ...part('Calls', journal.slice(0, MAX_LINES).toReversed().map(callLine), journal.length),
    ...part('Hints', hints.slice(0, MAX_LINES).map(hintLine), hints.length),
    ...part('Deliveries', deliveries.toReversed().map(deliveryLine), deliveries.length),
    ...part('Calls that no operation answered', unhandled.slice(0, MAX_LINES), unhandled.length),
  ].join('\n')
  return {
    text,
    files: {
      'journal.json': json(journal),
      'timeline.json': json(timeline),
      'calls.har': json(har),
    },
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function part(title: string, lines: readonly string[], count: number): string[] {
  if (lines.length === 0) return [`  ${title}: none`]
  const more = count - lines.length
  return [
    `  ${title}${more > 0 ? `, without ${String(more)} more` : ''}:`,
    ...lines.map((line) => `    ${line}`),
  ]
}

export const callLine = ({
  method,
  path,
  status,
  refusal,
  fault,
}: Pick<Schema<'JournalEntry'>, 'method' | 'path' | 'status' | 'refusal' | 'fault'>): string =>
  [
    `${method} ${path} ${String(status)}`,
    refusal && `${refusal.reason}: ${refusal.message}`,
    fault === undefined ? null : '(injected fault)',
  ]
    .filter((each) => each !== null)
    .join(' ')

const hintLine = ({ code, message, count }: Schema<'GroupedHint'>): string =>
  `${code}: ${message}${count > 1 ? ` (${String(count)} times)` : ''}`

function deliveryLine({ event, url, status, attempts }: Schema<'Delivery'>): string {
  const last = attempts.at(-1)
  const answer = last === undefined ? 'no attempt' : (last.error ?? `answered ${String(last.status)}`)
  return `${event} to ${url}: ${status}, attempts: ${String(attempts.length)}, ${answer}`
}

/** The folder of the files, below the working directory, unless SUITE_SIM_FAILURES names another. */
const FOLDER = '.suite-sim/failures'

/** The folders that this process wrote: tests of one file can have the same name. */
const written = new Set<string>()

const rootFolder = (): string => process.env['SUITE_SIM_FAILURES'] ?? FOLDER

function folderOf(testName: string): string {
  // The hash tells tests apart whose names are shortened, or differ in other characters.
  const hash = createHash('sha256').update(testName).digest('hex').slice(0, 8)
  const title = testName.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)
  return join(rootFolder(), `${title}-${hash}`)
}

/** Writes the files of a report into a folder of the test; returns its path. */
export function writeFiles({ files }: FailureReport, testName: string): string {
  const folder = folderOf(testName)
  mkdirSync(folder, { recursive: true })
  written.add(folder)
  // Git then ignores the folder without a change of the project's own file.
  if (rootFolder() === FOLDER) writeFileSync('.suite-sim/.gitignore', '*\n')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Removes the files that an earlier run wrote for a test that passes now. */
export function removeFiles(testName: string): void {
  const folder = folderOf(testName)
  if (!written.has(folder)) rmSync(folder, { recursive: true, force: true })
}

/** Removes the files of an earlier run, also those of tests that have another name now. */
export function removeAllFiles(): void {
  // A folder of the user's choice can have other files.
  if (rootFolder() === FOLDER) rmSync(FOLDER, { recursive: true, force: true })
}
