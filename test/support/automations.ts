/** A fresh app with running automations, a clock frozen at NOON, users, a team and templates. */
import type { Static } from '@sinclair/typebox'
import type { Activity } from '../../src/interfaces/crm/shapes/activities.ts'
import type { Automation, Execution } from '../../src/interfaces/crm/shapes/automations.ts'
import type { Contact } from '../../src/interfaces/crm/shapes/contacts.ts'
import type { Deal } from '../../src/interfaces/crm/shapes/deals.ts'
import { freshApp, type Call, type FreshApp } from './app.ts'

export const NOON = '2026-11-21T12:00:00.000Z'

export type AutomationBody = Static<typeof Automation.item>
export type ExecutionBody = Static<typeof Execution.item>
export type DealBody = Static<typeof Deal>
export type ContactBody = Static<typeof Contact.item>
export type ActivityBody = Static<typeof Activity.item>

export interface SentMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly interface: string
}

type Fields = Readonly<Record<string, unknown>>

/** Members of the team `sales`, in order. */
export const MEMBERS = ['user-bea', 'user-carl', 'user-dora'] as const

export interface Automated {
  readonly fresh: FreshApp
  readonly call: Call
  readonly pipeline: { readonly id: string; readonly stages: readonly { readonly id: string }[] }
  /** Fails if the response has another status. */
  readonly expect: (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    status: number,
    body?: Fields,
  ) => Promise<unknown>
  /** POST /automations; `fields` extend a name, the trigger deal.created and one task. */
  readonly automate: (fields?: Fields) => Promise<AutomationBody>
  readonly getAutomation: (id: string) => Promise<AutomationBody>
  /** Newest first. */
  readonly executions: (automation: { readonly id: string }) => Promise<ExecutionBody[]>
  /** POST /deals; `fields` extend a name and a pipeline. */
  readonly addDeal: (fields?: Fields) => Promise<DealBody>
  readonly getDeal: (id: string) => Promise<DealBody>
  readonly addContact: (fields?: Fields) => Promise<ContactBody>
  /** Newest first. */
  readonly tasks: () => Promise<ActivityBody[]>
  /** Newest first. */
  readonly emails: () => Promise<SentMail[]>
  /** Replaces the records of the CRM. */
  readonly load: (crm: Fields) => Promise<void>
  /** POST /_sim/workspaces/{id}/clock/advance */
  readonly advance: (duration: string) => Promise<void>
}

export const trigger = (event: string, ...conditions: Fields[]) => ({ event, conditions })

export const task = (config: Fields = {}) => ({
  type: 'create_task',
  config: { title: 'Call back', ...config },
})

export const assign = (config: Fields) => ({ type: 'assign_owner', config })

export const email = (config: Fields = {}) => ({
  type: 'send_email',
  config: { template_id: 'tpl_welcome', to: '{{contact.email}}', ...config },
})

export async function freshAutomations(): Promise<Automated> {
  const fresh = await freshApp()
  const call = fresh.at('crm')
  fresh.setClock(NOON)
  for (const id of MEMBERS) {
    const name = id.slice('user-'.length)
    fresh.workspace.addUser({ id, name, email: `${name}@example.com` })
  }
  const control = `/_sim/workspaces/${fresh.workspace.id}`

  const load = async (crm: Fields): Promise<void> => {
    const { body: snapshot } = await fresh.call('GET', `${control}/snapshot`)
    const answer = await fresh.call('PUT', `${control}/snapshot`, { body: { ...(snapshot as object), crm } })
    if (answer.status !== 204) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
  }
  await load(teamsAndTemplates)

  const expected: Automated['expect'] = async (method, path, status, body) => {
    const answer = await call(method, path, body && { body })
    if (answer.status !== status) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body
  }
  const data = async (path: string): Promise<unknown> =>
    ((await expected('GET', path, 200)) as { data: unknown }).data
  const stages = ['New', 'Offer', 'Contract'].map((name, index) => ({ name, probability: index * 40 }))
  const pipeline = (await expected('POST', '/pipelines', 201, {
    name: 'Sales',
    vertical: 'services',
    stages,
  })) as Automated['pipeline']

  return {
    fresh,
    call,
    pipeline,
    expect: expected,
    load,
    automate: async (fields) =>
      (await expected('POST', '/automations', 201, {
        name: 'Follow up',
        trigger: trigger('deal.created'),
        actions: [task()],
        ...fields,
      })) as AutomationBody,
    getAutomation: async (id) => (await expected('GET', `/automations/${id}`, 200)) as AutomationBody,
    executions: async ({ id }) => (await data(`/automations/${id}/executions`)) as ExecutionBody[],
    addDeal: async (fields) =>
      (await expected('POST', '/deals', 201, {
        name: 'Forty desks',
        pipeline_id: pipeline.id,
        ...fields,
      })) as DealBody,
    getDeal: async (id) => (await expected('GET', `/deals/${id}`, 200)) as DealBody,
    addContact: async (fields) =>
      (await expected('POST', '/contacts', 201, {
        name: 'Ana Castillo',
        email: 'ana@example.com',
        ...fields,
      })) as ContactBody,
    tasks: async () => (await data('/activities?type=task')) as ActivityBody[],
    emails: async () => {
      const { body } = await fresh.call('GET', `${control}/emails`)
      return (body as { data: SentMail[] }).data
    },
    advance: async (duration) => {
      const { status } = await fresh.call('POST', `${control}/clock/advance`, { body: { duration } })
      if (status !== 200) throw new Error(`answered ${String(status)}`)
    },
  }
}

const teamsAndTemplates = {
  teams: [
    { id: 'team_sales', name: 'Sales', members: MEMBERS, createdAt: NOON },
    { id: 'team_gone', name: 'Nobody is left', members: ['user-gone'], createdAt: NOON },
  ],
  templates: [
    {
      id: 'tpl_welcome',
      name: 'Welcome',
      subject: 'Welcome, {{contact.name}}',
      body: 'Dear {{ contact.name }}, your {{deal.name}} of {{deal.value}} {{deal.currency}}.{{nothing.here}}',
      createdAt: NOON,
    },
  ],
}
