/** What a recording contains. */
export interface RecordedCaller {
  readonly name: string
  readonly user: string
  readonly scopes: readonly string[]
  readonly interfaces: readonly string[]
  readonly expiresAt: string | null
}

/** Why a replay skips a step, and a written test leaves it out. */
export const BODY_MISSING = 'the recording does not have its body'

export interface RecordedField {
  readonly name: string
  readonly value?: string
  readonly filename?: string
  readonly contentType?: string
  readonly base64?: string
}

/** A step of a recording. Steps other than restarts have the members of calls. */
export interface Step {
  readonly kind: 'call' | 'page' | 'trigger' | 'clock' | 'control' | 'restart'
  /** null in a HAR file without a time. */
  readonly at: string | null
  readonly interface?: string
  readonly operation?: string
  readonly caller?: RecordedCaller
  readonly method?: string
  /** The whole path with its query. */
  readonly path?: string
  readonly origin?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The JSON body. */
  readonly body?: unknown
  /** A body that is no JSON. */
  readonly text?: string
  readonly form?: readonly RecordedField[]
  readonly isBodyMissing?: boolean
  /** 0 if a fault cut the connection. */
  readonly status?: number
  readonly location?: string
  readonly answer?: unknown
  readonly answerText?: string
  /** The answer is a file, which the recording does not have. */
  readonly file?: boolean
  /** The state after all records were replaced. */
  readonly now?: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly snapshot?: Readonly<Record<string, unknown>>
}

export interface RecordedChange {
  readonly section: string
  readonly id: string
  readonly change: string
  readonly fields: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[]
}

export interface RecordedDiff {
  readonly summary: Readonly<Record<string, number>>
  readonly data: readonly RecordedChange[]
  readonly isComplete: boolean
}

export interface Recording {
  readonly id: string
  readonly name: string
  readonly version: string | null
  readonly endedBy: string | null
  /** null for a HAR file. */
  readonly workspace: {
    readonly id: string
    readonly accountId: number
    readonly publicUrl: string
    readonly ids: { readonly seed: string; readonly fixed: string }
  } | null
  /** null for a HAR file. */
  readonly start: {
    readonly at: string
    readonly settings: Readonly<Record<string, unknown>>
    readonly faults: readonly unknown[]
    readonly snapshot: Readonly<Record<string, unknown>>
  } | null
  readonly steps: readonly Step[]
  readonly end: {
    readonly at: string
    readonly snapshot: { readonly bytes: number; readonly sha256: string }
    readonly diff: RecordedDiff
  } | null
}

export type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
