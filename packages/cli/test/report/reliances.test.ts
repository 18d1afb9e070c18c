/** Which assumptions a run relied on: all that were planted below it, and none of documented facts. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { SimulatorClient } from '@suite-sim/client/client'
import { receiveWebhooks } from '@suite-sim/library/index'
import { gatherFacts, interfaceIn, type Facts } from '../../src/report/facts.ts'
import { partOf } from '../../src/report/reliances.ts'
import { READINGS_OF_REFUSALS } from '../../src/report/reliances/refusals.ts'
import { freshWorkspace, sharedSimulator } from '../../../client/test/simulator.ts'

// Documents and facts of any depth, to plant labels in.
// oxlint-disable-next-line no-explicit-any
type Json = Record<string, any>

const simulator = (): Promise<SimulatorClient> => sharedSimulator()

const send = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Makes a link, lists links, and pays the link: calls of documented operations, a move and a delivery. */
async function documentedRun(): Promise<Facts> {
  await using workspace = await (await simulator()).workspaces.create({ fixtures: 'small' })
  const made = await workspace.fetch('payments', '/payment-links', send({ amount: 2550 }))
  const { data } = (await made.json()) as { data: { id: string } }
  await workspace.fetch('payments', '/payment-links?per_page=2')
  await workspace.trigger('payments.link.pay', { link_id: data.id })
  const facts = await gatherFacts(await simulator(), workspace.id)
  const [event] = facts.timeline.filter(({ kind }) => kind === 'event')
  const delivery = {
    ...{ id: 'delivered', subscriptionId: 's', interface: 'payments', event: 'payment.completed' },
    ...{ url: 'http://127.0.0.1:1/', createdAt: event?.at ?? '', status: 'delivered' as const },
    ...{ nextAttemptAt: null, payload: { event: 'payment.completed', data: { amount: 2550 } } },
    attempts: [{ at: event?.at ?? '', status: 200, durationMs: 1, error: null }],
  }
  const attempt = { id: 'dlv_99', at: delivery.createdAt, kind: 'delivery' as const, title: '' }
  return {
    ...facts,
    machines: facts.machines.map((machine) => ({
      ...machine,
      moves: machine.moves.map((move) => ({ ...move, fidelity: { status: 'documented' as const } })),
    })),
    timeline: [{ ...attempt, causedBy: event?.id ?? null, ref: delivery.id }, ...facts.timeline],
    deliveries: [delivery],
  }
}

let facts: Facts
let published: Json
beforeAll(async () => {
  facts = await documentedRun()
  published = await (await simulator()).openapi('payments')
  const { webhooks, components } = published
  const { post } = webhooks['payment.completed']
  delete post['x-reading']
  delete post.requestBody.content['application/json'].schema['x-fidelity']
  delete components.schemas.PaymentCompletedEventData['x-fidelity']
})

const assumed = (why: string) => ({ 'x-fidelity': 'assumed', 'x-fidelity-why': why })

interface Planted {
  /** What the question must be about. */
  readonly kind: string
  readonly place: string
  readonly plant: (document: Json, facts: Json) => void
}

/** Assumptions of every kind, each of which the run relies on. */
const PLANTED: readonly Planted[] = [
  {
    kind: 'status',
    place: 'POST /payment-links 201',
    plant: ({ paths }) =>
      Object.assign(paths['/payment-links'].post.responses['201'], assumed('Planted: a status.')),
  },
  {
    kind: 'response',
    place: 'GET /payment-links 200',
    plant: ({ paths }) =>
      Object.assign(
        paths['/payment-links'].get.responses['200'].content['application/json'].schema,
        assumed('Planted: a body.'),
      ),
  },
  {
    kind: 'field',
    place: 'LinkCreate.amount',
    plant: ({ components }) =>
      Object.assign(
        components.schemas.LinkCreate.properties.amount,
        assumed('Planted: a field that is sent.'),
      ),
  },
  {
    kind: 'field',
    place: 'Link.created_at',
    plant: ({ components }) =>
      Object.assign(components.schemas.Link.properties.created_at, assumed('Planted: a field that is read.')),
  },
  {
    kind: 'value',
    place: 'Link.status',
    plant: ({ components }) =>
      Object.assign(components.schemas.Link.properties.status, {
        'x-assumed-values': ['active'],
        'x-assumed-values-why': 'Planted: a value.',
      }),
  },
  {
    kind: 'parameter',
    place: 'GET /payment-links ?per_page',
    plant: ({ paths }) =>
      Object.assign(
        paths['/payment-links'].get.parameters.find(({ name }: Json) => name === 'per_page'),
        assumed('Planted: a parameter.'),
      ),
  },
  {
    kind: 'default',
    place: 'GET /payment-links ?page',
    plant: ({ paths }) =>
      Object.assign(paths['/payment-links'].get.parameters.find(({ name }: Json) => name === 'page').schema, {
        default: 1,
        'x-assumed-default': true,
      }),
  },
  {
    kind: 'event',
    place: 'payment.completed',
    plant: ({ webhooks }) => Object.assign(webhooks['payment.completed'].post, assumed('Planted: an event.')),
  },
  {
    kind: 'move',
    place: 'payments.link pay',
    plant: (_document, { machines }) => {
      const { moves } = machines.find(({ name }: Json) => name === 'payments.link')
      moves.find(({ name }: Json) => name === 'pay').fidelity = { status: 'assumed', why: 'Planted: a move.' }
    },
  },
  {
    kind: 'refusal',
    place: 'GET /payment-links 200',
    plant: (_document, { hints, calls }) => {
      const message = 'The specification does not fully show this refusal. Planted: a refusal.'
      hints.push({ code: 'assumed_refusal', message, count: 3, requests: [calls[0].id] })
    },
  },
  {
    kind: 'reading',
    place: 'payments.refund_event',
    plant: ({ paths }) =>
      Object.assign(paths['/payment-links'].post, { 'x-reading': ['payments.refund_event'] }),
  },
]

/** What a run relied on, with these assumptions planted. */
function reliedOn(planted: readonly Planted[]) {
  const document = structuredClone(published)
  const { interfaces: _interfaces, ...rest } = facts
  const copy = structuredClone(rest) as Json
  for (const { plant } of planted) plant(document, copy)
  const used = interfaceIn('payments', document as never, copy['machines'])
  return partOf({ ...(copy as typeof facts), interfaces: new Map([['payments', used]]) }).reliances
}

const named = ({ kind, place }: { readonly kind: string; readonly place: string }) => `${kind} ${place}`

describe('a run', () => {
  test('over documented facts relied on no assumption', () => {
    expect(reliedOn([]).map(named)).toEqual([])
  })

  test.each(PLANTED)('relied on the $kind $place that is planted, and on nothing else', (planted) => {
    expect(reliedOn([planted]).map(named)).toEqual([named(planted)])
  })

  test('relied on all that are planted', () => {
    // A label of the whole answer would cover the field and the value.
    const planted = PLANTED.filter(({ kind }) => kind !== 'response')
    const all = reliedOn(planted)
    expect(all.map(named).sort()).toEqual(planted.map(named).sort())
    expect(all.every(({ question }) => question.includes('?'))).toBe(true)
  })

  test('names its calls and triggers, and counts those that a hint does not name', () => {
    const [link, list] = facts.calls.toReversed()
    const relied = new Map(reliedOn(PLANTED).map((each) => [named(each), each]))
    expect(relied.get('status POST /payment-links 201')).toMatchObject({ count: 1, requests: [link?.id] })
    expect(relied.get('refusal GET /payment-links 200')).toMatchObject({ count: 3, requests: [list?.id] })
    const trigger = facts.timeline.find(({ kind }) => kind === 'trigger')?.id
    for (const name of ['move payments.link pay', 'event payment.completed'])
      expect(relied.get(name)).toMatchObject({ count: 1, requests: [trigger] })
  })

  test('did not rely on the refusals of calls that the simulator made itself', () => {
    const plant = (_document: Json, { hints, calls }: Json) => {
      const message = 'The specification does not fully show this refusal. Planted: a refusal.'
      calls[1].caller = { userId: null, name: 'reach' }
      const requests = calls.map(({ id }: Json) => id)
      hints.push({ code: 'assumed_refusal', message, count: 2, requests })
    }
    const [listing] = facts.calls
    expect(reliedOn([{ kind: '', place: '', plant }])).toMatchObject([
      { kind: 'refusal', count: 1, requests: [listing?.id] },
    ])
  })

  test('did not rely on a label of a part that it did not use', () => {
    const plant = ({ paths }: Json) => {
      Object.assign(paths['/payment-links/{link_id}'].delete, assumed('Planted elsewhere.'))
      Object.assign(paths['/transactions/{transaction_id}'].get, assumed('Planted elsewhere.'))
    }
    expect(reliedOn([{ kind: '', place: '', plant }])).toEqual([])
  })
})

describe('a run against the simulator as it is', () => {
  test('relied on what the specification leaves open, with its sentences', async () => {
    const workspace = await freshWorkspace()
    const made = await workspace.fetch('payments', '/payment-links', send({ amount: 2550 }))
    const { data } = (await made.json()) as { data: { id: string } }
    await workspace.fetch('payments', `/payment-links/${data.id}`)
    await workspace.trigger('payments.link.pay', { link_id: data.id })
    await workspace.fetch('payments', `/payment-links/${data.id}`, { method: 'DELETE' })
    const { reliances, notes, covered } = partOf(await gatherFacts(await simulator(), workspace.id))
    expect(reliances.map(({ kind, place, sentence }) => ({ kind, place, sentence }))).toEqual([
      {
        ...{ kind: 'response', place: 'GET /payment-links/{link_id} 200' },
        sentence: expect.stringContaining('Response bodies of GET /payment-links/{link_id}') as string,
      },
      {
        ...{ kind: 'value', place: 'Error.error' },
        sentence: expect.stringContaining('Error codes of the payments v1 interface') as string,
      },
      { kind: 'refusal', place: 'DELETE /payment-links/{link_id} 409', sentence: null },
      {
        ...{ kind: 'move', place: 'payments.link pay' },
        sentence: 'Other transitions of link, transaction, refund and settlement states: not shown.',
      },
    ])
    expect(reliances.find(({ kind }) => kind === 'refusal')?.question).toContain(
      'answer 409, for the reason "The payment link is paid',
    )
    expect(notes.map(({ operation }) => operation)).toEqual(['POST /payment-links'])
    expect(covered.transitions.filter(({ count }) => count > 0).map(({ move }) => move)).toEqual(['pay'])
  })

  test('relied on the reading of a refusal, and on nothing that a fault answered', async () => {
    const workspace = await freshWorkspace({ fixtures: 'none' })
    await workspace.faults.add({ interface: 'payments', status: 409, body: { error: 'conflict' }, times: 1 })
    await workspace.fetch('payments', '/webhooks/none', { method: 'DELETE' })
    const limited = await workspace.keys.create({ scopes: ['crm:write'] })
    await workspace.withKey(limited.key).fetch('crm', '/contacts/none')
    const { reliances } = partOf(await gatherFacts(await simulator(), workspace.id))
    expect(reliances.map(({ kind, place, count }) => [kind, place, count])).toEqual([
      // The body of the errors of the interface.
      ['response', 'Error', 1],
      ['reading', 'scopes.unlisted', 1],
    ])
    expect(reliances[0]?.question).toMatch(/^What do errors look like, such as those of "Get a contact"/)
  })

  test('relied on what becomes of a delivery', async () => {
    const workspace = await freshWorkspace({ fixtures: 'none' })
    await using receiver = await receiveWebhooks()
    receiver.answerWith(({ event }) => (event === 'sale.completed' ? 200 : 410))
    await receiver.subscribe(workspace, { interface: 'pos' })
    await workspace.trigger('pos.event.emit', { event: 'sale.completed' })
    await workspace.trigger('pos.event.emit', { event: 'stock.low' })
    await workspace.deliveries.wait({ status: 'delivered' })
    await workspace.deliveries.wait({ status: 'dead' })
    const { reliances } = partOf(await gatherFacts(await simulator(), workspace.id))
    const outcomes = reliances.filter(({ kind }) => kind === 'move')
    expect(outcomes.map(({ place, requests }) => [place, requests.length])).toEqual([
      ['webhooks.delivery succeed', 1],
      ['webhooks.delivery give_up', 1],
    ])
    expect(outcomes[1]?.question).toContain('go from `pending` to `dead` by this: the last attempt')
  })

  test('without a call relied on nothing, whatever its fixtures have done', async () => {
    const workspace = await freshWorkspace({ fixtures: 'demo' })
    expect(partOf(await gatherFacts(await simulator(), workspace.id)).reliances).toEqual([])
  })

  test('did not rely on what the simulator called itself, nor on what that caused', async () => {
    await using receiver = await receiveWebhooks()
    const workspace = await freshWorkspace({ fixtures: 'none' })
    await receiver.subscribe(workspace, { interface: 'crm' })
    await workspace.reach('crm.deals', 'won')
    // With a trigger.
    await workspace.reach('payments.refunds', 'failed')
    await workspace.deliveries.wait({ event: 'deal.won', status: 'delivered' })
    const subjects = async () => {
      const { reliances, ...rest } = partOf(await gatherFacts(await simulator(), workspace.id))
      return {
        ...rest,
        places: reliances.map(({ kind, place, count }) => `${kind} ${place} ${String(count)}`),
      }
    }
    const reached = await subjects()
    expect(reached).toMatchObject({ places: [], notes: [] })
    expect(reached.covered.transitions.filter(({ count }) => count > 0)).not.toEqual([])
    await workspace.fetch('crm', '/deals')
    const { places } = await subjects()
    expect(places).toContain('field Deal.closed_at 1')
    expect(places.filter((place) => !/^(?:default GET \/deals|field Deal)\S*/.test(place))).toEqual([])
  })

  test('knows of each reading whether a hint names it', async () => {
    const names = (await (await simulator()).readings()).map(({ name }) => name)
    expect(names.filter((name) => !READINGS_OF_REFUSALS.includes(name))).toEqual([
      ...['recruiting.vacancy_status', 'recruiting.delete_vacancy', 'payments.refund_event'],
      ...['tax-invoicing.cancellation_exempt', 'conversations.webhook_payload', 'conversations.message_type'],
    ])
    expect(READINGS_OF_REFUSALS.filter((name) => !names.some((each) => each === name))).toEqual([])
  })
})
