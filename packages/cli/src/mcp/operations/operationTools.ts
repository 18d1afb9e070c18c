/** The tools that find, describe and call operations. */
import type { LongAnswers } from '../shared/answers.ts'
import {
  closedSchema,
  fieldsOfForm,
  isFile,
  resolved,
  withoutExtensions,
  type Content,
  type Document,
  type Schema,
} from '../shared/document.ts'
import { CONTROL, hasControl, isControl } from '../shared/interfaces.ts'
import { inputSchemaOf, parameterSchema, type Args, type Tool, type ToolAnswer } from '../shared/tools.ts'
import { answerOf, MAX_RESPONSE_BYTES, type Hint } from './answering.ts'
import { describeOperation, describeSchema } from './describing.ts'
import { contentOf, MULTIPART, parametersIn, type InterfaceOperation, type Operations } from './operations.ts'
import {
  controlRequestOf,
  requestOf,
  type CallArguments,
  type CallRequest,
  type ControlRequest,
} from './requests.ts'
import { DEFAULT_FOUND, MAX_FOUND, MAX_WORDS, nearestWords, searchOperations } from './searching.ts'

/** The calls of a session. */
export interface OperationCalls {
  /** The only workspace of the session; null if each call chooses one. */
  readonly workspace: string | null
  /** The workspace of calls that choose none. */
  readonly defaultWorkspace: string
  /** The name of the session in the journal. */
  readonly caller: () => string
  /** Returns the key of the session in a workspace. */
  readonly keyOf: (workspace: string) => Promise<string>
  /** Returns another key if the server no longer has this one; otherwise null. */
  readonly renew: (workspace: string, key: string) => Promise<string | null>
  readonly send: (request: CallRequest) => Promise<Response>
  /** Calls the control plane, with its credential. */
  readonly control: (request: ControlRequest) => Promise<{ readonly status: number; readonly text: string }>
  /** Returns the hints about a call by its X-Request-Id; null if the session does not show them. */
  readonly hintsOf: ((workspace: string, requestId: string) => Promise<readonly Hint[]>) | null
}

/** The characters of schemas that the description of one tool has. */
const MAX_SCHEMA = 20_000

const FILES = {
  type: 'object',
  description:
    'The files by the name of their field: {"file": {"base64": "...", "filename": "a.png", "contentType": "image/png"}}. Use text in place of base64 for text. A list is several files. At most 16 MiB.',
}

/** Returns the three tools that reach every operation. */
export function searchTools(operations: Operations, calls: OperationCalls, answers: LongAnswers): Tool[] {
  const isSteering = hasControl(operations.interfaces)
  const { isReadOnly } = operations.scope
  const of = {
    type: 'string',
    enum: operations.interfaces.map(({ name }) => name),
    description: 'The name of the interface.',
  }
  const operation = { type: 'string', description: 'The name of the operation, from search_operations.' }
  return [
    {
      name: 'search_operations',
      description: `Find operations${isSteering ? ' of the interfaces, and of control, the control plane of the simulator,' : ' of the interfaces'} by words, best first, at most ${String(MAX_FOUND)} at once. Without words, list all.`,
      inputSchema: inputSchemaOf({
        words: {
          type: 'string',
          maxLength: MAX_WORDS,
          description: `Such as "refund a payment"${isSteering ? ' or "move time forward"' : ''}.`,
        },
        interface: of,
        limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND, default: DEFAULT_FOUND },
        offset: { type: 'integer', minimum: 0, default: 0 },
      }),
      isReading: true,
      run: async (args) => ({ texts: answers.open(JSON.stringify(await found(operations, args))) }),
    },
    {
      name: 'describe_operation',
      description:
        'Describe one operation: parameters, body, answers, refusals, scopes, fidelity, and an example for call_operation. With schema in place of operation, describe a schema that a description left out.',
      inputSchema: inputSchemaOf(
        { interface: of, operation, schema: { type: 'string', description: 'The name of a schema.' } },
        ['interface'],
      ),
      isReading: true,
      run: async (args) => ({ texts: answers.open(JSON.stringify(await described(operations, args))) }),
    },
    {
      name: 'call_operation',
      description: `Call an operation${isReadOnly ? ' (GET only)' : ''}. Returns the status with headers, and the body${isSteering ? '; of control only the body' : ''}. A refusal is an error with the body of the interface. A file is returned as base64, at most ${String(MAX_RESPONSE_BYTES)} bytes.`,
      inputSchema: inputSchemaOf(
        {
          interface: of,
          operation,
          path: { type: 'object', description: 'The parameters in the path: {"id": "..."}.' },
          query: { type: 'object', description: 'The parameters in the query. A list repeats its name.' },
          body: { description: 'The JSON body, or the fields of a form.' },
          headers: {
            type: 'object',
            description: 'More headers. The session sets the credential.',
            additionalProperties: { type: 'string' },
          },
          files: FILES,
          ...workspaceArgument(calls),
        },
        ['interface', 'operation'],
      ),
      isReading: isReadOnly,
      run: async (args) => {
        const { interface: name, operation: id, workspace, ...rest } = args
        return callOperation(await operations.get(name, id), callArguments(rest), {
          calls,
          answers,
          workspace,
        })
      },
    },
  ]
}

/** Returns the tool of one operation: "payments_createPaymentLink", or "advanceClock" of the control plane. */
export function operationTool(
  operation: InterfaceOperation,
  calls: OperationCalls,
  answers: LongAnswers,
): Tool {
  const { document, name, isReading, operation: own } = operation
  const { summary = name, description } = own
  const inPath = parametersIn(operation, 'path').map((parameter) => parameter.name)
  const placed = (['path', 'query'] as const).flatMap((place) =>
    parametersIn(operation, place).map((parameter) => ({
      place,
      parameter,
      argument:
        place === 'query' && inPath.includes(parameter.name)
          ? `query_${parameter.name}`
          : argumentName(parameter.name),
    })),
  )
  const json = contentOf(operation, 'application/json')
  const form = contentOf(operation, MULTIPART)
  const fields = form ? fieldsOfForm(document, form) : {}
  const body = json?.schema ?? (form && textFields(fields))
  const isBodyRequired = own.requestBody?.required === true && json !== undefined
  const properties = {
    ...Object.fromEntries(
      placed.map(({ parameter, argument }) => [argument, parameterSchema(document, parameter)]),
    ),
    ...(body && { body: withoutExtensions(closedSchema(document, body, MAX_SCHEMA)) }),
    ...(form && { files: filesOf(fields) }),
    ...(isControl(operation) ? {} : workspaceArgument(calls)),
  }
  const required = placed
    .filter(({ parameter }) => parameter.required === true)
    .map(({ argument }) => argument)
  return {
    name: toolName(operation),
    description: [isControl(operation) ? summary : `${operation.of.title}: ${summary}`, description]
      .filter((text) => text !== undefined)
      .join('. '),
    inputSchema: inputSchemaOf(withoutExtensions(properties) as Schema, [
      ...required,
      ...(isBodyRequired ? ['body'] : []),
      ...(form && !json && requiredIn(document, form).some((each) => isFile(fields[each])) ? ['files'] : []),
    ]),
    isReading,
    run: (args) => {
      const valuesIn = (wanted: 'path' | 'query'): Schema =>
        Object.fromEntries(
          placed
            .filter(({ place, argument }) => place === wanted && args[argument] !== undefined)
            .map(({ parameter, argument }) => [parameter.name, args[argument]]),
        )
      const { files, workspace } = args
      // A query can have a parameter of that name.
      const sent = body ? { body: args['body'] } : {}
      const parts = callArguments({ path: valuesIn('path'), query: valuesIn('query'), ...sent, files })
      return callOperation(operation, parts, { calls, answers, workspace })
    },
  }
}

/** Clients accept names of letters, digits, - and _ with at most 64 characters. */
export const toolName = (operation: InterfaceOperation): string =>
  isControl(operation)
    ? operation.name
    : `${operation.of.name}_${operation.name}`.replaceAll(/[^\w-]/g, '_').slice(0, 64)

/** Clients accept names of arguments without brackets: "labels[]" is labels. */
const argumentName = (name: string): string => name.replaceAll(/[^\w.-]/g, '')

const requiredIn = (document: Document, { schema = {} }: Content): readonly string[] =>
  (resolved(document, schema) as { required?: readonly string[] }).required ?? []

const filesOf = (fields: Readonly<Record<string, Schema>>): Schema => ({
  ...FILES,
  properties: Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      isFile(field) ? [[argumentName(name), { description: field['description'] ?? 'A file.' }]] : [],
    ),
  ),
})

const textFields = (fields: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  description: 'The fields of the form that are no files.',
  properties: Object.fromEntries(Object.entries(fields).filter(([, field]) => !isFile(field))),
})

const workspaceArgument = ({ workspace, defaultWorkspace }: OperationCalls): Schema =>
  workspace === null
    ? {
        workspace: {
          type: 'string',
          default: defaultWorkspace,
          description:
            'The id of the workspace. The session makes a key for it. Calls of control have no default.',
        },
      }
    : {}

function callArguments({ path, query, body, headers, files }: Args): CallArguments {
  return {
    ...objectArgument('path', path),
    ...objectArgument('query', query),
    ...objectArgument('headers', headers),
    ...objectArgument('files', files),
    ...(body !== undefined && { body }),
  }
}

function objectArgument(name: string, value: unknown): object {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { [name]: value }
  throw new Error(`${name} must be an object`)
}

interface Calling {
  readonly calls: OperationCalls
  readonly answers: LongAnswers
  readonly workspace: unknown
}

async function callOperation(
  operation: InterfaceOperation,
  args: CallArguments,
  { calls, answers, workspace: chosen }: Calling,
): Promise<ToolAnswer> {
  if (isControl(operation)) {
    const { status, text } = await calls.control(
      controlRequestOf(operation, inWorkspace(operation, args, chosen)),
    )
    return {
      texts: text === '' ? [`done (${String(status)})`] : answers.open(text),
      isError: status >= 400,
    }
  }
  const workspace = calls.workspace ?? chosen ?? calls.defaultWorkspace
  if (typeof workspace !== 'string') throw new Error('workspace must be the id of a workspace')
  const name = calls.caller()
  const key = await calls.keyOf(workspace)
  const send = (sent: string): Promise<Response> =>
    calls.send(requestOf(operation, args, { name, workspace, key: sent }))
  let response = await send(key)
  const renewed = response.status === 401 ? await calls.renew(workspace, key) : null
  if (renewed !== null) {
    await response.body?.cancel()
    response = await send(renewed)
  }
  const id = response.headers.get('x-request-id') ?? ''
  const hints = calls.hintsOf && /^req_\d+$/.test(id) ? await calls.hintsOf(workspace, id) : []
  return answerOf(response, answers, hints)
}

/** Returns the arguments with the chosen workspace as that of the path, which has no default. */
function inWorkspace(operation: InterfaceOperation, args: CallArguments, chosen: unknown): CallArguments {
  const { name, template, bound } = operation
  const isOfWorkspace = template.startsWith(`${CONTROL.basePath}/workspaces/{id}`)
  const { id = chosen } = args.path ?? {}
  if (isOfWorkspace && id === undefined && !bound) throw new Error(`${name} must have a workspace`)
  if (chosen === undefined) return args
  if (!isOfWorkspace) throw new Error(`${name} takes no workspace`)
  if (id !== chosen) throw new Error('workspace must be path.id, or be left out')
  return { ...args, path: { ...args.path, id } }
}

async function found(operations: Operations, args: Args): Promise<object> {
  const { words = '', interface: of, limit = DEFAULT_FOUND, offset = 0 } = args
  if (typeof words !== 'string' || words.length > MAX_WORDS) {
    throw new Error(`words must be a text with at most ${String(MAX_WORDS)} characters`)
  }
  const isWhole = (value: unknown, min: number, max: number): boolean =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
  if (!isWhole(limit, 1, MAX_FOUND)) {
    throw new Error(`limit must be a whole number from 1 to ${String(MAX_FOUND)}`)
  }
  if (!isWhole(offset, 0, 1_000_000)) throw new Error('offset must be a whole number from 0 to 1000000')
  const searched = of === undefined ? await operations.all() : await operations.ofInterface(of)
  const matching = searchOperations(searched, words)
  const end = Number(offset) + Number(limit)
  const nearest = matching.length === 0 ? nearestWords(searched, words) : []
  return {
    total: matching.length,
    data: matching.slice(Number(offset), end).map((each) => ({
      interface: each.of.name,
      operation: each.name,
      summary: each.operation.summary,
      method: each.method,
      path: each.template,
      scopes: each.operation['x-scope'] ?? [],
    })),
    ...(end < matching.length && {
      next: `search_operations ${JSON.stringify({ ...args, offset: end })}`,
    }),
    ...(nearest.length > 0 && { nearestWords: nearest }),
  }
}

async function described(
  operations: Operations,
  { interface: of, operation, schema }: Args,
): Promise<object> {
  if ((operation === undefined) === (schema === undefined)) {
    throw new Error('describe_operation must have either operation or schema')
  }
  if (operation !== undefined) return describeOperation(await operations.get(of, operation))
  const [first] = await operations.ofInterface(of)
  if (!first) throw new Error(`${String(of)} has no operations in this session`)
  return describeSchema(first.of.name, first.document, String(schema))
}
