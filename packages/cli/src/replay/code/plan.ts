/** Turns a recording into the statements of a test: names for created records, references to them, and expectations. */
import { formOfId } from '../comparing/references.ts'
import { decoded } from '@suite-sim/kit/calls/redaction'
import { INTERFACES } from '@suite-sim/client/generated/control'
import { httpDate } from '@suite-sim/kit/time/instants'
import { splitAtWorkspace } from '../format/places.ts'
import { BODY_MISSING, isObject, type RecordedField, type Recording, type Step } from '../format/recording.ts'

/** A value that an earlier statement has: `deal.body.data.id`. */
export class Reference {
  /** The name of a statement, or a value of the workspace. */
  readonly of: string
  readonly path: readonly (string | number)[]

  constructor(of: string, path: readonly (string | number)[]) {
    this.of = of
    this.path = path
  }
}

/** A text with references in it. */
export class Template {
  readonly parts: readonly (string | Reference)[]

  constructor(parts: readonly (string | Reference)[]) {
    this.parts = parts
  }
}

/** A JSON value whose texts can be references and templates. */
export type Value = unknown

/** References to the workspace itself. */
export const ACCOUNT = new Reference('workspace', ['account'])
export const USER = new Reference('workspace', ['user'])
export const WORKSPACE = new Reference('workspace', ['id'])

/** What the answer must have: fields by path, or the number of entries of a list. */
export type Expectation =
  | { readonly path: readonly (string | number)[]; readonly value: Value }
  | { readonly path: readonly (string | number)[]; readonly count: number }

export interface Statement {
  /** The position of its step in the recording. */
  readonly index: number
  readonly kind: 'call' | 'page' | 'trigger' | 'control'
  /** The name of its result: "deal". */
  readonly name: string
  /** True if a later statement refers to it. */
  isUsed: boolean
  readonly interface: string
  readonly method: string
  /** Relative to the interface; of a trigger its name; of a control call below the workspace. */
  readonly path: string | Reference | Template
  readonly body: Value
  /** A body that is no JSON. */
  readonly text: string | null
  readonly form: readonly RecordedField[] | null
  readonly headers: Readonly<Record<string, string>>
  /** The rights of the key; null for a key for everything. */
  readonly rights: Rights | null
  readonly status: number
  readonly expected: readonly Expectation[]
  /** The time of the clock before it, if it moved by more than a minute; null otherwise. */
  readonly now: string | null
  /** The position of the step whose snapshot replaces all records; null otherwise. */
  readonly replacedBy: number | null
}

export interface Rights {
  readonly name: string
  readonly scopes: readonly string[]
  readonly interfaces: readonly string[]
}

export interface Plan {
  readonly title: string
  /** Whether the test needs the records of the recording. */
  readonly needsSnapshot: boolean
  readonly startsAt: string | null
  readonly statements: readonly Statement[]
  /** Steps that a test can't have, with the reason. */
  readonly left: readonly string[]
}

/** Returns the duration of a step that advances the clock; null for other steps. */
export function advanceOf({ kind, path, body, status }: Statement): string | null {
  const isAdvance = kind === 'control' && path === '/clock/advance' && status === 200
  return isAdvance && isObject(body) && typeof body['duration'] === 'string' ? body['duration'] : null
}

/** True if the test needs the helper for calls of the control plane. */
export const needsControl = (statement: Statement): boolean =>
  statement.kind === 'control' && statement.replacedBy === null && advanceOf(statement) === null

const MINUTE = 60_000

export function planOf(recording: Recording): Plan {
  const { start, steps, name, workspace } = recording
  const known = new Known(recording)
  const statements: Statement[] = []
  const left: string[] = []
  let clock = start ? httpDate(start.at) : null
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'restart' || step.isBodyMissing === true) {
      const reason = step.kind === 'restart' ? 'a restart of the server' : BODY_MISSING
      left.push(`Step ${String(index + 1)} is left out: ${reason}.`)
      continue
    }
    const at = step.at === null ? null : httpDate(step.at)
    const hasMoved = at !== null && clock !== null && Math.abs(at - clock) > MINUTE
    statements.push(statementOf(step, index, known, hasMoved ? step.at : null))
    clock = nowAfter(step) ?? (hasMoved ? at : clock)
  }
  return {
    title: name,
    needsSnapshot: needsSnapshot(recording),
    startsAt: workspace && start ? start.at : null,
    statements,
    left,
  }
}

/** Returns the time of the clock after a step that moves it. */
function nowAfter({ kind, answer, now }: Step): number | null {
  if (now !== undefined) return httpDate(now)
  if (kind !== 'clock' || !isObject(answer) || typeof answer['now'] !== 'string') return null
  return httpDate(answer['now'])
}

/**
 * True if the test begins with the snapshot: with its records, or with its users, to which the records of a later snapshot
 * belong.
 */
const needsSnapshot = ({ start, steps }: Recording): boolean =>
  start !== null && (hasRecords(start.snapshot) || steps.some(({ snapshot }) => snapshot !== undefined))

/** True if a snapshot has more than the user of an empty workspace. */
function hasRecords({ users, ...rest }: Readonly<Record<string, unknown>>): boolean {
  const { format: _format, workspace: _workspace, counters: _counters, ...sections } = rest
  const lists = Object.values(sections).flatMap((section) =>
    isObject(section) ? Object.values(section) : [],
  )
  return (
    (Array.isArray(users) && users.length > 1) || lists.some((list) => Array.isArray(list) && list.length > 0)
  )
}

/** The ids of the recording that a test must not contain, with the expressions that have them. */
class Known {
  readonly #references = new Map<string, Reference>()
  readonly #statements = new Map<string, Statement>()
  readonly #names = new Set(RESERVED)
  readonly #account: string | null
  readonly #workspace: string | null
  /** The records that the test does not create, as JSON. */
  #start: string

  constructor(recording: Recording) {
    const { workspace, start } = recording
    this.#workspace = workspace?.id ?? null
    this.#account = workspace === null ? null : String(workspace.accountId)
    const hasSnapshot = needsSnapshot(recording)
    this.#start = hasSnapshot ? JSON.stringify(start?.snapshot) : ''
    const [user] =
      start && Array.isArray(start.snapshot['users']) ? (start.snapshot['users'] as unknown[]) : []
    if (!hasSnapshot && isObject(user) && typeof user['id'] === 'string')
      this.#references.set(user['id'], USER)
    if (workspace && formOfId(workspace.id) !== null) this.#references.set(workspace.id, WORKSPACE)
  }

  /** Returns a new name: "deal", "deal2". */
  name(wanted: string): string {
    let name = wanted
    for (let number = 2; this.#names.has(name); number++) name = `${wanted}${String(number)}`
    this.#names.add(name)
    return name
  }

  /** Remembers the ids of an answer. Those of the start stay as they are. */
  learn(statement: Statement, answer: unknown): void {
    this.#statements.set(statement.name, statement)
    visit(answer, [], (value, path) => {
      if (typeof value !== 'string' || formOfId(value) === null) return
      if (this.#references.has(value) || this.#start.includes(`"${value}"`)) return
      this.#references.set(value, new Reference(statement.name, path))
    })
  }

  /** Forgets the records of statements, because others replace them: their ids can be the same. */
  replaceRecords(snapshot: unknown): void {
    this.#start = JSON.stringify(snapshot)
    for (const [id, reference] of this.#references) {
      if (reference !== WORKSPACE) this.#references.delete(id)
    }
  }

  has(text: string): boolean {
    return this.#references.has(text)
  }

  /** Returns a text with references in place of known ids. `isUse` marks the statements as used. */
  text(text: string): string | Reference | Template {
    const whole = this.#references.get(text)
    if (whole) return this.#use(whole)
    const parts: (string | Reference)[] = []
    let rest = ''
    for (const piece of text.split(/([A-Za-z0-9_-]+)/)) {
      const reference =
        rest.endsWith('/accounts/') && piece === this.#account ? ACCOUNT : this.#references.get(piece)
      if (!reference) {
        rest += piece
        continue
      }
      if (rest !== '') parts.push(rest)
      parts.push(this.#use(reference))
      rest = ''
    }
    if (parts.length === 0) return text
    return new Template(rest === '' ? parts : [...parts, rest])
  }

  /** Returns the path of a page, which contains the id of the workspace, with references. */
  page(path: string): string | Reference | Template {
    const split = this.#workspace === null ? null : splitAtWorkspace(path, this.#workspace)
    if (split === null) return this.text(path)
    const rest = this.text(split.after)
    return new Template([split.before, WORKSPACE, ...(rest instanceof Template ? rest.parts : [rest])])
  }

  value(value: unknown): Value {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((each) => this.value(each))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.value(each)]))
  }

  #use(reference: Reference): Reference {
    const statement = this.#statements.get(reference.of)
    if (statement) statement.isUsed = true
    return reference
  }
}

/** Names that the tests themselves use. */
const RESERVED = [
  ...['workspace', 'simulator', 'recording', 'call', 'control', 'test', 'expect', 'form', 'page', 'trigger'],
  ...[
    'client',
    'response',
    'answer',
    'await',
    'async',
    'class',
    'import',
    'export',
    'delete',
    'new',
    'default',
  ],
  ...[
    'return',
    'function',
    'const',
    'let',
    'var',
    'def',
    'from',
    'pass',
    'list',
    'dict',
    'json',
    'fetch',
    'case',
  ],
  ...['switch', 'package', 'interface', 'enum', 'lambda', 'global', 'print', 'field', 'Path', 'pytest'],
]

/** The deepest level of an answer that is looked at; also an edited file can be deeper. */
const DEEPEST = 12

function visit(
  value: unknown,
  path: readonly (string | number)[],
  see: (value: unknown, path: readonly (string | number)[]) => void,
): void {
  see(value, path)
  if (path.length >= DEEPEST || typeof value !== 'object' || value === null) return
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((each, index) => [index, each as unknown] as const)
    : Object.entries(value)
  for (const [name, each] of entries) visit(each, [...path, name], see)
}

function statementOf(step: Step, index: number, known: Known, now: string | null): Statement {
  const { kind, interface: of = '', method = 'GET', body, text, form, headers = {}, status = 0 } = step
  const isReplaced = step.snapshot !== undefined
  const { caller } = step
  const isLimited = caller && !(caller.scopes.includes('*') && caller.interfaces.includes('*'))
  const statement: Statement = {
    index,
    kind: kind === 'call' || kind === 'page' || kind === 'trigger' ? kind : 'control',
    name: known.name(nameOf(step)),
    isUsed: false,
    interface: of,
    method,
    path: kind === 'page' ? known.page(pathOf(step)) : known.text(pathOf(step)),
    body: known.value(kind === 'clock' ? frozenBody(body) : body),
    text: text ?? null,
    form: form ?? null,
    headers: ownHeaders(headers),
    rights: isLimited ? { name: caller.name, scopes: caller.scopes, interfaces: caller.interfaces } : null,
    status,
    expected: expectationsOf(step, known),
    now,
    replacedBy: isReplaced ? index : null,
  }
  if (isReplaced) known.replaceRecords(step.snapshot)
  else if (status >= 200 && status < 300) known.learn(statement, step.answer)
  return statement
}

/** A test keeps its clock frozen. */
const frozenBody = (body: unknown): unknown =>
  isObject(body) && 'frozen' in body ? { ...body, frozen: true } : body

/** Headers that the helpers of a test set. */
const ownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        !['content-type', 'accept', 'accept-language', 'x-request-id'].includes(name) ||
        (name === 'accept' && !/json|\*\/\*/.test(value)),
    ),
  )

/** Returns the path below the interface or the workspace, or the name of a trigger. */
function pathOf({ kind, interface: of = '', path = '/' }: Step): string {
  if (kind === 'page') return path
  if (kind === 'call') {
    const { basePath = '' } = (INTERFACES as Readonly<Record<string, { basePath: string }>>)[of] ?? {}
    return path.slice(basePath.length)
  }
  const below = path.replace(/^\/_sim\/workspaces\/[^/?]+/, '')
  return kind === 'trigger' ? decoded(below.split(/[/?]/)[2] ?? '') : below
}

/** Returns a name for the result: "deal" for createDeal, "deals" for listDeals, "error" for a refusal. */
function nameOf({ operation, path = '', kind, status = 0 }: Step): string {
  if (kind === 'page') return 'page1'
  if (status >= 400) return 'refusal'
  const segments = path.split('?')[0]?.split('/') ?? []
  const last = segments.findLast((segment) => /^[a-z][a-z_-]+$/.test(segment)) ?? 'answer'
  const [, noun] =
    /^(?:create|add|get|list|update|send|upload|register|issue|make|new|start|search|show)([A-Z]\w*)$/.exec(
      operation ?? '',
    ) ?? []
  const words = (noun ?? (kind === 'trigger' ? 'result' : (operation ?? last))).replaceAll(
    /[-_](\w)/g,
    (_match, letter: string) => letter.toUpperCase(),
  )
  const name = words.charAt(0).toLowerCase() + words.slice(1)
  return /^[a-z]\w*$/i.test(name) ? name : 'answer1'
}

/** The most fields that a test checks in an answer, and the most characters of one. */
const MAX_EXPECTED = 8
const MAX_TEXT = 100

const TIME = /^\d{4}-\d{2}-\d{2}/
const VOLATILE = /(?:^id|Id|_id|_at|At|[tT]oken|[uU]rl|[hH]ash|[sS]ecret|[kK]ey|signature|slug|uuid|folio)$/

/** Returns the fields of an answer that say something: those that were sent, states and amounts; the length of lists. */
function expectationsOf({ answer, kind, status = 0 }: Step, known: Known): Expectation[] {
  if (kind === 'clock' || kind === 'control' || kind === 'page') return []
  const found: Expectation[] = []
  const add = (value: unknown, path: readonly (string | number)[]): void => {
    if (found.length >= MAX_EXPECTED) return
    const name = String(path.at(-1) ?? '')
    if (typeof value === 'string') {
      if (known.has(value)) {
        found.push({ path, value: known.text(value) })
        return
      }
      const isPlain = value.length <= MAX_TEXT && !TIME.test(value) && !VOLATILE.test(name)
      if (isPlain && formOfId(value) === null && !/[\n\r]|:\/\//.test(value)) found.push({ path, value })
    } else if (typeof value === 'boolean' || (typeof value === 'number' && !VOLATILE.test(name))) {
      found.push({ path, value })
    }
  }
  const walk = (value: unknown, path: readonly (string | number)[], depth: number): void => {
    if (Array.isArray(value)) {
      if (depth <= 1) found.push({ path, count: value.length })
      return
    }
    if (!isObject(value)) {
      add(value, path)
      return
    }
    for (const [name, each] of Object.entries(value)) {
      // In code, it would be the prototype.
      if (name === '__proto__') continue
      // The wording of an error can improve.
      if (
        status >= 400 &&
        /^(?:message|details|error|description|hint|timestamp)$/.test(name) &&
        !isObject(each)
      )
        continue
      if (!isObject(each) || depth < 1) walk(each, [...path, name], depth + 1)
    }
  }
  walk(answer, [], 0)
  return found.slice(0, MAX_EXPECTED)
}
