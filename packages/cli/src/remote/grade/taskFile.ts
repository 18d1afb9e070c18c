/** Reads tasks. Everything that a task has must be known, and everything is bounded. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SCOPES } from '@suite-sim/kit/scopes'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { parseInstant } from '@suite-sim/kit/time/instants'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { isPattern } from '@suite-sim/kit/text/patterns'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { readShortText } from '@suite-sim/kit/terminal/textFiles'
import { Field, isObject, type Fields } from './fields.ts'
import { readSaboteur, readSteps } from './stepFields.ts'
import {
  CHANGES,
  type AnswerCheck,
  type CallCheck,
  type ChangePattern,
  type EmailCheck,
  type ExpectedChange,
  type FieldMatcher,
  type Matcher,
  type Selector,
  type Task,
} from './task.ts'

/** The tasks of the package, next to the program. */
const TASKS = fileURLToPath(new URL('../tasks', import.meta.url))

const MAX_TASK_BYTES = 256 * 1024
const MAX_BUDGET = 900

const ENDING = /\.ya?ml$/

/** Returns the files that an argument names: a file, a folder of files, or a task that is part of the package. */
export function taskFiles(wanted: string): string[] {
  if (existsSync(wanted)) return statSync(wanted).isDirectory() ? filesIn(wanted) : [wanted]
  const shipped = join(TASKS, `${wanted}.yaml`)
  if (/^[\w-]+$/.test(wanted) && existsSync(shipped)) return [shipped]
  const names = shippedTasks().map((file) => nameOf(file))
  const nearest = nearestName(nameOf(wanted), names)
  const hint = nearest === null ? 'suite-sim grade --list lists the tasks' : `did you mean ${nearest}?`
  throw new UsageError(`there is no task ${wanted}; ${hint}`)
}

export const shippedTasks = (): string[] => filesIn(TASKS)

function filesIn(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => ENDING.test(name))
  if (files.length === 0) throw new UsageError(`there is no .yaml file in ${folder}`)
  return files.toSorted().map((name) => join(folder, name))
}

const nameOf = (file: string): string => basename(file).replace(ENDING, '')

export async function readTask(file: string): Promise<Task> {
  const text = readShortText('TASK', file, MAX_TASK_BYTES)
  const { readYaml } = await import('@suite-sim/kit/text/readYaml')
  const yaml = readYaml(text)
  if ('problem' in yaml)
    throw new UsageError(`${file}:${String(yaml.line)}: the YAML is invalid: ${yaml.problem}`)
  const name = nameOf(file)
  if (!NAME.test(name)) {
    throw new UsageError(`${file}: the name of the file must contain only a-z, 0-9 and -, at most 60`)
  }
  return parseTask(name, file, new Field({ file, lineOf: (path) => yaml.lineOf(path) }, yaml.value))
}

const NAME = /^[a-z\d][a-z\d-]{0,59}$/

/** The place of errors in a task that is an object. */
const OBJECT = 'task'

/** Returns the task of a file, of a name of the package, or of an object with the fields of a file. */
export async function taskOf(wanted: string | object): Promise<Task> {
  if (typeof wanted === 'object') return taskOfObject(wanted)
  const [file = '', ...others] = taskFiles(wanted)
  if (others.length > 0) throw new UsageError(`the task must be a file; ${wanted} is a folder`)
  return await readTask(file)
}

/** Its values become those of JSON, as in a file. Files that it names are relative to the current folder. */
function taskOfObject(wanted: object): Task {
  const text = jsonOf(wanted)
  if (text === undefined || Buffer.byteLength(text) > MAX_TASK_BYTES) {
    throw new UsageError(`${OBJECT}: it must be JSON of at most ${String(MAX_TASK_BYTES)} bytes`)
  }
  const whole = JSON.parse(text) as unknown
  if (!isObject(whole)) throw new UsageError(`${OBJECT}: it must be an object with the fields of a task file`)
  const { name = OBJECT, ...fields } = whole
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new UsageError(`${OBJECT}: name must contain only a-z, 0-9 and -, at most 60`)
  }
  return parseTask(name, OBJECT, new Field({ file: OBJECT }, { reference: [], saboteurs: [], ...fields }))
}

/** Returns undefined for what is not JSON, such as an object that contains itself. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const FIELDS = [
  'title',
  'instruction',
  'fixture',
  'clock',
  'settings',
  'setup',
  'interfaces',
  'scopes',
  'user',
  'changes',
  'sideEffects',
  'forbidden',
  'answer',
  'calls',
  'emails',
  'budget',
  'reference',
  'saboteurs',
] as const

function parseTask(name: string, file: string, root: Field): Task {
  const fields = root.object(FIELDS)
  const must = (field: keyof typeof fields): Field => root.must(fields[field], field)
  const interfaces = must('interfaces')
    .list(INTERFACE_NAMES.length)
    .map((each) => each.oneOf('an interface', INTERFACE_NAMES))
  const setup = fields.setup ? readSteps(fields.setup, []) : []
  const saved = setup.flatMap((step) => ('save' in step ? [...step.save.keys()] : []))
  const reference = readSteps(must('reference'), saved, interfaces)
  const { user } = fields
  const task: Task = {
    name,
    file,
    title: must('title').text(100),
    instruction: must('instruction').text(10_000).trim(),
    fixture: must('fixture').text(200),
    clock: parseClock(must('clock')),
    settings: Object.fromEntries(
      (fields.settings?.entries(20) ?? []).map(([key, { value }]) => [key, value]),
    ),
    setup,
    interfaces,
    scopes: (fields.scopes?.list(SCOPES.length + 1) ?? []).map((each) =>
      each.oneOf('a scope', ['*', ...SCOPES]),
    ),
    ...(user && { user: user.text(100) }),
    changes: parseChanges(must('changes')),
    sideEffects: (fields.sideEffects?.list(100) ?? []).map(parsePattern),
    forbidden: (fields.forbidden?.list(100) ?? []).map(parsePattern),
    answer: (fields.answer?.list(50) ?? []).map(parseAnswerCheck),
    calls: (fields.calls?.list(50) ?? []).map(parseCallCheck),
    emails: (fields.emails?.list(50) ?? []).map(parseEmailCheck),
    budget: must('budget').integer(1, MAX_BUDGET),
    reference,
    saboteurs: must('saboteurs')
      .list(50)
      .map((each) => readSaboteur(each, reference, saved, interfaces)),
  }
  mustHaveUniqueNames(must('saboteurs'), task.saboteurs)
  return task
}

function mustHaveUniqueNames(field: Field, named: readonly { readonly name: string }[]): void {
  const names = named.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) field.fail(`must have different names; ${twice} is there twice`)
}

function parseClock(field: Field): Task['clock'] {
  const { now, frozen } = field.object(['now', 'frozen'])
  const text = field.must(now, 'now').text(40)
  if (parseInstant(text, { timezone: 'UTC' }) === null) {
    field.must(now, 'now').fail('must be an instant in UTC, such as 2026-11-24T14:00:00Z')
  }
  return { now: text, frozen: frozen?.boolean() ?? true }
}

function parseChanges(field: Field): ExpectedChange[] {
  const known: string[] = []
  return field.list(200).map((each) => {
    const change = parseChange(each, known)
    if (change.as !== undefined) known.push(change.as)
    return change
  })
}

function parseChange(field: Field, known: readonly string[]): ExpectedChange {
  const found = field.object(['section', 'change', 'id', 'match', 'fields', 'others', 'count', 'as'])
  const { fields, others, count, as } = found
  const change = field.must(found.change, 'change').oneOf('a kind of change', CHANGES)
  const matchers = (fields?.entries(200) ?? []).map(
    ([path, each]) => [path, parseFieldMatcher(each, known)] as const,
  )
  if (change === 'changed' && found.id === undefined && found.match === undefined && matchers.length === 0) {
    field.fail('must have id, match or fields')
  }
  return {
    ...parseSelector(field, found, known),
    change,
    fields: new Map(matchers),
    mayHaveOthers: others?.oneOf('what other fields may have', ['any']) === 'any',
    count: count?.integer(1, 200) ?? 1,
    ...(as && { as: as.text(50) }),
  }
}

const SELECTOR = ['section', 'change', 'id', 'match'] as const

function parseSelector(
  field: Field,
  { section, change, id, match }: Fields<(typeof SELECTOR)[number]>,
  known: readonly string[] = [],
): Selector {
  const name = field.must(section, 'section').text(100)
  const [of = ''] = name.split('.')
  if (name !== '*' && ![...INTERFACE_NAMES, 'webhooks', 'files'].includes(of)) {
    field.must(section, 'section').failUnknown('a section, an interface or *', INTERFACE_NAMES)
  }
  return {
    section: name,
    ...(change && { change: change.oneOf('a kind of change', CHANGES) }),
    ...(id && { id: parseMatcher(id, known) }),
    match: new Map((match?.entries(50) ?? []).map(([path, each]) => [path, parseMatcher(each, known)])),
  }
}

function parsePattern(field: Field): ChangePattern {
  const found = field.object([...SELECTOR, 'fields'])
  return {
    ...parseSelector(field, found),
    fields: (found.fields?.list(100) ?? []).map((each) => each.text(200)),
  }
}

function parseFieldMatcher(field: Field, known: readonly string[]): FieldMatcher {
  if (!isObject(field.value) || !('before' in field.value || 'after' in field.value)) {
    return { after: parseMatcher(field, known) }
  }
  const { before, after } = field.object(['before', 'after'])
  return {
    ...(before && { before: parseMatcher(before, known) }),
    after: after ? parseMatcher(after, known) : { any: true },
  }
}

const MATCHERS = ['any', 'regex', 'contains', 'oneOf', 'items', 'record', 'is'] as const

function parseMatcher(field: Field, known: readonly string[]): Matcher {
  if (!isObject(field.value)) return { is: field.value }
  const { text, ...kinds } = field.object([...MATCHERS, 'text'])
  const entries = Object.entries(kinds) as [(typeof MATCHERS)[number], Field][]
  const [only] = entries
  if (only === undefined || entries.length > 1) {
    return field.fail(`must have one of ${MATCHERS.join(', ')}; an object itself is {is: …}`)
  }
  const [kind, value] = only
  if (text && kind !== 'record') text.fail('must be used with record')
  switch (kind) {
    case 'any':
      return value.boolean() ? { any: true } : value.fail('must be true')
    case 'regex':
      return { regex: parsePatternText(value) }
    case 'contains':
      return { contains: value.text() }
    case 'oneOf':
      return { oneOf: value.list(100).map((each) => each.value) }
    case 'items':
      return { items: value.list(100).map((each) => each.value) }
    case 'record':
      return {
        record: value.oneOf('the name (as) of an earlier change', known),
        ...(text && { text: text.text() }),
      }
    case 'is':
      return { is: value.value }
  }
}

function parsePatternText(field: Field): string {
  const text = field.text(500)
  return isPattern(text) ? text : field.fail(`must be a regular expression in the syntax of RE2`)
}

const ANSWER_CHECKS = ['contains', 'excludes', 'regex'] as const

function parseAnswerCheck(field: Field): AnswerCheck {
  const entries = Object.entries(field.object(ANSWER_CHECKS)) as [AnswerCheck['kind'], Field][]
  const [only] = entries
  if (only === undefined || entries.length > 1)
    return field.fail(`must have one of ${ANSWER_CHECKS.join(', ')}`)
  const [kind, value] = only
  return { kind, text: kind === 'regex' ? parsePatternText(value) : value.text() }
}

function parseCallCheck(field: Field): CallCheck {
  const found = field.object(['interface', 'operation', 'path', 'status', 'min', 'max'])
  const { path, status, min, max } = found
  const text = status === undefined ? undefined : String(status.value)
  if (text !== undefined && !/^[1-5](?:\d\d|xx)$/.test(text)) {
    status?.fail('must be a status such as 404 or a class such as 2xx')
  }
  return {
    interface: field.must(found.interface, 'interface').oneOf('an interface', INTERFACE_NAMES),
    operation: field.must(found.operation, 'operation').text(100),
    ...(path && { path: path.text(300) }),
    ...(text !== undefined && { status: text }),
    ...parseCount(min, max),
  }
}

/** Without min and max, it must happen; with max alone, it may. */
const parseCount = (min: Field | undefined, max: Field | undefined): { min: number; max: number } => ({
  min: min?.integer(0, MAX_BUDGET) ?? (max ? 0 : 1),
  max: max?.integer(0, MAX_BUDGET) ?? MAX_BUDGET,
})

function parseEmailCheck(field: Field): EmailCheck {
  const { to, subject, text, min, max } = field.object(['to', 'subject', 'text', 'min', 'max'])
  return {
    ...(to && { to: to.text(320) }),
    ...(subject && { subject: subject.text() }),
    ...(text && { text: text.text() }),
    ...parseCount(min, max),
  }
}
