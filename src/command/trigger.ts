/** `suite-sim trigger`: lets happen what the world outside the interfaces does. */
import type { FieldSchema } from './fieldSchema.ts'
import { nearest } from '../library/nearest.ts'
import { canAsk, print, table } from './output.ts'
import { Misuse, Problem } from './problem.ts'
import type { Within } from './reaching.ts'
import { pathTo } from './remote.ts'
import { pathOf, remoteOf } from './workspaces.ts'

interface Known {
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
  written: readonly string[],
  settings: Within,
): Promise<void> {
  if (name?.startsWith('-'))
    throw new Misuse(`unknown option '${name}'; fields come behind the trigger's name`)
  const remote = remoteOf(settings)
  const { data } = await remote.call<{ data: Known[] }>('GET', '/triggers')
  if (name === undefined) {
    print(settings, { data }, () =>
      table(
        ['TRIGGER', 'WHAT IT DOES'],
        data.map((known) => [known.name, known.summary]),
      ),
    )
    return
  }
  const known = data.find((each) => each.name === name) ?? unknownTrigger(name, data)
  const body = bodyOf(known, written)
  if (canAsk(settings)) await askFor(known, body)
  const path = pathOf(settings.workspace) + pathTo('/triggers/{name}', { name })
  const result = await remote.call('POST', path, body)
  print(settings, result, () => JSON.stringify(result, null, 2))
}

function unknownTrigger(name: string, known: readonly Known[]): never {
  const names = known.map((each) => each.name)
  const meant = nearest(name, names)
  const hint = meant === undefined ? 'suite-sim trigger lists them' : `did you mean ${meant}?`
  throw new Misuse(`there is no trigger '${name}'; ${hint}`)
}

/** One JSON object, or flags named as the fields are. */
function bodyOf(known: Known, [first, ...others]: readonly string[]): Body {
  if (first === undefined) return {}
  if (first.startsWith('-')) return fieldsOf(known, [first, ...others])
  const body = parsed(first)
  if (others.length > 0 || typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Misuse(`a trigger takes --field value ..., or one JSON object, not '${first}'`)
  }
  return body as Body
}

function fieldsOf(known: Known, written: readonly string[]): Body {
  const body: Body = {}
  for (let place = 0; place < written.length; place++) {
    const [, flag, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(written[place] ?? '') ?? []
    if (flag === undefined) throw new Misuse(`'${written[place] ?? ''}' belongs to no field`)
    const field = fieldNamed(known, flag)
    const schema = known.body.properties?.[field] ?? {}
    const next = written[place + 1]
    const isAlone = inline === undefined && (next === undefined || next.startsWith('--'))
    if (isAlone && schema.type !== 'boolean') throw new Misuse(`--${flag} needs a value`)
    body[field] = isAlone ? true : valueOf(inline ?? next ?? '', schema)
    if (!isAlone && inline === undefined) place++
  }
  return body
}

/** Dashes may stand for underscores. */
function fieldNamed({ name, body }: Known, flag: string): string {
  const names = Object.keys(body.properties ?? {})
  const plain = (text: string): string => text.replaceAll(/[-_]/g, '').toLowerCase()
  const found = names.find((each) => each === flag) ?? names.find((each) => plain(each) === plain(flag))
  if (found !== undefined) return found
  if (body.properties === undefined || body.additionalProperties === true) return flag
  const meant = nearest(flag, names)
  const taken =
    names.length === 0 ? 'it takes none' : `it takes ${names.map((each) => `--${each}`).join(', ')}`
  throw new Misuse(
    `${name} has no field --${flag}; ${meant === undefined ? taken : `did you mean --${meant}?`}`,
  )
}

/** What is written, as the type that the field has; the server judges the rest. */
function valueOf(written: string, { type, items }: FieldSchema): unknown {
  if (type === 'string') return written
  if (type === 'array' && !written.startsWith('[')) {
    return written.split(',').map((each) => valueOf(each.trim(), items ?? {}))
  }
  return parsed(written) ?? written
}

/** undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Asks a person for the required fields that are not there. */
async function askFor({ body: { properties = {}, required = [] } }: Known, body: Body): Promise<void> {
  const missing = required.filter((field) => !(field in body))
  if (missing.length === 0) return
  const { askForField } = await import('./prompts.ts')
  for (const field of missing) {
    const schema = properties[field] ?? {}
    const answer = await askForField(field, schema)
    if (answer === null) throw new Problem('nothing was triggered')
    body[field] = valueOf(answer, schema)
  }
}
