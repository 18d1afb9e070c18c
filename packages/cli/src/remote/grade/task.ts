/** The parts of a task. docs/agents.md describes the file. */

/** What a value must be. A plain value in the file is `is`. */
export type Matcher =
  | { readonly is: unknown }
  | { readonly any: true }
  | { readonly regex: string }
  | { readonly contains: string }
  | { readonly oneOf: readonly unknown[] }
  /** A list with these items in any order. */
  | { readonly items: readonly unknown[] }
  | RecordMatcher

/** The id of the record of an earlier change with this name (`as`), or a text with its values in braces. */
export interface RecordMatcher {
  readonly record: string
  readonly text?: string
}

/** What a field must be. `before` is only checked if the file has it. */
export interface FieldMatcher {
  readonly before?: Matcher
  readonly after: Matcher
}

export const CHANGES = ['added', 'changed', 'removed'] as const
export type ChangeKind = (typeof CHANGES)[number]

/** Selects records of a diff. */
export interface Selector {
  readonly section: string
  readonly change?: ChangeKind
  readonly id?: Matcher
  /** Values by path, also of fields that did not change: of an added or changed record after, of a removed one before. */
  readonly match: ReadonlyMap<string, Matcher>
}

/** A change of a diff that must happen. */
export interface ExpectedChange extends Selector {
  readonly change: ChangeKind
  readonly fields: ReadonlyMap<string, FieldMatcher>
  /** True if fields that are not listed may have any value. */
  readonly mayHaveOthers: boolean
  readonly count: number
  /** The name by which `record` of other changes refers to it. */
  readonly as?: string
}

/** Changes that must not happen, or that may. With `fields`: only changes of these fields. */
export interface ChangePattern extends Selector {
  readonly fields: readonly string[]
}

export interface AnswerCheck {
  readonly kind: 'contains' | 'excludes' | 'regex'
  readonly text: string
}

export interface CallCheck {
  readonly interface: string
  readonly operation: string
  /** The end of the path. */
  readonly path?: string
  readonly status?: string
  readonly min: number
  readonly max: number
}

/** A number of e-mails that the suite must have sent. Texts are parts, compared without case. */
export interface EmailCheck {
  /** The address; undefined for all. */
  readonly to?: string
  readonly subject?: string
  readonly text?: string
  readonly min: number
  readonly max: number
}

interface NamedStep {
  readonly name: string
}

export interface CallStep extends NamedStep {
  readonly kind: 'call'
  readonly interface: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The expected status; undefined for any of success. */
  readonly status?: number
  readonly save: ReadonlyMap<string, string>
}

export interface TriggerStep extends NamedStep {
  readonly kind: 'trigger'
  readonly trigger: string
  readonly body?: unknown
  readonly save: ReadonlyMap<string, string>
}

export interface ClockStep extends NamedStep {
  readonly kind: 'clock'
  readonly advance?: string
  readonly now?: string
}

/** The final answer of the agent. */
export interface AnswerStep extends NamedStep {
  readonly kind: 'answer'
  readonly text: string
}

export type Step = CallStep | TriggerStep | ClockStep | AnswerStep

export const FINDINGS = [
  'missing',
  'wrong',
  'unwanted',
  'forbidden',
  'call',
  'email',
  'answer',
  'budget',
] as const
export type FindingKind = (typeof FINDINGS)[number]

/** A failure that a saboteur must lead to. */
export interface ExpectedFailure {
  readonly kind: FindingKind
  readonly section?: string
  readonly id?: string
  readonly field?: string
  readonly text?: string
}

/** The reference with one fault, and how grading must fail. */
export interface Saboteur {
  readonly name: string
  readonly steps: readonly Step[]
  readonly fails: readonly ExpectedFailure[]
}

export interface Task {
  readonly name: string
  readonly file: string
  readonly title: string
  readonly instruction: string
  readonly fixture: string
  readonly clock: { readonly now: string; readonly frozen: boolean }
  readonly settings: Readonly<Record<string, unknown>>
  readonly setup: readonly Step[]
  readonly interfaces: readonly string[]
  readonly scopes: readonly string[]
  /** The user of the agent's key; undefined for the first one. */
  readonly user?: string
  readonly changes: readonly ExpectedChange[]
  readonly sideEffects: readonly ChangePattern[]
  readonly forbidden: readonly ChangePattern[]
  readonly answer: readonly AnswerCheck[]
  readonly calls: readonly CallCheck[]
  readonly emails: readonly EmailCheck[]
  /** The maximum number of calls. */
  readonly budget: number
  readonly reference: readonly Step[]
  readonly saboteurs: readonly Saboteur[]
}

export interface Cause {
  readonly kind: string
  readonly id: string
  readonly title: string
}

/** One reason why a task is not solved. */
export interface Finding {
  readonly kind: FindingKind
  readonly message: string
  readonly section?: string
  readonly id?: string
  readonly field?: string
  readonly expected?: unknown
  readonly actual?: unknown
  readonly causes: readonly Cause[]
}

/** The grade of one workspace. */
export interface Grade {
  readonly task: string
  readonly workspace: string
  readonly passed: boolean
  readonly calls: number
  readonly budget: number
  /** Why the task is not solved; empty if it is. */
  readonly findings: readonly Finding[]
}

/** How to start the MCP server of an agent, in the form of MCP clients. */
export interface McpServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A workspace that was prepared for an agent. */
export interface PreparedRun {
  readonly task: string
  /** Its id. */
  readonly workspace: string
  readonly accountId: number
  /** Opens the interfaces and scopes of the task. */
  readonly key: string
  readonly controlToken: string
  readonly interfaces: readonly string[]
  readonly scopes: readonly string[]
  readonly budget: number
  readonly instruction: string
  readonly mcp: McpServer
}

/** A task as an object: the fields of a task file (docs/agents.md, "Write a task"). */
export interface TaskObject {
  /** The name of the file; "task" by default. */
  readonly name?: string
  readonly title: string
  readonly instruction: string
  /** "small", "demo", "none", or the path of a snapshot, relative to the current folder. */
  readonly fixture: string
  readonly clock: { readonly now: string; readonly frozen?: boolean }
  readonly settings?: Readonly<Record<string, unknown>>
  readonly setup?: readonly object[]
  readonly interfaces: readonly string[]
  readonly scopes?: readonly string[]
  readonly user?: string
  readonly changes: readonly object[]
  readonly sideEffects?: readonly object[]
  readonly forbidden?: readonly object[]
  readonly answer?: readonly object[]
  readonly calls?: readonly object[]
  readonly emails?: readonly object[]
  readonly budget: number
  /** Only `suite-sim grade --self-test` runs the reference and the saboteurs. */
  readonly reference?: readonly object[]
  readonly saboteurs?: readonly object[]
}

/** A record of `GET /_sim/workspaces/{id}/diff`. */
export interface ChangedRecord {
  readonly section: string
  readonly id: string
  readonly change: ChangeKind
  readonly fields: readonly {
    readonly path: string
    readonly before: unknown
    readonly after: unknown
    readonly volatile?: true
    readonly volatileParts?: readonly string[]
  }[]
  readonly causes: readonly Cause[]
  /** All values of a changed record, if a selector needs values that did not change. */
  readonly whole?: Readonly<Record<string, unknown>>
}

/** An e-mail of `GET /_sim/workspaces/{id}/emails`. */
export interface Email {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A call of `GET /_sim/workspaces/{id}/requests`. */
export interface JournalCall {
  readonly id: string
  readonly interface: string
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly status: number
}
