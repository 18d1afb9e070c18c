/**
 * The ledger of a run in write mode: a file with one JSON line for each intent, before its call, and for each result. It
 * holds no key, and only its owner can read it.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { VerifyOptionsError } from '../options.ts'
import { jsonLine } from '../report/values.ts'
import type { Undo } from './scenario.ts'

/** The run, in the first line. */
export interface LedgerRun {
  readonly id: string
  readonly baseUrl: string
  readonly at: Readonly<Partial<Record<string, string>>>
}

/** A call that may change something, written before it is sent. `n` identifies it. */
export interface Intent {
  readonly n: number
  readonly interface: InterfaceName
  readonly resource: string
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  /** Whether the call creates a record. */
  readonly creates: boolean
}

/** A record that was created, and the call that deletes it. */
export interface Created {
  readonly n: number
  readonly interface: InterfaceName
  readonly resource: string
  readonly id: string
  readonly undo: Undo | null
}

/** What a run leaves on disk. */
export interface Ledger {
  readonly intend: (intent: Intent) => void
  readonly created: (created: Created) => void
  /** The call was answered, and created nothing. */
  readonly answered: (n: number, status: number) => void
  readonly undone: (n: number) => void
  readonly close: () => void
}

/** A ledger of a run that has nothing to undo, because its records end with the process. */
export const NO_LEDGER: Ledger = {
  intend: () => undefined,
  created: () => undefined,
  answered: () => undefined,
  undone: () => undefined,
  close: () => undefined,
}

export const ledgerFile = (folder: string, run: string): string => join(folder, `${run}.jsonl`)

/** Creates the ledger of a new run. Throws a VerifyOptionsError if the file cannot be written. */
export function createLedger(folder: string, run: LedgerRun): Ledger {
  return opened(folder, run.id, 'ax', (write) => {
    write({ run })
  })
}

/** Opens the ledger of an earlier run, to add to it. A line that a crash cut goes: its call was not made. */
export function continueLedger(folder: string, run: string): Ledger {
  const file = ledgerFile(folder, run)
  const text = textOf(file, run)
  if (!text.endsWith('\n')) truncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  return opened(folder, run, 'a', () => undefined)
}

function opened(
  folder: string,
  run: string,
  flags: 'ax' | 'a',
  begin: (write: (line: object) => void) => void,
): Ledger {
  const file = ledgerFile(folder, run)
  let handle: number
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    handle = openSync(file, flags, 0o600)
  } catch (error) {
    throw new VerifyOptionsError(`the ledger ${file} cannot be written: ${(error as Error).message}`)
  }
  // The line must be on disk before the call that it announces.
  const write = (line: object): void => {
    writeSync(handle, `${jsonLine({ at: new Date(systemNow()).toISOString(), ...line })}\n`)
    fsyncSync(handle)
  }
  begin(write)
  return {
    intend: (intent) => {
      write({ intent })
    },
    created: (created) => {
      write({ created })
    },
    answered: (n, status) => {
      write({ answered: { n, status } })
    },
    undone: (n) => {
      write({ undone: { n } })
    },
    close: () => {
      closeSync(handle)
    },
  }
}

/** What a ledger leaves to do. */
export interface Unfinished {
  readonly run: LedgerRun
  /** Records that exist, in the order of their creation. */
  readonly created: readonly Created[]
  /** Calls that create a record, of which no answer was recorded. */
  readonly unanswered: readonly Intent[]
}

const MAX_BYTES = 64 * 1024 * 1024

/** Reads a ledger. Throws a VerifyOptionsError if it does not exist or is none. */
export function readLedger(folder: string, run: string): Unfinished {
  const file = ledgerFile(folder, run)
  const lines = textOf(file, run).split('\n')
  let header: LedgerRun | undefined
  const created = new Map<number, Created>()
  const unanswered = new Map<number, Intent>()
  for (const [index, text] of lines.entries()) {
    if (text === '') continue
    const line = parsed(text)
    // A crash can cut the last line.
    if (line === null && index === lines.length - 1) continue
    if (line === null) throw new VerifyOptionsError(`${file}:${String(index + 1)} must be a JSON object`)
    if (line.run) header = line.run
    if (line.intent?.creates === true) unanswered.set(line.intent.n, line.intent)
    if (line.created) {
      unanswered.delete(line.created.n)
      created.set(line.created.n, line.created)
    }
    if (line.answered) unanswered.delete(line.answered.n)
    if (line.undone) {
      unanswered.delete(line.undone.n)
      created.delete(line.undone.n)
    }
  }
  if (!header) throw new VerifyOptionsError(`${file} must begin with the run`)
  return { run: header, created: [...created.values()], unanswered: [...unanswered.values()] }
}

function textOf(file: string, run: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error('it has more than 64 MiB')
    return readFileSync(file, 'utf8')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new VerifyOptionsError(
      isMissing
        ? `there is no ledger of the run ${run}: ${file} does not exist; --ledger must be the folder of the run`
        : `the ledger ${file} cannot be read: ${(error as Error).message}`,
    )
  }
}

interface Line {
  readonly run?: LedgerRun
  readonly intent?: Intent
  readonly created?: Created
  readonly answered?: { readonly n: number }
  readonly undone?: { readonly n: number }
}

function parsed(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
