/** The events of the exam: they match the published payloads, and each is about a record of its own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from '../../src/exam/samples.ts'
import { publishedEvents } from '../../src/exam/simulator.ts'
import { problemsOf } from '../../../../src/http/schemas/validation.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import type { App } from '../../../../src/app.ts'
import { buildApp } from '../../../../test/support/subject.ts'

const AT = Date.parse('2026-03-04T05:06:07.000Z')

let app: App
beforeAll(async () => {
  app = await buildApp({})
})
afterAll(() => app.close())

const eventsOf = (name: string) => publishedEvents(app, name)

/** One event of each example: events with the same one differ in their names alone. */
const differentEventsOf = async (name: string) => [
  ...new Map((await eventsOf(name)).map((event) => [JSON.stringify(event.example), event] as const)).values(),
]

describe.each(INTERFACE_NAMES)('the events of %s', (name) => {
  test('match their payloads', async () => {
    const events = await eventsOf(name)
    expect(events.length).toBeGreaterThan(1)
    const { definition } = await app.published(name)
    expect(events.map((event) => event.name)).toEqual(definition.events?.map((event) => event.name))
    const problems = events.flatMap((event, index) =>
      problemsOf(definition.events?.[index]?.payload ?? {}, sampleOf(event.example, 'seed', AT)).map(
        ({ message }) => `${event.name}: ${message}`,
      ),
    )
    expect(problems).toEqual([])
  })

  test('have other records for other seeds, and the same for the same seed', async () => {
    for (const event of await differentEventsOf(name)) {
      const all = Array.from({ length: 500 }, (_, index) => sampleOf(event.example, String(index), AT))
      expect(new Set(all.map((data) => JSON.stringify(data))).size, event.name).toBe(500)
      expect(sampleOf(event.example, '7', AT)).toEqual(all[7])
    }
  })
})

test('have the ids of one record in one form, and the times of the event', async () => {
  const event = (await eventsOf('payments')).find(({ name }) => name === 'payment.completed')
  if (!event) throw new Error('no payment.completed')
  const { transaction, payment_link: link } = sampleOf(event.example, 'seed', AT) as Record<
    string,
    Record<string, string>
  >
  expect(transaction?.['link_id']).toBe(link?.['id'])
  expect(transaction?.['id']).toMatch(/^txn_demo\d{4}\d{12}$/)
  expect(link?.['reference']).toMatch(/^F-\d{16}$/)
  expect(transaction?.['created_at']).toBe('2026-03-04T05:06:07.000Z')
})
