/** The control plane in a session: its calls and its triggers as operations beside those of the interfaces. */
import type { LongAnswers } from './shared/answers.ts'
import type { Document, Operation, Schema } from './shared/document.ts'
import { inputSchemaOf, type Tool } from './shared/tools.ts'

export interface Trigger {
  readonly name: string
  readonly summary: string
  readonly body: Schema
  readonly result: Schema
  readonly fidelity: { readonly status: string; readonly why?: string }
}

export interface Control {
  /** The published document. */
  readonly document: Document
  readonly triggers: readonly Trigger[]
}

/** Calls that are not offered: streams do not end, and pages are for browsers. */
const EXCLUDED: readonly (string | undefined)[] = [
  'streamTimeline',
  'getDocsPage',
  'getDashboard',
  'receiveWebhook',
]

/** Words by which people look for a call, besides those of its description. */
export const WORDS: Readonly<Record<string, string>> = {
  createWorkspace: 'new fresh set up tenant sandbox environment test account start',
  deleteWorkspace: 'throw away drop',
  cloneWorkspace: 'copy duplicate',
  resetWorkspace: 'start over undo clean restore everything changes',
  createWorkspaceKey: 'api token credential',
  saveSnapshot: 'take checkpoint remember state',
  restoreSnapshot: 'undo go back changes',
  getDiff: 'compare difference before after',
  getClock: 'time date now today',
  setClock: 'time date travel freeze now',
  advanceClock:
    'move time forward travel skip jump ahead tomorrow wait later pass sleep days hours weeks months',
  listDue: 'time next background scheduled pending',
  createFault:
    'make simulate return next fail error outage down break slow timeout lose rate limit 429 500 503 webhook twice',
  createSubscription: 'webhook endpoint url register receive',
  listDeliveries: 'webhooks events sent send received retries',
  redeliver: 'resend retry webhook event',
  listInbox: 'received',
  listEmails: 'mail sent received',
  getEmail: 'mail read text',
  listRequests: 'api calls log history integration last made',
  getRequest: 'api call why refused error',
  listHints: 'api call why refused error wrong mistake ignored',
  listUnmatchedRequests: 'api call why refused 401 404 missing wrong key path',
  getTimeline: 'what happened history log events',
  listRecords: 'database rows data',
  getRecord: 'status moves',
  listMachines: 'which states transitions allowed status can have',
  getCoverage: 'endpoints tested used never',
  startRecording: 'record session capture calls',
  'conversations.message.receive': 'customer sends writes chat incoming',
  'payments.link.pay': 'customer pays paid card declined fail',
}

/** Returns the document of the calls that sessions offer, in which each trigger is an operation, too. */
export function offeredDocument({ document, triggers }: Control): Document {
  const paths = Object.entries(document.paths).flatMap(([path, operations]) => {
    const offered = Object.entries(operations)
      .filter(([, { operationId }]) => !EXCLUDED.includes(operationId))
      .map(([method, each]) => [method, { ...each, 'x-words': WORDS[each.operationId ?? ''] ?? '' }])
    const { post: pull } = operations
    if (pull?.operationId !== 'pullTrigger') return [[path, Object.fromEntries(offered)] as const]
    const pulls = triggers.map(
      (each) => [path.replace('{name}', each.name), { post: pullOf(pull, each) }] as const,
    )
    return [[path, { post: withNames(pull, triggers) }] as const, ...pulls]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

/** Adds the names of the triggers as an enum, so that models do not guess them. */
const withNames = ({ parameters = [], ...pull }: Operation, triggers: readonly Trigger[]): Operation => ({
  ...pull,
  parameters: parameters.map((each) =>
    'name' in each && each.name === 'name'
      ? {
          ...each,
          description: 'The name of the trigger, by which describe_operation returns the schema of its body.',
          schema: { type: 'string', enum: triggers.map(({ name }) => name) },
        }
      : each,
  ),
})

/** Returns the call that pulls one trigger. */
function pullOf(
  { parameters = [], responses = {}, ...pull }: Operation,
  { name, summary, body, result, fidelity }: Trigger,
): Operation {
  const { 200: _result, ...refusals } = responses
  return {
    operationId: name,
    summary,
    tags: pull.tags ?? [],
    'x-words': WORDS[name] ?? '',
    'x-fidelity': fidelity.status,
    ...(fidelity.why !== undefined && { 'x-fidelity-why': fidelity.why }),
    parameters: parameters.filter((each) => !('name' in each && each.name === 'name')),
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { 200: { content: { 'application/json': { schema: result } } }, ...refusals },
  }
}

export const DESCRIBE_TRIGGER = 'describeTrigger'

export function describeTriggerTool(triggers: readonly Trigger[], answers: LongAnswers): Tool {
  const names = triggers.map(({ name }) => name)
  return {
    name: DESCRIBE_TRIGGER,
    description: 'Describe one trigger, with the JSON Schemas of its body and its result',
    inputSchema: inputSchemaOf({ name: { type: 'string', enum: names } }, ['name']),
    isReading: true,
    run: ({ name }) => {
      const found = triggers.find((each) => each.name === name)
      if (!found)
        throw new Error(`There is no trigger ${String(name)}. The triggers are ${names.join(', ')}.`)
      return { texts: answers.open(JSON.stringify(found)) }
    },
  }
}
