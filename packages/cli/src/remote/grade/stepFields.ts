/** Reads the steps of a task file: setup, reference and saboteurs. */
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { isObject, type Field } from './fields.ts'
import { FINDINGS, type ExpectedFailure, type Saboteur, type Step } from './task.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const MAX_STEPS = 300

const CALL = ['name', 'interface', 'method', 'path', 'body', 'status', 'save'] as const
const TRIGGER = ['name', 'trigger', 'body', 'save'] as const
const CLOCK = ['name', 'clock'] as const
const ANSWER = ['name', 'answer'] as const

/** The values that paths and bodies can use without saving them. */
export const OWN_VALUES = ['account']

/**
 * Reads a list of steps. `saved` are the values of earlier steps. With `interfaces`, calls of other interfaces are refused,
 * because the agent could not make them.
 */
export function readSteps(
  field: Field,
  saved: readonly string[],
  interfaces: readonly string[] = INTERFACE_NAMES,
): Step[] {
  const known = [...OWN_VALUES, ...saved]
  const steps = field.list(MAX_STEPS).map((each, index) => {
    const step = readStep(each, String(index + 1), known, interfaces)
    if ('save' in step) known.push(...step.save.keys())
    return step
  })
  const names = steps.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) field.fail(`must have steps with different names; ${twice} is there twice`)
  return steps
}

function readStep(
  field: Field,
  number: string,
  known: readonly string[],
  interfaces: readonly string[],
): Step {
  const { value } = field
  if (!isObject(value)) return field.fail('must be a call, a trigger, a clock move or an answer')
  if ('trigger' in value) return readTrigger(field, number, known)
  if ('clock' in value) return readClock(field, number)
  if ('answer' in value) {
    const { name, answer } = field.object(ANSWER)
    return { kind: 'answer', name: name?.text(60) ?? number, text: field.must(answer, 'answer').text(20_000) }
  }
  return readCall(field, number, known, interfaces)
}

function readCall(
  field: Field,
  number: string,
  known: readonly string[],
  interfaces: readonly string[],
): Step {
  const { name, interface: of, method, path, body, status, save } = field.object(CALL)
  const text = field.must(path, 'path').text()
  if (!text.startsWith('/')) path?.fail('must start with /, relative to the base path of the interface')
  for (const [, value = ''] of text.matchAll(/\{(\w+)\}/g)) mustBeKnown(field, value, known)
  if (body) mustBeKnownIn(field, body.value, known)
  return {
    kind: 'call',
    name: name?.text(60) ?? number,
    interface: field.must(of, 'interface').oneOf('an interface that the task allows', interfaces),
    method: field.must(method, 'method').oneOf('a method', METHODS),
    path: text,
    ...(body && { body: body.value }),
    ...(status && { status: status.integer(100, 599) }),
    save: readSave(save),
  }
}

function readTrigger(field: Field, number: string, known: readonly string[]): Step {
  const { name, trigger, body, save } = field.object(TRIGGER)
  if (body) mustBeKnownIn(field, body.value, known)
  return {
    kind: 'trigger',
    name: name?.text(60) ?? number,
    trigger: field.must(trigger, 'trigger').text(100),
    ...(body && { body: body.value }),
    save: readSave(save),
  }
}

function readClock(field: Field, number: string): Step {
  const { name, clock } = field.object(CLOCK)
  const move = field.must(clock, 'clock')
  const { advance, now } = move.object(['advance', 'now'])
  if ((advance === undefined) === (now === undefined)) move.fail('must have advance or now')
  return {
    kind: 'clock',
    name: name?.text(60) ?? number,
    ...(advance && { advance: advance.text(40) }),
    ...(now && { now: now.text(40) }),
  }
}

const readSave = (field: Field | undefined): ReadonlyMap<string, string> =>
  new Map(
    (field?.entries(20) ?? []).map(([name, each]) => {
      const pointer = each.text(200)
      if (!/^\w{1,50}$/.test(name)) each.fail('must have a name of letters, digits and _')
      return [
        name,
        pointer.startsWith('/') ? pointer : each.fail('must be a JSON pointer, such as /data/0/id'),
      ]
    }),
  )

function mustBeKnown(field: Field, value: string, known: readonly string[]): void {
  if (!known.includes(value)) {
    field.fail(`uses {${value}}, which no earlier step saves; earlier steps save ${known.join(', ')}`)
  }
}

/** A text that is only a value in braces must be known. In longer texts, braces can be part of the text. */
function mustBeKnownIn(field: Field, body: unknown, known: readonly string[]): void {
  if (typeof body === 'string') {
    const [, value] = /^\{(\w+)\}$/.exec(body) ?? []
    if (value !== undefined) mustBeKnown(field, value, known)
  } else if (typeof body === 'object' && body !== null) {
    for (const each of Object.values(body)) mustBeKnownIn(field, each, known)
  }
}

/** Reads a saboteur: the reference with steps replaced, removed or inserted. */
export function readSaboteur(
  field: Field,
  reference: readonly Step[],
  saved: readonly string[],
  interfaces: readonly string[],
): Saboteur {
  const found = field.object(['name', 'replace', 'with', 'remove', 'after', 'insert', 'fails'])
  const { replace, with: replacement, remove, after, insert } = found
  const edits = [replace, remove, insert].filter((each) => each !== undefined)
  if (edits.length !== 1) field.fail('must have one of replace, remove and insert')
  const names = reference.map(({ name }) => name)
  const placeOf = (each: Field): number =>
    names.indexOf(each.oneOf('the name of a step of the reference', names))
  const newSteps = (list: Field): Step[] => {
    const own = reference.flatMap((step) => ('save' in step ? [...step.save.keys()] : []))
    return readSteps(list, [...saved, ...own], interfaces)
  }
  let steps: readonly Step[] = reference
  if (replace) {
    const place = placeOf(replace)
    steps = [
      ...reference.slice(0, place),
      ...newSteps(field.must(replacement, 'with')),
      ...reference.slice(place + 1),
    ]
  } else if (remove) {
    const places = (Array.isArray(remove.value) ? remove.list(MAX_STEPS) : [remove]).map(placeOf)
    steps = reference.filter((_, index) => !places.includes(index))
  } else if (insert) {
    const place = after ? placeOf(after) + 1 : reference.length
    steps = [...reference.slice(0, place), ...newSteps(insert), ...reference.slice(place)]
  }
  const fails = field.must(found.fails, 'fails').list(20).map(readFailure)
  if (fails.length === 0) found.fails?.fail('must have at least one failure')
  return { name: field.must(found.name, 'name').text(100), steps, fails }
}

function readFailure(field: Field): ExpectedFailure {
  const { kind, section, id, field: path, text } = field.object(['kind', 'section', 'id', 'field', 'text'])
  return {
    kind: field.must(kind, 'kind').oneOf('a kind of failure', FINDINGS),
    ...(section && { section: section.text(100) }),
    ...(id && { id: id.text(200) }),
    ...(path && { field: path.text(200) }),
    ...(text && { text: text.text() }),
  }
}
