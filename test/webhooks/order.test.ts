import { beforeAll, describe, expect, test } from 'vitest'
import { build } from '../support/process.ts'
import {
  delivered,
  gate,
  HOUR,
  openQueue,
  receiver,
  SECOND,
  WHERE,
  type Behaviour,
  type Receiver,
} from '../support/webhooks.ts'

beforeAll(build)

/** What has come in, as "record:step". */
const stepsOf = ({ requests }: Receiver): string[] =>
  requests.map(({ body }) => {
    const { data } = JSON.parse(body) as { data: { id: string; step: number } }
    return `${data.id}:${String(data.step)}`
  })

/** Fails the first times that a step comes in. */
function failing(step: string, times: number): Behaviour {
  let failed = 0
  return ({ body }) => {
    const { data } = JSON.parse(body) as { data: { id: string; step: number } }
    return `${data.id}:${String(data.step)}` === step && failed++ < times ? 500 : 200
  }
}

describe.each(WHERE)('deliveries of one record to one subscription, from %s,', (_where, where) => {
  test('go one after the other while the first is slow, and others do not wait', async () => {
    const { behaviour, open } = gate()
    const sink = await receiver((received, index, response) =>
      received.body.includes('"slow"') ? behaviour(received, index, response) : 200,
    )
    const queue = openQueue(where)
    queue.subscribe(sink.url)
    for (const step of [1, 2, 3]) for (const record of ['slow', 'quick']) queue.change(record, { step })
    queue.emit('no record', { id: 'none', step: 0 })
    await queue.until((log) => log.filter(({ status }) => status === 'delivered').length === 4)
    expect(stepsOf(sink).filter((step) => step.startsWith('slow'))).toEqual(['slow:1'])
    expect(stepsOf(sink).filter((step) => step.startsWith('quick'))).toEqual([
      'quick:1',
      'quick:2',
      'quick:3',
    ])
    open()
    await queue.until(delivered)
    expect(stepsOf(sink).filter((step) => step.startsWith('slow'))).toEqual(['slow:1', 'slow:2', 'slow:3'])
  })

  test('wait for the retries of the first, each at its time, and go as soon as it is delivered', async () => {
    const sink = await receiver(failing('a:1', 2))
    const queue = openQueue(where)
    queue.subscribe(sink.url)
    for (const step of [1, 2, 3]) queue.change('a', { step })
    queue.change('b', { step: 1 })
    await queue.webhooks.sendDue(queue.workspace)
    expect(stepsOf(sink).sort()).toEqual(['a:1', 'b:1'])
    await queue.advance(6 * SECOND)
    expect(stepsOf(sink).slice(2)).toEqual(['a:1'])
    await queue.advance(HOUR)
    expect(stepsOf(sink).slice(3)).toEqual(['a:1', 'a:2', 'a:3'])
    expect(delivered(queue.log())).toBe(true)
  })
})
