import { expect, test } from 'vitest'
import { publish } from '../../../src/http/definition/events.ts'
import { problemsOf } from '../../../src/http/schemas/validation.ts'
import { events } from '../../../src/interfaces/catalog/events.ts'
import * as payloads from '../../../src/interfaces/catalog/payloads.ts'
import type { AppendedEvent } from '../../../src/state/workspace/workspace.ts'
import { freshApp } from '../../support/app.ts'

const catalogEvents = publish(events, payloads)

/** The life of a product and of two activities, and the events that it appends. */
async function recordEvents(): Promise<AppendedEvent[]> {
  const fresh = await freshApp()
  const call = fresh.at<{ data: { id: string } }>('catalog')
  const seen: AppendedEvent[] = []
  fresh.app.workspaces.events.follow((_workspace, event) => seen.push(event))
  fresh.setClock('2026-11-21T10:00:00Z')

  const product = (await call('POST', '/products', { body: { name: 'Desk', type: 'physical' } })).body.data.id
  await call('PUT', `/products/${product}`, { body: { status: 'archived' } })
  await call('DELETE', `/products/${product}`)

  const body = { title: 'Call back', type: 'call', dueDate: '2026-11-21T11:00:00Z' }
  const activity = (await call('POST', '/activities', { body })).body.data.id
  await call('PUT', `/activities/${activity}`, { body: { notes: 'Ask for the size' } })
  fresh.setClock('2026-11-21T11:00:00Z')
  await call('PATCH', `/activities/${activity}/complete`)
  await call('DELETE', `/activities/${activity}`)
  return seen
}

test('appends one published event for each change of a product or an activity', async () => {
  const seen = await recordEvents()

  expect(seen.map(({ interface: of, name }) => `${of} ${name}`)).toEqual([
    'catalog product.created',
    'catalog product.updated',
    'catalog product.deleted',
    'catalog activity.created',
    'catalog activity.updated',
    'catalog activity.overdue',
    'catalog activity.completed',
    'catalog activity.deleted',
  ])
  expect(new Set(seen.map(({ name }) => name))).toEqual(new Set(catalogEvents.map(({ name }) => name)))
})

test.each(catalogEvents.map(({ name, payload }) => [name, payload] as const))(
  'publishes exactly the fields of %s',
  async (name, payload) => {
    const event = (await recordEvents()).find((appended) => appended.name === name)

    expect(problemsOf(payload, event?.data)).toEqual([])
    expect(Object.keys(event?.data ?? {}).sort()).toEqual(Object.keys(payload['properties'] as object).sort())
  },
)

test('appends events of due jobs in the published shape before the first call of the interface', async () => {
  const { app } = await freshApp({ fixtures: 'demo' })
  const demo = app.workspaces.get('demo')
  const seen: AppendedEvent[] = []
  app.workspaces.events.follow((_workspace, event) => seen.push(event))

  demo.clock.set(Date.UTC(2100, 0, 1), true)
  // In slices if it takes long.
  await demo.runDueJobs()

  const overdue = seen.find(({ name }) => name === 'activity.overdue')
  const payload = catalogEvents.find(({ name }) => name === 'activity.overdue')?.payload
  expect(payload && problemsOf(payload, overdue?.data)).toEqual([])
  expect(overdue?.data).toMatchObject({ id: overdue?.record, status: 'overdue' })
})

test('marks every catalog event as assumed', () => {
  for (const { fidelity, payload } of catalogEvents) {
    expect(fidelity).toEqual({ status: 'assumed', why: expect.stringMatching(/\.$/) as string })
    expect(payload).toMatchObject({ 'x-fidelity': 'assumed' })
  }
})
