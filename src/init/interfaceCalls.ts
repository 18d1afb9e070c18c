/** Calls of interfaces in files: `crm POST /contacts: {name: Ana}`. Later entries can use their answers. */
import { CALLER_HEADER, INIT_CALLER } from '@suite-sim/kit/calls/callerName'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import type { App } from '../app.ts'
import { headerOf } from '../http/lifecycle/credentials.ts'
import type { Answers } from './answers.ts'
import { failed, fieldIn, titleOf } from './errors.ts'
import type { InitStep } from './steps.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

const CALL = /^([a-z-]+) ([A-Z]+) (\/\S*)$/
const NAME = /^[A-Za-z]\w*$/

/** Sends the call of a step like a client with this key. Throws an InitError if it is refused. */
export async function interfaceCall(
  { fastify, published }: Pick<App, 'fastify' | 'published'>,
  { key, answers }: { readonly key: string; readonly answers: Answers },
  step: InitStep,
): Promise<void> {
  const title = titleOf(step.entry)
  const { as, [title]: sent } = step.entry
  if (title === '') throw failed(step, 'it must have one call, such as "crm POST /contacts"')
  if (as !== undefined) mustBeNewName(step, as, answers)
  const [interfaceName, method, path] = partsOf(step, title)
  const { definition } = await published(interfaceName)
  const { basePath, dialect } = definition
  const { credential } = dialect
  const url = basePath + answers.fillPath(step, path)
  const body = answers.fill(step, sent, [title])
  const response = await fastify.inject({
    method,
    url,
    headers: {
      accept: 'application/json',
      [CALLER_HEADER]: INIT_CALLER,
      ...(credential.kind !== 'open' && {
        [headerOf(credential)]: credential.kind === 'bearer' ? `Bearer ${key}` : key,
      }),
      ...(body !== null && { 'content-type': 'application/json' }),
    },
    ...(body !== null && { payload: JSON.stringify(body) }),
  })
  const isJson = String(response.headers['content-type']).includes('json')
  const answer: unknown = isJson ? response.json() : response.body
  if (response.statusCode >= 400) {
    // Paths in files have no base path. A page has no message.
    const message = isJson
      ? messageIn(answer).replaceAll(`${basePath}/`, '/')
      : `There is no operation at ${path}.`
    throw failed(step, `${String(response.statusCode)} ${message}`, [title, ...fieldIn(body, message)])
  }
  if (typeof as === 'string') answers.set(as, answer)
}

function mustBeNewName(step: InitStep, as: unknown, answers: Answers): void {
  if (typeof as !== 'string' || !NAME.test(as)) {
    throw failed(step, 'as must be a name of letters, digits and underscores that starts with a letter', [
      'as',
    ])
  }
  if (answers.has(as)) throw failed(step, `as must be a name that no other answer of the file has`, ['as'])
}

function partsOf(step: InitStep, title: string): [InterfaceName, Method, string] {
  const [, wanted = '', sent = '', path = ''] = CALL.exec(title) ?? []
  if (path === '') {
    throw failed(step, 'it must be an interface, a method and a path, such as "crm POST /contacts"', [title])
  }
  const name = INTERFACE_NAMES.find((each) => each === wanted)
  const method = METHODS.find((each) => each === sent)
  if (name && method) return [name, method, path]
  if (name) throw failed(step, `${sent} must be one of ${METHODS.join(', ')}`, [title])
  const nearest = nearestName(wanted, INTERFACE_NAMES)
  const instead = nearest === null ? `use ${INTERFACE_NAMES.join(', ')}` : `did you mean ${nearest}?`
  throw failed(step, `${wanted} is not an interface; ${instead}`, [title])
}

/** Returns the message of an error body, in the format of any interface, in one line. */
function messageIn(answer: unknown): string {
  const { error, message } = (answer ?? {}) as { error?: { message?: unknown }; message?: unknown }
  const found = error?.message ?? message ?? answer
  return (typeof found === 'string' ? found : JSON.stringify(found)).replaceAll(/\s+/g, ' ')
}
