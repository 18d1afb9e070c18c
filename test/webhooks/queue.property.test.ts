import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../support/extent.ts'
import { scratchFolder } from '../support/process.ts'
import { HOUR, MINUTE, openQueue, receiver, SECOND, type Behavior, type Queue } from '../support/webhooks.ts'

const takes: Behavior = () => 200

const BEHAVIOURS: Readonly<Record<string, Behavior>> = {
  takes,
  fails: () => 500,
  redirects: () => 302,
  takesEveryOther: (_received, index) => (index % 2 === 0 ? 503 : 202),
  hangsUp: (_received, _index, response) => {
    response.destroy()
    return undefined
  },
}

type Step =
  | { readonly kind: 'emit'; readonly count: number; readonly record: string | null }
  | { readonly kind: 'behave'; readonly sink: 0 | 1; readonly behaviour: string }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'restart' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('emit'),
      count: fc.integer({ min: 1, max: 4 }),
      record: fc.constantFrom('one', 'other', null),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('behave'),
      sink: fc.constantFrom(0, 1),
      behaviour: fc.constantFrom(...Object.keys(BEHAVIOURS)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('advance'),
      ms: fc.constantFrom(0, SECOND, 6 * SECOND, 6 * MINUTE, HOUR, 12 * HOUR),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
)

/** Advances from one due time to the next until nothing is pending. */
async function runOut(queue: Queue): Promise<void> {
  await queue.webhooks.sendDue(queue.workspace)
  for (;;) {
    const due = queue.webhooks.earliestDue(queue.workspace)
    if (due === Infinity) return
    await queue.advance(due - queue.workspace.now())
  }
}

test('delivers each event to each subscriber in the order of its record, or marks it as dead after eight attempts', async () => {
  const folder = scratchFolder()
  let run = 0

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const file = join(folder, `${String(++run)}.sqlite`)
      const sinks = [await receiver(), await receiver()] as const
      let queue = openQueue({ file })
      for (const { url } of sinks) queue.subscribe(url)
      const events: string[] = []

      for (const one of steps) {
        if (one.kind === 'emit') {
          for (let count = 0; count < one.count; count++) {
            const { id } = one.record === null ? queue.emit() : queue.change(one.record)
            events.push(id)
          }
        } else if (one.kind === 'behave') {
          sinks[one.sink].behave(BEHAVIOURS[one.behaviour] ?? takes)
        } else if (one.kind === 'advance') await queue.advance(one.ms)
        else {
          await queue.close()
          queue = openQueue({ file })
        }
      }
      await runOut(queue)

      const log = queue.log()
      expect(log).toHaveLength(events.length * 2)
      expect(new Set(log.map(({ id }) => id)).size).toBe(log.length)
      for (const row of log) {
        const statuses = row.attempts.map(({ status }) => status)
        const sink = sinks.find(({ url }) => url === row.url)
        const sent = sink?.requests.filter(({ headers }) => headers['x-service-delivery'] === row.id) ?? []
        expect(new Set(sent.map(({ body }) => body))).toEqual(new Set([row.body]))
        expect(sent).toHaveLength(statuses.length)
        expect(events).toContain((JSON.parse(row.body) as { id: string }).id)
        expect(row.nextAttemptAt).toBeNull()
        if (row.status === 'delivered') {
          expect(statuses.at(-1)).toBeOneOf([200, 202])
          expect(statuses.length).toBeLessThanOrEqual(8)
          expect(statuses.slice(0, -1).every((status) => status !== 200 && status !== 202)).toBe(true)
        } else {
          expect(row.status).toBe('dead')
          expect(statuses).toHaveLength(8)
          expect(statuses.every((status) => status !== 200 && status !== 202)).toBe(true)
        }
      }
      for (const { requests } of sinks) {
        for (const record of ['one', 'other']) {
          const sent = requests
            .map(({ body }) => JSON.parse(body) as { id: string; data: { id: string } })
            .filter(({ data }) => data.id === record)
            .map(({ id }) => events.indexOf(id))
          expect(sent).toEqual([...sent].sort((first, second) => first - second))
        }
      }
      await queue.close()
      for (const sink of sinks) await sink.close()
    }),
    { numRuns: runs(25) },
  )
})
