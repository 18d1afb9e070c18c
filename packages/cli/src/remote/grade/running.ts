/** Runs the steps of a task: calls as an agent makes them, triggers and clock moves. */
import { CommandError } from '@suite-sim/kit/terminal/problem'
import { causeOf, pathTo, type Remote, pathOf } from '@suite-sim/kit/terminal/remote'
import { short } from './comparing/short.ts'
import type { CallStep, Step } from './task.ts'

/** Values of earlier answers by name. */
export type Values = Readonly<Record<string, unknown>>

interface Running {
  readonly workspace: string
  readonly key: string
  readonly values: Values
  /** True to throw an error if a call is refused. A saboteur may be refused. */
  readonly mustSucceed: boolean
}

interface Ran {
  readonly values: Values
  /** The last answer of the steps; null if they have none. */
  readonly answer: string | null
}

/** Runs steps in order. Throws an error that names the step. */
export async function run(remote: Remote, steps: readonly Step[], running: Running): Promise<Ran> {
  const values: Record<string, unknown> = { ...running.values }
  let answer: string | null = null
  for (const step of steps) {
    const save = (result: unknown): void => {
      for (const [name, pointer] of 'save' in step ? step.save : []) {
        const value = at(result, pointer)
        if (value === undefined) throw failed(step, `the answer has no ${pointer}: ${short(result)}`)
        values[name] = value
      }
    }
    if (step.kind === 'answer') answer = String(filled(step.text, values))
    else if (step.kind === 'clock') await moveClock(remote, step, running.workspace)
    else if (step.kind === 'trigger') {
      const path = pathOf(running.workspace) + pathTo('/triggers/{trigger}', { trigger: step.trigger })
      save(await remote.call('POST', path, filled(step.body ?? {}, values)).catch(rethrow(step)))
    } else {
      const { status, text } = await call(remote, step, running.key, values)
      const isExpected = step.status === undefined ? status < 400 : status === step.status
      if (!isExpected && running.mustSucceed) {
        throw failed(step, `${step.method} ${step.path} answered ${String(status)}: ${text.slice(0, 500)}`)
      }
      if (isExpected) save(text === '' ? null : parse(text))
    }
  }
  return { values, answer }
}

const failed = (step: Step, why: string): CommandError => new CommandError(`step ${step.name} failed: ${why}`)

const rethrow = (step: Step) => (error: unknown) => {
  throw error instanceof CommandError ? failed(step, error.message) : error
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function moveClock(
  remote: Remote,
  step: Step & { readonly kind: 'clock' },
  workspace: string,
): Promise<void> {
  const path = `${pathOf(workspace)}/clock`
  const { advance, now } = step
  const moved =
    advance === undefined
      ? remote.call('PUT', path, { now })
      : remote.call('POST', `${path}/advance`, { duration: advance })
  await moved.catch(rethrow(step))
}

/** Where an interface is mounted, and the header of its key. */
interface Mounted {
  readonly base: string
  readonly header: string
  readonly prefix: string
}

const mounted = new WeakMap<Remote, Map<string, Promise<Mounted>>>()

interface Index {
  readonly interfaces: readonly { readonly name: string; readonly basePath: string }[]
}

interface Document {
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly type: string; readonly name?: string }>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}

export const documentOf = (remote: Remote, name: string): Promise<Document> =>
  remote.call<Document>('GET', pathTo('/openapi/{name}.json', { name }))

function mountOf(remote: Remote, name: string): Promise<Mounted> {
  const known = mounted.get(remote) ?? new Map<string, Promise<Mounted>>()
  mounted.set(remote, known)
  const found = known.get(name) ?? findMount(remote, name)
  known.set(name, found)
  return found
}

async function findMount(remote: Remote, name: string): Promise<Mounted> {
  // The document has the public URL, which this machine may not reach.
  const { interfaces } = JSON.parse((await remote.ask('GET', '/')).text) as Index
  const { components } = await documentOf(remote, name)
  const schemes = Object.values(components.securitySchemes)
  const header = schemes.find(({ type }) => type === 'apiKey')?.name
  return {
    base: interfaces.find((each) => each.name === name)?.basePath ?? '',
    header: header ?? 'authorization',
    prefix: header === undefined ? 'Bearer ' : '',
  }
}

/** Makes a call with the key. */
async function call(
  remote: Remote,
  { interface: name, method, path, body }: CallStep,
  key: string,
  values: Values,
): Promise<{ status: number; text: string }> {
  const { base, header, prefix } = await mountOf(remote, name)
  const target = path.replaceAll(/\{(\w+)\}/g, (_, value: string) =>
    encodeURIComponent(textOf(values[value])),
  )
  try {
    const response = await fetch(`${remote.url}${base}${target}`, {
      method,
      redirect: 'manual',
      headers: { [header]: prefix + key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(filled(body, values)) }),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw new CommandError(`${remote.url} does not respond: ${causeOf(error)}`)
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Fills in saved values. A text that is only `{name}` becomes the value itself, so that numbers stay numbers. */
function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    const [, only] = /^\{(\w+)\}$/.exec(value) ?? []
    if (only !== undefined && Object.hasOwn(values, only)) return values[only]
    return value.replaceAll(/\{(\w+)\}/g, (text, name: string) =>
      Object.hasOwn(values, name) ? textOf(values[name]) : text,
    )
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, values)]))
}

/** Returns the value at a JSON pointer; undefined if it does not exist. */
function at(whole: unknown, pointer: string): unknown {
  let value = whole
  for (const part of pointer.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }
  return value
}
