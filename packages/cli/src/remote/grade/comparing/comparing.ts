/** Compares what an agent did with a task: the diff, the calls and the final answer. */
import { counted } from '@suite-sim/kit/text/counted'
import { isDeepStrictEqual } from 'node:util'
import { nearestOfEach, pairUp } from '@suite-sim/client/pairing'
import { isSideEffect } from '@suite-sim/client/telling'
import { addDuration, instantOf, parseOffsetInstant, UTC } from '@suite-sim/kit/time/instants'
import { isFoundIn } from '@suite-sim/kit/text/patterns'
import { short } from './short.ts'
import type {
  AnswerCheck,
  CallCheck,
  Cause,
  ChangedRecord,
  ChangePattern,
  Email,
  EmailCheck,
  ExpectedChange,
  Finding,
  JournalCall,
  Selector,
  Task,
} from '../task.ts'
import {
  childOf,
  isMatch,
  isWithin,
  objectOf,
  partOf,
  plain,
  valueAt,
  wordsOf,
  type ChangedField,
  type Named,
} from './matchers.ts'

/** What an agent did. */
export interface Outcome {
  readonly changes: readonly ChangedRecord[]
  /** Oldest first. */
  readonly calls: readonly JournalCall[]
  readonly emails: readonly Email[]
  /** The final answer; null if none was given. */
  readonly answer: string | null
  /** The time of the workspace after the run, in ms. */
  readonly now: number
}

/** Returns why a task is not solved; nothing if it is. */
export function compare(task: Task, outcome: Outcome): Finding[] {
  const { calls, emails, answer } = outcome
  return [
    ...compareChanges(task, outcome),
    ...task.calls.flatMap((check) => checkCalls(check, calls)),
    ...task.emails.flatMap((check) => checkEmails(check, emails)),
    ...checkAnswers(task.answer, answer),
    ...(calls.length > task.budget
      ? [
          finding(
            'budget',
            `made ${counted(calls.length, 'call')}, and the budget is ${String(task.budget)}`,
            {
              expected: task.budget,
              actual: calls.length,
            },
          ),
        ]
      : []),
  ]
}

const finding = (
  kind: Finding['kind'],
  message: string,
  { causes = [], ...rest }: Partial<Finding> = {},
): Finding => ({ kind, message, ...rest, causes })

/** Returns true for a field that a task need not list. */
type IsExcused = (field: ChangedField, each: ChangedRecord) => boolean

/**
 * Excuses empty fields of new records, and what the server writes by itself: the time of the run, and the id and random
 * values of a new record. The agent can have chosen any other time and any other reference.
 */
function excuseFor(task: Task, { changes, now }: Outcome): IsExcused {
  const start = startTimeOf(task)
  const added = new Set(changes.flatMap(({ change, id }) => (change === 'added' ? [id] : [])))
  return ({ before, after, volatile }, { change, id }) => {
    if (change !== 'changed' && isEmpty(after ?? before)) return true
    if (volatile !== true || change === 'removed') return volatile === true
    const time = timeOf(after)
    if (time !== null) return time >= start && time <= now
    return change === 'added' && (after === id || !added.has(String(after)))
  }
}

const timeOf = (value: unknown): number | null =>
  typeof value === 'string' ? parseOffsetInstant(value) : null

/** Returns what of a field is not listed. Of a volatile object, only the times in it are volatile. */
function unlistedOf(field: ChangedField, listed: readonly string[]): ChangedField[] {
  const { path, before, after, volatile } = field
  if (listed.some((one) => isWithin(one, path))) return []
  const names = Object.keys({ ...objectOf(before), ...objectOf(after) })
  const isWhole = volatile !== true && !listed.some((one) => isWithin(path, one))
  if (isWhole || names.length === 0) return [field]
  const isList = Array.isArray(after ?? before)
  return names.flatMap((name) => {
    const end = isList ? `[${name}]` : propertyPath(name)
    const [old, current] = [childOf(before, name), childOf(after, name)]
    if (isDeepStrictEqual(old, current)) return []
    const mayBeTime = volatile === true && (timeOf(current) !== null || objectOf(current) !== null)
    const part = {
      path: path + end,
      before: old,
      after: current,
      ...(mayBeTime && { volatile: true as const }),
    }
    return unlistedOf(part, listed)
  })
}

/** Returns ".city", or `["order no."]` for a name that is no identifier. */
const propertyPath = (name: string): string =>
  /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`

/** Returns the time at which the agent starts: after the setup. */
const startTimeOf = ({ clock, setup }: Task): number =>
  setup.reduce(
    (time, step) =>
      step.kind !== 'clock'
        ? time
        : step.now === undefined
          ? (addDuration(time, step.advance ?? '') ?? time)
          : instantOf(step.now, UTC),
    instantOf(clock.now, UTC),
  )

function compareChanges(task: Task, outcome: Outcome): Finding[] {
  const { changes, calls } = outcome
  const findings: Finding[] = []
  const left = new Set(changes)
  const named: Named = new Map()
  const isExcused = excuseFor(task, outcome)
  const mismatches = (expected: ExpectedChange, each: ChangedRecord): Finding[] =>
    mismatchesOf(expected, each, named, isExcused)
  for (const each of changes) {
    const pattern = task.forbidden.find((one) => isInPattern(one, each, 'some'))
    if (pattern) {
      left.delete(each)
      findings.push(finding('forbidden', `${titleOf(each)}, which the task forbids`, placeOf(each)))
    }
  }
  const lacking: ExpectedChange[] = []
  const name = ({ as }: ExpectedChange, each: ChangedRecord): void => {
    if (as !== undefined) named.set(as, each)
  }
  for (const group of groupsOf(task.changes)) {
    const all = [...left]
    const pairs = pairUp(group, all, {
      expectedKey: (expected) => String(task.changes.indexOf(expected)),
      recordKey: ({ section, id }) => `${section} ${id}`,
      finderIn: (records) => (expected) => records.filter((each) => isSelected(expected, each, named)),
      isEqual: (expected, each) => mismatches(expected, each).length === 0,
    })
    lacking.push(...pairs.unmatched)
    const others = new Set(pairs.left)
    for (const each of all) {
      if (others.has(each)) continue
      left.delete(each)
      for (const expected of group) name(expected, each)
    }
  }
  const unmet = nearestOfEach(lacking, left, {
    candidates: (expected) => [...left].filter((each) => isSelected(expected, each, named)),
    differences: mismatches,
    onTake: name,
  })
  for (const { expected, nearest } of unmet)
    findings.push(...(nearest ? nearest.differences : [missing(expected, calls)]))
  for (const each of left) {
    if (isOnlyTouched(each) || task.sideEffects.some((one) => isInPattern(one, each, 'every'))) continue
    findings.push(finding('unwanted', titleOf(each), placeOf(each)))
  }
  return findings
}

/** Returns the expected changes, each as often as it is expected. One with a name is alone, because later ones can refer to it. */
function groupsOf(changes: readonly ExpectedChange[]): ExpectedChange[][] {
  const groups: ExpectedChange[][] = []
  let last: ExpectedChange[] | null = null
  for (const expected of changes) {
    if (last === null || expected.as !== undefined) groups.push((last = []))
    last.push(...Array.from({ length: expected.count }, () => expected))
    if (expected.as !== undefined) last = null
  }
  return groups
}

/** True if only the time of the last change differs: the values were written again. */
const isOnlyTouched = ({ change, fields }: ChangedRecord): boolean =>
  change === 'changed' && fields.every(({ path, volatile }) => path === 'updatedAt' && volatile === true)

const placeOf = ({ section, id, causes }: ChangedRecord): Partial<Finding> => ({ section, id, causes })

/** Returns "added payments.refunds ref_1: amount 1200, …". */
function titleOf({ section, id, change, fields }: ChangedRecord): string {
  const shown = fields
    .filter((field) => (change === 'changed' ? field.path !== 'updatedAt' : !isSideEffect(change, field)))
    .slice(0, 5)
  const values = shown.map(({ path, before, after }) =>
    change === 'changed' ? `${path} ${short(before)} → ${short(after)}` : `${path} ${short(after ?? before)}`,
  )
  return `${change} ${section} ${id}${values.length > 0 ? `: ${values.join(', ')}` : ''}`
}

export const isInSection = (wanted: string, section: string): boolean =>
  wanted === '*' || wanted === section || section.startsWith(`${wanted}.`)

function isSelected({ section, change, id, match }: Selector, each: ChangedRecord, named: Named): boolean {
  return (
    isInSection(section, each.section) &&
    (change === undefined || change === each.change) &&
    (id === undefined || isMatch(id, each.id, named)) &&
    [...match].every(([path, matcher]) => {
      const at = valueAt(each, path)
      if (at) return isMatch(matcher, at.value, named)
      return each.whole !== undefined && isMatch(matcher, partOf(each.whole, `.${path}`), named)
    })
  )
}

function isInPattern(pattern: ChangePattern, each: ChangedRecord, quantity: 'some' | 'every'): boolean {
  if (!isSelected(pattern, each, new Map())) return false
  const { fields } = pattern
  return fields.length === 0 || each.fields[quantity](({ path }) => fields.some((one) => isWithin(one, path)))
}

/** Returns what a record has that the expected change has not. */
function mismatchesOf(
  expected: ExpectedChange,
  each: ChangedRecord,
  named: Named,
  isExcused: IsExcused,
): Finding[] {
  const found: Finding[] = []
  const verb = each.change === 'removed' ? 'was' : 'is'
  for (const [path, { before, after }] of expected.fields) {
    const at = valueAt(each, path)
    const [value, old] = [at?.value ?? null, at?.before ?? null]
    const isUnchanged = at === undefined && each.change === 'changed'
    const isRight =
      isMatch(after, value, named) &&
      (before === undefined || isMatch(before, old, named)) &&
      (!isUnchanged || 'any' in after)
    if (isRight) continue
    const rule = before && !isUnchanged && !isMatch(before, old, named) ? before : after
    const actual = rule === before ? old : value
    const message = isUnchanged
      ? `${each.section} ${each.id}: ${path} must become ${wordsOf(rule)}, but did not change`
      : `${each.section} ${each.id}: ${path} must be ${wordsOf(rule)}, but ${verb} ${short(actual)}`
    found.push(finding('wrong', message, { ...placeOf(each), field: path, expected: plain(rule), actual }))
  }
  if (expected.mayHaveOthers) return found
  const listed = [...expected.fields.keys(), ...expected.match.keys()]
  for (const field of each.fields.flatMap((one) => unlistedOf(one, listed))) {
    if (isExcused(field, each)) continue
    const { path, before, after } = field
    const message =
      each.change === 'changed'
        ? `${each.section} ${each.id}: ${path} must stay ${short(before)}, but ${verb} ${short(after)}`
        : `${each.section} ${each.id}: ${path} must not be set, but ${verb} ${short(after ?? before)}`
    found.push(finding('unwanted', message, { ...placeOf(each), field: path, actual: after }))
  }
  return found
}

/** True for an empty list, object or text, which new records have by default. */
const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** The maximum number of refused calls that are named as the cause of a missing change. */
const MAX_REFUSED = 3

/** The causes of a missing change are the refused writes of its interface. */
function missing(expected: ExpectedChange, calls: readonly JournalCall[]): Finding {
  const { section, change, id, match, fields } = expected
  const rules = [
    ...(id ? [`id ${wordsOf(id)}`] : []),
    ...[...match].map(([path, matcher]) => `${path} ${wordsOf(matcher)}`),
    ...[...fields].flatMap(([path, { after }]) => ('any' in after ? [] : [`${path} ${wordsOf(after)}`])),
  ]
  const causes: Cause[] = calls
    .filter((call) => call.status >= 400 && call.method !== 'GET' && isInSection(call.interface, section))
    .slice(-MAX_REFUSED)
    .map(({ id: call, method, path, status }) => ({
      kind: 'request',
      id: call,
      title: `${method} ${path} ${String(status)}`,
    }))
  const words = rules.slice(0, 6).join(', ')
  const message = `no ${section} was ${change}${words === '' ? '' : ` with ${words}`}`
  const literal = id && 'is' in id ? { id: String(id.is) } : {}
  return finding('missing', message, { section, ...literal, causes })
}

function checkCalls(
  { interface: of, operation, path: end, status, min, max }: CallCheck,
  calls: readonly JournalCall[],
) {
  const found = calls.filter(
    (call) =>
      call.interface === of &&
      call.operation === operation &&
      (end === undefined || call.path.endsWith(end)) &&
      (status === undefined || String(call.status).startsWith(status.replace('xx', ''))),
  )
  if (found.length >= min && found.length <= max) return []
  const what = [of, operation, end, status].filter((each) => each !== undefined).join(' ')
  const rule = ruleOf(found.length, min, max)
  const causes = found.slice(0, MAX_REFUSED).map(({ id, method, path, status: got }) => ({
    kind: 'request',
    id,
    title: `${method} ${path} ${String(got)}`,
  }))
  return [
    finding('call', `${what} must ${rule('be called')}, but was called ${times(found.length)}`, { causes }),
  ]
}

function checkEmails({ to, subject, text, min, max }: EmailCheck, emails: readonly Email[]): Finding[] {
  const has = (whole: string, part: string | undefined): boolean =>
    part === undefined || normalText(whole).includes(normalText(part))
  const found = emails.filter(
    (email) =>
      (to === undefined || normalText(email.to) === normalText(to)) &&
      has(email.subject, subject) &&
      has(email.text, text),
  )
  if (found.length >= min && found.length <= max) return []
  const what = [
    'an e-mail',
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(subject === undefined ? [] : [`with the subject ${short(subject)}`]),
    ...(text === undefined ? [] : [`with the text ${short(text)}`]),
  ].join(' ')
  const rule = ruleOf(found.length, min, max)
  const causes = found.slice(0, MAX_REFUSED).map(({ id, to: address, subject: title }) => ({
    kind: 'email',
    id,
    title: `${title} to ${address}`,
  }))
  return [
    finding('email', `${what} must ${rule('be sent')}, but was sent ${times(found.length)}`, { causes }),
  ]
}

/** Returns "not be sent", or "be sent at least once". */
const ruleOf =
  (count: number, min: number, max: number) =>
  (verb: string): string => {
    if (count < min) return `${verb} at least ${times(min)}`
    return max === 0 ? `not ${verb}` : `${verb} at most ${times(max)}`
  }

const times = (count: number): string => (count === 1 ? 'once' : `${String(count)} times`)

/** Texts are compared without case and with single spaces. */
const normalText = (text: string): string => text.replaceAll(/\s+/g, ' ').toLowerCase()

function checkAnswers(checks: readonly AnswerCheck[], answer: string | null): Finding[] {
  if (answer !== null) return checks.flatMap((check) => checkAnswer(check, answer))
  return checks.length === 0 ? [] : [finding('answer', 'the final answer is missing; pass it with --answer')]
}

function checkAnswer({ kind, text }: AnswerCheck, answer: string): Finding[] {
  const isFound = kind === 'regex' ? isFoundIn(text, answer) : normalText(answer).includes(normalText(text))
  if (isFound === (kind !== 'excludes')) return []
  const rule =
    kind === 'regex' ? `match /${text}/` : `${kind === 'excludes' ? 'not contain' : 'contain'} ${short(text)}`
  return [
    finding('answer', `the final answer must ${rule}`, {
      expected: { [kind]: text },
      actual: answer.slice(0, 500),
    }),
  ]
}
