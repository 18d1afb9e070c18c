/** The company's year in the CRM: contacts, won and lost deals, and its automations. */
import type { Random } from './random.ts'
import { people, type KnownPerson } from './people.ts'
import { DAY, HOUR, type Simulation } from './simulation.ts'

interface Stage {
  readonly id: string
}
interface Pipeline {
  readonly id: string
  readonly stages: readonly Stage[]
}
interface Made<Item> {
  readonly data: Item
}

interface Task {
  readonly id: string
  readonly due_at: string | null
  readonly completed: boolean
}

const OWNERS = ['1', '2', '3', '4'].map((number) => `demo-user-0000000000${number}`)

const SALES = { id: 'pipe_demo0000000000000001', stages: stagesOf(1, 5) }
const SERVICES = { id: 'pipe_demo0000000000000002', stages: stagesOf(6, 9) }
/** The day of the simulation on which the company introduces these two pipelines. */
const REORGANISED = 200

function stagesOf(first: number, last: number): Stage[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    id: `stage_demo00000000000000${String(first + index).padStart(2, '0')}`,
  }))
}

const THINGS = [
  'Desks',
  'Chairs',
  'Shelves',
  'Meeting tables',
  'Acoustic panels',
  'Lockers',
  'Reception',
  'Canteen',
]
const PLACES = [
  'of the new office',
  'for the second floor',
  'of the library',
  'for twenty people',
  'of the branch',
  'for the move',
]
const WON = ['Best delivery date', 'Price', 'Known from an earlier order', 'Quality of the samples']
const LOST = ['Price', 'No budget this year', 'Bought elsewhere', 'Delivery takes too long']

export const CONTACTS = 108
export const DEALS = 46

/** The contacts and deals created so far, oldest first. */
export interface Business {
  readonly contacts: { readonly id: string; readonly person: KnownPerson }[]
  readonly deals: string[]
}

export function planSales(simulation: Simulation, chance: Random, days: number): Business {
  const start = simulation.now
  const business: Business = { contacts: [], deals: [] }
  const workingTime = (day: number): number => {
    const instant = start + day * DAY
    const weekday = new Date(instant).getUTCDay()
    const onMonday = weekday === 6 ? 2 : weekday === 0 ? 1 : 0
    return instant + onMonday * DAY + 13 * HOUR + chance.between(0, 8 * 60) * 60_000
  }
  let projects: Pipeline = SALES
  simulation.at(start, async () => {
    projects = await ask<Pipeline>('POST', '/pipelines', {
      name: 'Projects',
      stages: [
        { name: 'Enquiry', probability: 10 },
        { name: 'Site visit', probability: 30 },
        { name: 'Design', probability: 50 },
        { name: 'Quotation', probability: 70 },
        { name: 'Contract', probability: 90 },
      ],
    })
    for (const automation of AUTOMATIONS) await ask('POST', '/automations', automation)
  })
  for (const [index, person] of people(chance, CONTACTS).entries()) {
    simulation.at(workingTime(1 + Math.floor((index * (days - 4)) / CONTACTS)), async () => {
      const { currency: _currency, ...fields } = person
      const { id } = await ask<{ id: string }>('POST', '/contacts', fields)
      business.contacts.push({ id, person })
    })
  }
  for (let index = 0; index < DEALS; index++) {
    const day = 6 + Math.floor((index * (days - 14)) / DEALS)
    planDeal(day)
  }
  for (let day = 10; day < days - 3; day += 4) planActivity(day)
  for (let day = 14; day < days; day += 14) simulation.at(workingTime(day), doTasks)
  return business

  /** Completes most of the due tasks; some stay overdue. */
  async function doTasks(): Promise<void> {
    const { data } = await simulation.request<Made<Task[]>>(
      'crm',
      'GET',
      '/activities?type=task&per_page=100',
    )
    for (const { id, due_at: due, completed } of data) {
      if (!completed && due !== null && Date.parse(due) < simulation.now && chance.happens(0.9))
        await ask('PATCH', `/activities/${id}`, { completed: true })
    }
  }

  async function ask<Item>(
    method: 'POST' | 'PATCH',
    path: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<Item> {
    const answer = await simulation.request<Made<Item> & Item>('crm', method, path, body)
    return answer.data ?? answer
  }

  function planDeal(day: number): void {
    const made = workingTime(day)
    const isOld = days - day > 60
    const fate = chance.next()
    const outcome = fate < (isOld ? 0.52 : 0.1) ? 'won' : fate < (isOld ? 0.86 : 0.2) ? 'lost' : 'open'
    const stays = outcome === 'won' ? 5 : chance.between(1, 4)
    const value = chance.between(12, 480) * 100 + chance.pick([0, 0, 50, 90.5])
    simulation.at(made, async () => {
      const contact = chance.pick(business.contacts.slice(-25))
      const pipeline = day < REORGANISED ? projects : chance.happens(0.75) ? SALES : SERVICES
      const currency = chance.happens(0.5) ? contact.person.currency : 'USD'
      const inOthers = currency === 'COP' ? 4000 : currency === 'MXN' ? 18 : 1
      const { id } = await ask<{ id: string }>('POST', '/deals', {
        name: `${chance.pick(THINGS)} ${chance.pick(PLACES)}`,
        contact_id: contact.id,
        pipeline_id: pipeline.id,
        value: Math.round(value * inOthers * 100) / 100,
        currency,
        // Some deals stay open long after this date.
        expected_close_date: new Date(made + chance.between(35, 80) * DAY).toISOString().slice(0, 10),
        owner_id: chance.pick(OWNERS),
        custom_fields: { floors: chance.between(1, 4) },
      })
      business.deals.push(id)
      let when = made
      for (const stage of pipeline.stages.slice(1, stays)) {
        when += chance.between(3, 12) * DAY + chance.between(0, 5) * HOUR
        simulation.at(when, () =>
          ask('POST', `/deals/${id}/move`, { stage_id: stage.id, reason: 'Agreed on the telephone' }),
        )
      }
      when += chance.between(2, 10) * DAY
      if (outcome === 'won')
        simulation.at(when, () => ask('POST', `/deals/${id}/won`, { reason: chance.pick(WON) }))
      if (outcome === 'lost')
        simulation.at(when, () =>
          ask('POST', `/deals/${id}/lost`, { reason: chance.pick(LOST), competitor: 'Another dealer' }),
        )
    })
  }

  /** Plans a call, meeting or note, mostly for a deal; calls and meetings are completed or still planned. */
  function planActivity(day: number): void {
    const when = workingTime(day)
    simulation.at(when, async () => {
      const type = chance.pick(['call', 'call', 'meeting', 'email', 'note'])
      const deal = chance.happens(0.75) ? business.deals.at(-chance.between(1, 8)) : undefined
      const { id } = await ask<{ id: string }>('POST', '/activities', {
        type,
        subject: {
          call: 'Call about the offer',
          meeting: 'Visit with samples',
          email: 'Sent the price list',
          note: 'Asked for oak',
        }[type],
        ...(deal === undefined ? { contact_id: chance.pick(business.contacts).id } : { deal_id: deal }),
        owner_id: chance.pick(OWNERS),
        ...(type === 'call' && { duration_minutes: chance.between(1, 9) * 5 }),
        ...(type === 'meeting' && { due_at: new Date(when + 5 * DAY).toISOString() }),
      })
      if (chance.happens(0.85)) {
        simulation.at(when + (type === 'meeting' ? 5 * DAY : HOUR), () =>
          ask('PATCH', `/activities/${id}`, { completed: true }),
        )
      }
    })
  }
}

const email = (template: number, to = '{{contact.email}}', delayHours = 0) => ({
  type: 'send_email',
  config: {
    template_id: `tpl_demo000000000000000${String(template)}`,
    to,
    ...(delayHours > 0 && { delay_hours: delayHours }),
  },
})

const AUTOMATIONS = [
  {
    name: 'Welcome a new contact, and ask again after a month',
    type: 'sequence',
    // Without car dealers, no wait ends in the week for which the demo is written: a job that runs while the demo is loaded
    // would give each copy another id.
    trigger: {
      event: 'contact.created',
      conditions: [{ field: 'contact.vertical', operator: 'not_equals', value: 'automotive' }],
    },
    actions: [
      email(1),
      {
        type: 'create_task',
        config: {
          title: 'Call {{contact.name}} after a month',
          due_in_hours: 48,
          assign_to: OWNERS[1],
          delay_hours: 720,
        },
      },
    ],
  },
  {
    name: 'Confirm an order and plan its delivery',
    trigger: { event: 'deal.won' },
    actions: [
      {
        type: 'create_task',
        config: { title: 'Plan the delivery of {{deal.name}}', due_in_hours: 72, assign_to: OWNERS[2] },
      },
      email(2),
    ],
  },
  {
    name: 'Very large deals go round the sales team',
    trigger: {
      event: 'deal.created',
      conditions: [{ field: 'deal.value', operator: 'greater_than', value: 30000 }],
    },
    actions: [
      { type: 'assign_owner', config: { strategy: 'round_robin', team_id: 'team_demo0000000000000001' } },
    ],
  },
  {
    name: 'Ask why a deal was lost, by e-mail',
    trigger: { event: 'deal.lost' },
    actions: [email(3)],
  },
]
