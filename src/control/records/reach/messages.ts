/** What the steps of a plan send. */
import { headerOf } from '../../../http/lifecycle/credentials.ts'
import type { SentFields } from '../../../state/model/ways.ts'
import type { ControlContext } from '../../shared/context.ts'
import type { PlannedStep } from './plan.ts'

/** A step as it is sent. Its texts have references. */
export interface Message {
  readonly step: PlannedStep
  readonly kind: 'call' | 'trigger' | 'clock'
  readonly title: string
  /** What takes it: an interface, or "control". */
  readonly to: string
  readonly method: string
  /** Below the base path. */
  readonly path: string
  readonly url: string
  /** The header with the key; null for the control plane. */
  readonly header: string | null
  readonly body?: SentFields
  /** The schema of the body. */
  readonly schema?: object
}

export async function messageOf(context: ControlContext, step: PlannedStep): Promise<Message> {
  const { call, trigger, clock, body = {} } = step
  if (call !== undefined) return callOf(context, step, call)
  const below = (method: string, path: string, title: string) => ({
    ...{ step, to: 'control', method, path, title, header: null },
    url: `/_sim/workspaces/{workspace.id}${path}`,
  })
  if (trigger !== undefined) {
    const { triggers = [] } = (await context.published(step.interface)).definition
    const { summary = '', body: schema = {} } = triggers.find(({ name }) => name === trigger) ?? {}
    return { ...below('POST', `/triggers/${trigger}`, summary), kind: 'trigger', body, schema }
  }
  if (clock === undefined) return { ...below('GET', '/clock', 'Read the clock.'), kind: 'clock' }
  const title = `Advance the clock by ${clock}. It is the clock of all records.`
  return { ...below('POST', '/clock/advance', title), kind: 'clock', body: { duration: clock } }
}

async function callOf(context: ControlContext, step: PlannedStep, call: string): Promise<Message> {
  const [method = '', path = ''] = call.split(' ')
  const { definition, routes } = await context.published(step.interface)
  const route = routes.find((each) => each.method === method && namelessOf(each.path) === namelessOf(path))
  if (!route) throw new Error(`${step.interface} has no operation ${call}`)
  const { credential } = definition.dialect
  return {
    ...{ step, kind: 'call', title: `${route.operation.summary}.`, to: step.interface, method, path },
    url: definition.basePath + path,
    header: credential.kind === 'open' ? null : headerOf(credential),
    schema: route.schema.body ?? {},
    ...(method !== 'GET' && method !== 'DELETE' && { body: step.body ?? {} }),
  }
}

/** Returns a path without the names of its parameters: "/accounts/{}/contacts". */
const namelessOf = (path: string): string => path.replaceAll(/\{[\w.]+\}/g, '{}')
