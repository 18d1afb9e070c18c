/** Walks a plan: sends its steps as a client does, so that validation, journal, events and webhooks are those of calls. */
import type { InjectOptions } from 'fastify'
import { CALLER_HEADER, REACH_CALLER } from '@suite-sim/kit/calls/callerName'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { unknownFields } from '../../../http/schemas/walkFields.ts'
import { refuse } from '../../../state/model/refusal.ts'
import type { SentValue } from '../../../state/model/ways.ts'
import { timelineOf } from '../../../state/timeline/timelines.ts'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import type { ControlContext } from '../../shared/context.ts'
import { codeOf, type Code } from './code.ts'
import { messageOf, type Message } from './messages.ts'
import type { Plan } from './plan.ts'
import { plain, referencesIn, resolved, resolvedText, type Reference } from './references.ts'

interface WayStep extends Code {
  readonly kind: Message['kind']
  readonly title: string
}

interface Walked {
  readonly way: WayStep[]
  /** The id of the record in its section; undefined if the steps made none. */
  readonly id: string | undefined
  /** The response of the get operation; undefined if the record has none. */
  readonly read: unknown
}

/** Walks the plan. Refuses with the answer of the first step that fails. */
export async function walk(
  context: ControlContext,
  workspace: Workspace,
  section: string,
  { steps, made, get }: Plan,
  authorization: string | undefined,
): Promise<Walked> {
  const key = keyOf(context, workspace)
  const { id, tenantId: accountId } = workspace
  const answers = new Map<string, unknown>([['workspace', { id, accountId }]])
  const send = async (message: Message): Promise<unknown> => {
    const { statusCode, payload } = await context.send(
      message.to,
      await requestOf(message, answers, key, authorization),
    )
    if (statusCode >= 400)
      refuse('no_way', `${message.title} It was answered ${String(statusCode)}: ${payload.slice(0, 500)}`)
    return payload === '' ? undefined : JSON.parse(payload)
  }

  const messages: Message[] = []
  for (const step of steps) messages.push(await messageOf(context, step))
  for (const message of messages) if (message.step === made) mustKnowFields(message)
  let created: string | undefined
  for (const message of messages) {
    const before = timelineOf(workspace).last
    answers.set(message.step.as, await send(message))
    if (message.step === made)
      created = timelineOf(workspace)
        .steps()
        .find(({ number, moved }) => number > before && moved?.section === section && moved.from === null)
        ?.moved?.record
  }
  const reading = get && (await messageOf(context, { ...made, call: get }))
  return {
    id: created,
    way: messages.map((message, index) => ({
      kind: message.kind,
      title: message.title,
      ...codeOf(message, usedOf(message, messages.slice(index + 1)), answers),
    })),
    read: reading && (await send(reading)),
  }
}

/** Refuses a field that the call or trigger would ignore. */
function mustKnowFields({ title, schema = {}, body }: Message): void {
  const [unknown] = unknownFields(schema, body)
  if (!unknown) return
  const { field, known } = unknown
  const near = nearestName(field.slice(field.lastIndexOf('.') + 1), known)
  const others = known.length === 0 ? 'it has none' : `use one of ${known.join(', ')}`
  refuse('no_way', `${title} It has no field ${field}; ${near === null ? others : `did you mean ${near}?`}`)
}

/** Returns what later messages take from the answer to a message. */
function usedOf({ step: { as } }: Message, later: readonly Message[]): Reference[] {
  const all = later
    .flatMap(({ url, body = {} }) => referencesIn([url, body]))
    .filter(({ name }) => name === as)
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
}

/** Returns the first key that may make all calls. */
function keyOf({ workspaces: { keys } }: ControlContext, workspace: Workspace): string {
  const isOpen = (list: readonly string[]): boolean => list.includes('*')
  const found = keys
    .of(workspace)
    .find(
      ({ scopes, interfaces, expiresAt }) =>
        isOpen(scopes) && isOpen(interfaces) && (expiresAt === null || expiresAt > workspace.now()),
    )
  return (
    found?.key ??
    refuse(
      'no_way',
      'The calls need a key with all scopes for all interfaces. POST /_sim/workspaces/{id}/keys creates one.',
    )
  )
}

async function requestOf(
  { method, url, header, body, step: { csv } }: Message,
  answers: ReadonlyMap<string, unknown>,
  key: string,
  authorization: string | undefined,
): Promise<InjectOptions> {
  const credential = header === null ? authorization : header === 'authorization' ? `Bearer ${key}` : key
  const sent = resolved(body ?? null, answers)
  const content = csv === undefined ? null : await formOf(csv, sent)
  return {
    method,
    url: resolvedText(url, answers),
    headers: {
      [CALLER_HEADER]: REACH_CALLER,
      ...(credential !== undefined && { [header ?? 'authorization']: credential }),
      ...(body && { 'content-type': content?.type ?? 'application/json' }),
    },
    ...(body && { payload: content?.bytes ?? JSON.stringify(sent) }),
  }
}

async function formOf(csv: string, fields: SentValue): Promise<{ bytes: Buffer; type: string }> {
  const form = new FormData()
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'reach.csv')
  for (const [name, value] of Object.entries(fields ?? {})) form.append(name, plain(value))
  const response = new Response(form)
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get('content-type') ?? '',
  }
}
