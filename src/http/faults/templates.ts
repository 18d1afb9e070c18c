/** Fills the placeholders of faults whose answer is a template, such as {{request.body.amount}}. There is no code in them. */
import { iso } from '@suite-sim/kit/time/instants'
import type { Hit } from '../../state/faults/faults.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { isHidden, isSecret } from '@suite-sim/kit/calls/redaction'
import { uploadFacts } from '../uploads/uploads.ts'

/** The parts of a call that placeholders can name. */
export interface TemplateCall {
  readonly method: string
  readonly path: string
  readonly pathParams: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

/** Maximum number of placeholders of a fault. */
const MAX_PLACEHOLDERS = 100

/** Maximum characters of all values that the placeholders of a fault insert into one answer. */
const MAX_FILLED = 1_048_576

/** Maximum characters of a header, as for headers without placeholders. */
const MAX_HEADER = 1000

const PLACEHOLDER = /\{\{([^{}]{0,200})\}\}/g
const WHOLE = /^\{\{([^{}]{0,200})\}\}$/

const PLAIN = ['request.method', 'request.path', 'request.body', 'now', 'id', 'uuid'] as const
const NAMED = ['pathParams', 'query', 'headers', 'body'] as const
const ofRequest = (part: string): string => `request.${part}`

const isNamed = (part: string): part is (typeof NAMED)[number] => (NAMED as readonly string[]).includes(part)

/** Splits "request.query.limit" into "query" and "limit"; null for other expressions. */
function partAndName(expression: string): readonly [part: (typeof NAMED)[number], name: string] | null {
  const [, part = '', name = ''] = /^request\.(\w+)\.(.+)$/s.exec(expression) ?? []
  return isNamed(part) ? [part, name] : null
}

// ---------------------------------------------------------------- checks

/** Returns why a template is refused; null if it is fine. `pathParams` are those of the operations that it can match. */
export function templateProblem(template: unknown, pathParams: readonly string[]): string | null {
  const texts = [...textsIn(template)]
  const found = texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, inner = '']) => inner.trim()))
  if (found.length > MAX_PLACEHOLDERS) {
    return `must have at most ${String(MAX_PLACEHOLDERS)} placeholders`
  }
  const open = texts.find((text) => text.replaceAll(PLACEHOLDER, '').includes('{{'))
  if (open !== undefined) {
    return 'must close each {{ with }}, with an expression of at most 200 characters between them'
  }
  for (const expression of found) {
    const problem = expressionProblem(expression, pathParams)
    if (problem !== null) return problem
  }
  return null
}

function expressionProblem(expression: string, pathParams: readonly string[]): string | null {
  const named = partAndName(expression)
  if (!named) {
    if ((PLAIN as readonly string[]).includes(expression)) return null
    return `has the unknown placeholder {{${expression}}}; ${advice(expression)}`
  }
  const [part, name] = named
  const isCredential =
    part === 'body' ? name.split('.').some(isSecret) : part !== 'pathParams' && isHidden(name)
  if (isCredential) return `has the placeholder {{${expression}}}; templates cannot read credentials`
  if (part !== 'pathParams' || pathParams.includes(name)) return null
  const nearest = nearestName(name, pathParams)
  const known = pathParams.length === 0 ? 'none' : pathParams.join(', ')
  return `has the unknown placeholder {{${expression}}}; ${
    nearest === null ? `the path parameters are: ${known}` : `did you mean {{request.pathParams.${nearest}}}?`
  }`
}

function advice(expression: string): string {
  const [one = '', two, ...rest] = expression.split('.')
  const nearest = nearestName(two === undefined ? one : `${one}.${two}`, [...PLAIN, ...NAMED.map(ofRequest)])
  if (nearest === null)
    return `use ${[...PLAIN, ...NAMED.map((part) => `${ofRequest(part)}.NAME`)].join(', ')}`
  const hasName = isNamed(nearest.slice(ofRequest('').length))
  const name = rest.length > 0 ? `.${rest.join('.')}` : nearest === 'request.body' ? '' : '.NAME'
  return `did you mean {{${nearest}${hasName ? name : ''}}}?`
}

function* textsIn(value: unknown): Generator<string, void> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* textsIn(each)
}

// ---------------------------------------------------------------- filling

/** Returns the fault with its placeholders filled. Throws a refusal if the answer would be too long. */
export function filledFault(fault: Hit, call: TemplateCall, workspace: Workspace): Hit {
  if (fault.template !== true) return fault
  const filling = new Filling(fault.id, call, workspace)
  const { body, headers } = fault
  return {
    ...fault,
    ...(body !== undefined && { body: filling.value(body) }),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, headerOf(filling.text(value))]),
      ),
    }),
  }
}

/** Replaces characters that a header cannot have, such as line breaks. */
const headerOf = (text: string): string => text.replaceAll(/[^\x20-\x7E]/g, '?').slice(0, MAX_HEADER)

class Filling {
  readonly #faultId: string
  readonly #call: TemplateCall
  readonly #workspace: Workspace
  #left = MAX_FILLED

  constructor(faultId: string, call: TemplateCall, workspace: Workspace) {
    this.#faultId = faultId
    this.#call = call
    this.#workspace = workspace
  }

  value(template: unknown): unknown {
    if (typeof template === 'string') {
      const [, whole] = WHOLE.exec(template) ?? []
      return whole === undefined ? this.text(template) : (this.#valueOf(whole) ?? null)
    }
    if (Array.isArray(template)) return template.map((item) => this.value(item))
    if (typeof template !== 'object' || template === null) return template
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, this.value(value)]))
  }

  text(template: string): string {
    return template.replaceAll(PLACEHOLDER, (_braces, expression: string) =>
      textOf(this.#valueOf(expression)),
    )
  }

  /** Returns the value of an expression; undefined if the call has none. */
  #valueOf(sent: string): unknown {
    const expression = sent.trim()
    const named = partAndName(expression)
    const value = named
      ? withoutSecrets(
          valueAt(this.#call[named[0]], named[0] === 'body' ? named[1].split('.') : [nameIn(...named)]),
        )
      : this.#plain(expression)
    this.#left -= textOf(value).length
    if (this.#left < 0) {
      throw new Refusal(
        'too_large',
        `The values in the template of ${this.#faultId} have more than ${MAX_FILLED.toLocaleString('en')} characters.`,
      )
    }
    return value
  }

  #plain(expression: string): unknown {
    const { ids } = this.#workspace
    switch (expression) {
      case 'request.method':
        return this.#call.method
      case 'request.path':
        return this.#call.path
      case 'request.body':
        return withoutSecrets(this.#call.body)
      case 'now':
        return iso(this.#workspace.now())
      case 'id':
        return this.#workspace.write(() => ids.nano('fault'))
      default:
        return this.#workspace.write(() => ids.uuid('fault'))
    }
  }
}

/** Names of headers are in lower case. */
const nameIn = (part: string, name: string): string => (part === 'headers' ? name.toLowerCase() : name)

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found: unknown = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    if (Array.isArray(found) && name === 'length') return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** Returns a value of the call without its credentials; a file becomes its name, type and size. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(uploadFacts(value) ?? value).filter(([name]) => !isSecret(name))
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSecrets(member)]))
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
