/**
 * The folder of a run: each test keeps what its workspace relied on before the workspace is deleted, and each process that ends
 * writes the page of all of them (`SUITE_SIM_REPORT`).
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SimulatorClient } from '@suite-sim/client/client'
import { iso } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { gatherFacts } from './facts.ts'
import { FORMATS } from './formats.ts'
import type { Part } from './part.ts'
import { partOf } from './reliances.ts'
import { reportOf } from './report.ts'
import { writeAs } from './writing.ts'

const PART_FORMAT = 'suite-simulator-report-part/1'

/** The folder of the parts, in that of the run. A folder of the user's choice can have other files. */
const PARTS = 'suite-sim-parts'

export interface TestWorkspace {
  readonly url: string
  readonly adminToken: string | null
  /** The id of the workspace. */
  readonly id: string
  /** The full name of the test. */
  readonly test: string
}

/** One client for each server, because documents are asked once for each client. */
const clients = new Map<string, SimulatorClient>()

function clientOf({ url, adminToken }: TestWorkspace): SimulatorClient {
  const known = clients.get(url) ?? new SimulatorClient(url, { adminToken })
  clients.set(url, known)
  return known
}

/** Keeps what a test relied on. A test that runs again replaces its part. */
export async function keepPart(folder: string, workspace: TestWorkspace): Promise<void> {
  const { id, test } = workspace
  const part = { ...partOf(await gatherFacts(clientOf(workspace), id)), workspace: { id, name: test } }
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16)
  mkdirSync(join(folder, PARTS), { recursive: true })
  put(join(folder, PARTS, `${name}.json`), `${JSON.stringify({ format: PART_FORMAT, ...part })}\n`)
}

/** Returns the parts of a run, by the names of their tests. Throws an Error whose message says what the folder must be. */
export function partsIn(folder: string): Part[] {
  const parts = namesIn(folder).map(
    (name) =>
      JSON.parse(readFileSync(join(folder, PARTS, name), 'utf8')) as Part & { readonly format: string },
  )
  if (parts.length === 0 || parts.some(({ format }) => format !== PART_FORMAT))
    throw new Error('must be a folder of SUITE_SIM_REPORT in which tests of this version have run')
  return parts.toSorted((one, other) => (one.workspace.name < other.workspace.name ? -1 : 1))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, PARTS)).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

/** The maximum number of times that a process writes the page because others went on. */
const MAX_ROUNDS = 10

/** Writes the page of all tests that have ended. Several processes can do so at once: the last one has all parts. */
export function writeRun(folder: string): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = namesIn(folder)
    if (before.length === 0) return
    const report = reportOf(partsIn(folder), {}, iso(systemNow()))
    for (const format of FORMATS) put(join(folder, `report.${format}`), writeAs(format, report))
    if (namesIn(folder).length === before.length) return
  }
}

/** Removes the parts of an earlier run. */
export function removeParts(folder: string): void {
  rmSync(join(folder, PARTS), { recursive: true, force: true })
}

/** Writes a file at once, because other processes read it. */
function put(file: string, text: string): void {
  const unfinished = `${file}.${String(process.pid)}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}
