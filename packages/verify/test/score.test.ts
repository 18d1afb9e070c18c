/** `verify` finds drift: a sample with each kind, each in a run of its own. The whole score is in docs/verify-score.md. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { sampleOf } from '../../mutate/test/drift/instances.ts'
import { KINDS } from '../../mutate/test/drift/kinds/index.ts'
import { startMutatingProxy } from '../../mutate/test/drift/proxy.ts'
import { scoreOf, shareOf, tryMutation, type Outcome } from '../../mutate/test/drift/score.ts'
import { startTarget, type Target } from '../../mutate/test/drift/target.ts'
import { startVerifying, type Verifying } from '../../mutate/test/drift/verifying.ts'

let target: Target
let verifying: Verifying

beforeAll(async () => {
  target = await startTarget()
  verifying = startVerifying()
  verifying.explainNothing()
})

afterAll(async () => {
  await verifying.close()
  await target.close()
})

test('finds nothing behind a proxy that changes nothing', async () => {
  await target.stopClock()
  const proxy = await startMutatingProxy({ target: target.url, mutation: null })
  for (const name of INTERFACE_NAMES) expect(await verifying.run(proxy.url, name), name).toEqual([])
  await proxy.close()
})

test('finds 95 % of a sample with each kind of drift', async () => {
  const sample = sampleOf(await target.mutations(1), 80)
  const outcomes: Outcome[] = []
  for (const mutation of sample) {
    await target.stopClock()
    outcomes.push(await tryMutation(target.url, mutation, verifying.run))
  }
  expect(new Set(outcomes.map(({ kind }) => kind)).size).toBe(KINDS.length)
  const score = scoreOf(outcomes)
  // Most of the sample shows in the answers, so the share is of many.
  expect(score.mutations).toBeGreaterThanOrEqual(70)
  expect(shareOf(score), score.survivors.join('\n')).toBeGreaterThanOrEqual(0.95)
})
