/** Describes an operation from the OpenAPI document of its interface. */
import {
  fieldsOfForm,
  inline,
  isFile,
  resolved,
  withoutExtensions,
  type Document,
  type Parameter,
  type Response,
  type Schema,
} from '../shared/document.ts'
import { isControl } from '../shared/interfaces.ts'
import { contentOf, isOpen, MULTIPART, parametersIn, type InterfaceOperation } from './operations.ts'

/** The characters of referenced schemas in a description. Others are named in `schemas`. */
const MAX_INLINED = 12_000

/** Returns the description: how to call the operation, what it answers and why it refuses. */
export function describeOperation(each: InterfaceOperation): object {
  const { of, name, method, template, operation, document } = each
  const { summary, description, requestBody, responses = {} } = operation
  const left = new Set<string>()
  const inlined = { left: MAX_INLINED, leave: leaveIn(left) }
  const describe = (schema: unknown): unknown => withoutExtensions(inline(document, schema, inlined))
  const answers = Object.entries(responses).map(
    ([status, response]) => [status, resolved(document, response)] as const,
  )
  const parts = {
    interface: of.name,
    operation: name,
    summary,
    description,
    method,
    path: template,
    credential: isOpen(each) ? 'none' : isControl(each) ? 'set by the session' : 'the key of the session',
    scopes: operation['x-scope'] ?? [],
    fidelity: { level: operation['x-fidelity'], why: operation['x-fidelity-why'] },
    readings: operation['x-reading'],
    example: exampleOf(each),
    parameters: {
      path: parametersIn(each, 'path').map((one) => parameterOf(one, describe)),
      query: parametersIn(each, 'query').map((one) => parameterOf(one, describe)),
    },
    body: requestBody && {
      required: requestBody.required ?? false,
      ...Object.fromEntries(
        Object.entries(requestBody.content ?? {}).map(([type, { schema }]) => [type, describe(schema)]),
      ),
    },
    answers: Object.fromEntries(
      answers
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => [status, answerOf(response, describe)]),
    ),
    refusals: answers
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]) => refusalsOf(Number(status), response)),
  }
  return { ...parts, ...leftOut(of.name, left) }
}

/** Returns one schema of an interface. Throws if it has no schema with this name. */
export function describeSchema(of: string, document: Document, name: string): object {
  const schemas = document.components?.['schemas'] ?? {}
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (schema === undefined) throw new Error(`${of} has no schema ${JSON.stringify(name.slice(0, 100))}`)
  const left = new Set<string>()
  const inlined = { left: MAX_INLINED, leave: leaveIn(left) }
  return { schema: withoutExtensions(inline(document, schema, inlined)), ...leftOut(of, left) }
}

const leaveIn = (left: Set<string>) => (ref: string) => {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  left.add(name)
  return { $ref: name }
}

const leftOut = (of: string, left: ReadonlySet<string>): object =>
  left.size === 0
    ? {}
    : {
        schemas: {
          leftOut: [...left],
          next: `describe_operation ${JSON.stringify({ interface: of, schema: [...left][0] })}`,
        },
      }

const parameterOf = ({ name, required = false, description, schema }: Parameter, describe: Describe) => ({
  name,
  required,
  description,
  schema: describe(schema ?? {}),
})

type Describe = (schema: unknown) => unknown

const answerOf = ({ description, content = {} }: Response, describe: Describe) => ({
  description,
  ...Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, describe(schema ?? {})])),
})

function refusalsOf(status: number, { description, content = {} }: Response): object[] {
  const found = Object.values(content).flatMap(({ examples = {} }) =>
    Object.entries(examples).map(([reason, { summary, value }]) => ({
      status,
      reason,
      when: summary,
      body: value,
    })),
  )
  return found.length > 0 ? found : [{ status, when: description }]
}

/** Returns arguments of call_operation, from the examples of the document; values without an example are left out. */
export function exampleOf(each: InterfaceOperation): Schema {
  const { of, name } = each
  const path = examplesOf(parametersIn(each, 'path'))
  const query = examplesOf(parametersIn(each, 'query').filter(({ required }) => required === true))
  return {
    interface: of.name,
    operation: name,
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
    ...exampleBody(each),
  }
}

const examplesOf = (parameters: readonly Parameter[]): Schema =>
  Object.fromEntries(
    parameters.flatMap(({ name, schema }) => {
      const [example] = (schema?.['examples'] ?? []) as unknown[]
      return example === undefined ? [] : [[name, example]]
    }),
  )

function exampleBody(each: InterfaceOperation): Schema {
  const json = contentOf(each, 'application/json')
  if (json) return json.example === undefined ? {} : { body: withWorkspace(each, json.example) }
  const form = contentOf(each, MULTIPART)
  if (!form) return {}
  const properties = fieldsOfForm(each.document, form)
  const entries = Object.entries((form.example ?? {}) as Schema)
  const fields = entries.filter(([name]) => !isFile(properties[name]))
  const files = entries.filter(([name]) => isFile(properties[name]))
  return {
    ...(fields.length > 0 && { body: Object.fromEntries(fields) }),
    files: Object.fromEntries(files.map(([name, value]) => [name, { text: String(value), filename: name }])),
  }
}

/** The example of a session that is confined to one workspace has this one. */
const withWorkspace = ({ bound }: InterfaceOperation, example: unknown): unknown =>
  bound?.place === 'body' ? { ...(example as Schema), [bound.name]: bound.workspace } : example
