/** `suite-sim trigger`: lists triggers, or pulls one. */
import type { FieldSchema } from './fieldSchema.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { canAsk, print, table } from '@suite-sim/kit/terminal/output'
import { UsageError, CommandError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathTo, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

interface Trigger {
  readonly name: string
  readonly summary: string
  readonly body: {
    readonly properties?: Readonly<Record<string, FieldSchema>>
    readonly required?: readonly string[]
    readonly additionalProperties?: unknown
  }
}

type Body = Record<string, unknown>

export async function trigger(
  name: string | undefined,
  args: readonly string[],
  settings: WorkspaceSettings,
): Promise<void> {
  if (name?.startsWith('-'))
    throw new UsageError(`unknown option '${name}'; put fields after the name of the trigger`)
  const remote = remoteOf(settings)
  const { data } = await remote.call<{ data: Trigger[] }>('GET', '/triggers')
  if (name === undefined) {
    print(settings, { data }, () =>
      table(
        ['TRIGGER', 'DESCRIPTION'],
        data.map((known) => [known.name, known.summary]),
      ),
    )
    return
  }
  const known = data.find((each) => each.name === name) ?? unknownTrigger(name, data)
  const body = parseBody(known, args)
  if (canAsk(settings)) await askFor(known, body)
  mustBeSpelled(known, body)
  const path = pathOf(settings.workspace) + pathTo('/triggers/{name}', { name })
  const result = await remote.call('POST', path, body)
  print(settings, result, () => JSON.stringify(result, null, 2))
}

function unknownTrigger(name: string, known: readonly Trigger[]): never {
  const names = known.map((each) => each.name)
  const suggestion = nearestName(name, names)
  const hint = suggestion === null ? 'suite-sim trigger lists them' : `did you mean ${suggestion}?`
  throw new UsageError(`there is no trigger '${name}'; ${hint}`)
}

/** Refuses a value that looks like a misspelled one of its field, such as the name of an event. The server refuses others. */
function mustBeSpelled({ name, body: { properties = {} } }: Trigger, body: Body): void {
  for (const [field, value] of Object.entries(body)) {
    const names = properties[field]?.enum?.filter((each) => typeof each === 'string') ?? []
    const near = typeof value !== 'string' || names.includes(value) ? null : nearestName(value, names)
    if (near !== null)
      throw new UsageError(`${name} has no ${field} '${String(value)}'; did you mean ${near}?`)
  }
}

/** Parses the body from one JSON object, or from flags with the names of the fields. */
function parseBody(known: Trigger, [first, ...others]: readonly string[]): Body {
  if (first === undefined) return {}
  if (first.startsWith('-')) return parseFields(known, [first, ...others])
  const body = parseJson(first)
  if (others.length > 0 || typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new UsageError(`the body must be --field value ..., or one JSON object, not '${first}'`)
  }
  return body as Body
}

function parseFields(known: Trigger, args: readonly string[]): Body {
  const body: Body = {}
  for (let index = 0; index < args.length; index++) {
    const [, flag, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(args[index] ?? '') ?? []
    if (flag === undefined) throw new UsageError(`'${args[index] ?? ''}' must follow a field such as --name`)
    const field = fieldNamed(known, flag)
    const schema = known.body.properties?.[field] ?? {}
    const next = args[index + 1]
    const isFlag = inline === undefined && (next === undefined || next.startsWith('--'))
    if (isFlag && schema.type !== 'boolean') throw new UsageError(`--${flag} needs a value`)
    body[field] = isFlag ? true : parseValue(inline ?? next ?? '', schema)
    if (!isFlag && inline === undefined) index++
  }
  return body
}

/** Finds the field of a flag. Dashes, underscores and case do not matter. */
function fieldNamed({ name, body }: Trigger, flag: string): string {
  const names = Object.keys(body.properties ?? {})
  const plain = (text: string): string => text.replaceAll(/[-_]/g, '').toLowerCase()
  const found = names.find((each) => each === flag) ?? names.find((each) => plain(each) === plain(flag))
  if (found !== undefined) return found
  if (body.properties === undefined || body.additionalProperties === true) return flag
  const suggestion = nearestName(flag, names)
  const accepted =
    names.length === 0 ? 'it has no fields' : `its fields are ${names.map((each) => `--${each}`).join(', ')}`
  throw new UsageError(
    `${name} has no field --${flag}; ${suggestion === null ? accepted : `did you mean --${suggestion}?`}`,
  )
}

/** Converts text to the type of the field. The server validates the value. */
function parseValue(text: string, { type, items }: FieldSchema): unknown {
  if (type === 'string') return text
  if (type === 'array' && !text.startsWith('[')) {
    return text.split(',').map((each) => parseValue(each.trim(), items ?? {}))
  }
  return parseJson(text) ?? text
}

/** Parses JSON; returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Asks the user for missing required fields. */
async function askFor({ body: { properties = {}, required = [] } }: Trigger, body: Body): Promise<void> {
  const missing = required.filter((field) => !(field in body))
  if (missing.length === 0) return
  const { askForField } = await import('../terminal/prompts.ts')
  for (const field of missing) {
    const schema = properties[field] ?? {}
    const answer = await askForField(field, schema)
    if (answer === null) throw new CommandError('canceled; no trigger was pulled')
    body[field] = parseValue(answer, schema)
  }
}
