/** The library covers the control plane. built/library-types.test.ts tests the types of the interfaces. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CALLS } from '@suite-sim/client/generated/control'
import { ROOT } from '../support/root.ts'

/** Operations without a method, which `simulator.call()` can make; keys have methods of their workspace. */
const BY_ID_ALONE = ['createKey', 'listKeys', 'deleteKey', 'getDocsPage', 'getDashboard', 'receiveWebhook']

test('has a client method for every operation of the control plane', () => {
  const sources = ['client', 'messages', 'parts', 'shards', 'stream', 'workspace'].map((name) =>
    readFileSync(join(ROOT, `packages/client/src/${name}.ts`), 'utf8'),
  )
  const without = Object.keys(CALLS).filter((id) => !sources.some((source) => source.includes(`'${id}'`)))
  expect(without).toEqual(BY_ID_ALONE)
})
