/** The options of a run of `verify` and of its cleanup. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Report } from './report/report.ts'

export const DEFAULT_BUDGET = 400

/** At most `calls` calls within `seconds`. */
export interface Rate {
  readonly calls: number
  readonly seconds: number
}

export const DEFAULT_RATE: Rate = { calls: 5, seconds: 1 }

/** Where the ledgers of write mode are, relative to the current folder. */
export const DEFAULT_LEDGERS = 'data/verify'

/** The service, and the credentials for it. */
export interface Target {
  /** "https://suite.example.com", without a slash at the end: the URL to which the mounted paths are appended. */
  readonly baseUrl: string
  /** The API key or token that is sent to each interface. */
  readonly key: string
  /** The own base URLs of interfaces, which replace the base URL and the mounted path. */
  readonly at?: Readonly<Partial<Record<InterfaceName, string>>>
  /** At most this many calls; 400 by default. */
  readonly budget?: number
  /** Five calls per second by default; null is unlimited. */
  readonly rate?: Rate | null
}

export interface VerifyOptions extends Target {
  /** All interfaces by default. */
  readonly interfaces?: readonly InterfaceName[]
  /** The account of the key, for the interfaces that have it in their paths. */
  readonly account?: number
  /**
   * The time zone of the account, by which reports group days: "America/Panama". Without it, such figures are not
   * checked.
   */
  readonly timezone?: string
  /** Values of parameters that no list shows, by "interface.parameter": `{ 'meetings.publicMeetingId': 'abc' }`. */
  readonly values?: Readonly<Record<string, string>>
  /** Also asks without a key and with a wrong one. A service may count these calls as an attack. */
  readonly probeAuth?: boolean
  /** Creates, changes and deletes records. Otherwise only GET is sent. */
  readonly write?: WriteOptions
  /** An overlay of an earlier run, which is followed and brought up to date. */
  readonly observed?: unknown
  /** The parsed content of a HAR file. Its calls are checked, and nothing is sent. */
  readonly replay?: unknown
}

export interface WriteOptions {
  /** Resources without a DELETE that may be created, such as "deals" or "invoices". */
  readonly allow?: readonly string[]
  /** Whether the key may be a live one. */
  readonly isLive?: boolean
  /** The folder of the ledgers; "data/verify" by default. */
  readonly ledgers?: string
}

/** Actions that nothing undoes. Each needs a confirmation. */
export const CONFIRMED = ['stamp', 'pay', 'send'] as const

export type Confirmed = (typeof CONFIRMED)[number]

export interface Progress {
  /** What happens: "checks the simulator against itself", "reads crm". */
  readonly stage: string
  readonly requests: number
  readonly budget: number
  /** Number of differences so far. */
  readonly differences: number
}

export interface VerifyHooks {
  readonly onProgress?: (progress: Progress) => void
  /** Ends the run early. The report then contains what was found, with `endedEarly`. */
  readonly signal?: AbortSignal
  /** Asks a person to type the word. Without this hook, no such action happens. */
  readonly confirm?: (question: string, word: Confirmed) => Promise<boolean>
}

export interface VerifyResult {
  readonly report: Report
  /** The content of the file that `suite-sim serve --observed FILE` follows. */
  readonly overlay: Readonly<Record<string, unknown>>
}

export interface CleanupOptions extends Target {
  /** The id of the run whose records are deleted. */
  readonly run: string
  /** The folder of the ledgers; "data/verify" by default. */
  readonly ledgers?: string
}

export interface Cleanup {
  readonly run: string
  /** Records that are gone now: "crm contacts 4711". */
  readonly deleted: readonly string[]
  /** Records that no call can delete, and those whose deletion was refused. */
  readonly remaining: readonly { readonly record: string; readonly why: string }[]
}

/** Options or a service that a run can't start with. The message is one line. */
export class VerifyOptionsError extends Error {
  override readonly name = 'VerifyOptionsError'
}
