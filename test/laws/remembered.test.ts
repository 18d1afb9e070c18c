/**
 * Remembered answers: everything that can be read is asked for again and again, so that its answer is kept, and then
 * something is done. The next answer has to be the one that somebody gets who meets the same records for the first time.
 */
import { expect, test } from 'vitest'
import {
  answersAt,
  everyAddress,
  everyExample,
  everyTrigger,
  furnishedDemo,
  passing,
  pullsOf,
  twinOf,
  type Deed,
} from './everything.ts'
import type { FreshApp } from '../support/app.ts'

/** Each example, each trigger as often as it takes until it is pulled, and time that passes. */
async function deedsOf(fresh: FreshApp): Promise<Deed[]> {
  const pulls = (await everyTrigger()).map((trigger) => ({
    title: `trigger ${trigger.name}`,
    async do() {
      for (const pull of await pullsOf(fresh, trigger)) {
        const answer = await pull.do()
        if (answer.status === 200) return answer
      }
      throw new Error(`${trigger.name} can't be pulled`)
    },
  }))
  return [passing(fresh, 'PT1H'), ...everyExample(fresh), ...pulls, passing(fresh, 'P3D')]
}

test('whatever has happened, each answer is that of somebody who asks for the first time', async () => {
  const fresh = await furnishedDemo()
  const addresses = await everyAddress(fresh, 2)
  const changed = new Set<string>()
  for (const { title, do: act } of await deedsOf(fresh)) {
    const before = await answersAt(fresh, addresses)
    expect(await answersAt(fresh, addresses)).toEqual(before)
    const { status, text } = await act()
    expect(status, `${title}: ${text}`).toBeLessThan(300)
    const after = await answersAt(fresh, addresses)
    expect(after, title).toEqual(await answersAt(await twinOf(fresh), addresses))
    for (const address of addresses) if (after[address] !== before[address]) changed.add(address)
  }
  // A law about answers that nothing changes would say nothing.
  expect(changed.size).toBeGreaterThan(addresses.length / 2)
}, 120_000)
