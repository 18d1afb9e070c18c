/** The result of a run: what was not checked, the differences, and a verdict for each claim. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'

export const REPORT_FORMAT = 'suite-simulator-verify/1'

/** Why a run ended early that asked all that it may. */
export const BUDGET_SPENT = 'the budget was spent'

/** What compared. */
export type Oracle = 'contract' | 'errors' | 'relations' | 'invariants' | 'differential' | 'story'

export type Verdict = 'agrees' | 'differs' | 'not_checked'

export interface ClaimVerdict {
  readonly interface: InterfaceName
  /** "field Link.amount": the key of the fact in docs/FIDELITY.md. */
  readonly claim: string
  /** "operation", "field", "bound", "value", "status", "move", … */
  readonly kind: string
  readonly fidelity: 'documented' | 'assumed' | 'observed'
  /** Whether a run of this mode could check it at all. */
  readonly isCheckable: boolean
  readonly verdict: Verdict
  /** Why it was not checked. */
  readonly why?: string
  /** Number of calls that showed it. */
  readonly samples: number
}

/** A call as evidence, with redacted credentials. */
export interface Evidence {
  /** An entry of a HAR file. */
  readonly har: Readonly<Record<string, unknown>>
  readonly curl: string
}

export interface Difference {
  readonly interface: InterfaceName
  readonly claim: string
  readonly fidelity: 'documented' | 'assumed' | 'observed'
  /** `flaky` if it was seen once and asking again did not show it. */
  readonly status: 'differs' | 'flaky'
  readonly oracle: Oracle
  readonly aspect: string
  readonly operation: string
  readonly place: string
  readonly message: string
  /** What the simulator does. Left out if it has no such value; null is the value null. */
  readonly expected?: unknown
  /** What the service did. Left out if it has no such value; null is the value null. */
  readonly actual?: unknown
  readonly samples: { readonly total: number; readonly deviating: number }
  readonly firstSeen: string
  readonly lastSeen: string
  /** The reading whose other value explains it. */
  readonly reading?: { readonly name: string; readonly value: string }
  /** The kind of the entry of an overlay that follows it; null if no kind can express it. */
  readonly followedBy: string | null
  readonly evidence: readonly Evidence[]
}

export interface Report {
  readonly format: typeof REPORT_FORMAT
  /** The version of the simulator. */
  readonly version: string
  readonly run: {
    readonly id: string
    readonly mode: 'read' | 'write'
    readonly startedAt: string
    readonly endedAt: string
    /** The base URL, and those of interfaces with their own. */
    readonly baseUrl: string
    readonly at: Readonly<Record<string, string>>
    readonly interfaces: readonly InterfaceName[]
    readonly requests: number
    readonly budget: number
    /** Why the run ended before its plan: the budget, a service that does not respond, a wrong key. */
    readonly endedEarly: string | null
  }
  /** Shares of claims. `coverage` is checked / checkable. */
  readonly summary: {
    readonly claims: number
    readonly checkable: number
    readonly checked: number
    readonly agrees: number
    readonly differs: number
    readonly flaky: number
    readonly coverage: number
  }
  /** Operations that were not asked, and why; and claims of other kinds by reason. */
  readonly notChecked: readonly {
    readonly interface: InterfaceName
    readonly what: string
    readonly why: string
    readonly claims: number
  }[]
  /** What a run in write mode left on the other side. */
  readonly written?: {
    /** The file with every intent and every id. */
    readonly ledger: string
    readonly deleted: number
    readonly remaining: readonly { readonly record: string; readonly why: string }[]
  }
  /** What calls of the run can have caused on the other side beside what they are for. */
  readonly notes?: readonly string[]
  readonly differences: readonly Difference[]
  readonly claims: readonly ClaimVerdict[]
  /** Differences of an earlier report (`since`) that are gone, and those that are new. */
  readonly since?: {
    readonly report: string
    readonly gone: readonly string[]
    readonly added: readonly string[]
    /** Those whose claims this run did not check. */
    readonly notChecked: readonly string[]
  }
}
