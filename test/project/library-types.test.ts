/** The library covers the control plane, and the types of the interfaces cover their operations. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CALLS } from '../../src/library/generated/control.ts'
import { interfaceTypes } from '../../scripts/clientTypes.mjs'
import { ROOT } from '../support/process.ts'
import { buildApp, INTERFACES } from '../support/subject.ts'

const names = INTERFACES.map(({ name }) => name)

async function withApp<Made>(
  make: (app: Awaited<ReturnType<typeof buildApp>>) => Promise<Made>,
): Promise<Made> {
  const app = await buildApp()
  try {
    return await make(app)
  } finally {
    await app.close()
  }
}

/** Operations without a method, which `simulator.call()` can make; keys have methods of their workspace. */
const BY_ID_ALONE = ['createKey', 'listKeys', 'deleteKey', 'getDocsPage', 'getDashboard', 'receiveWebhook']

test('has a client method for every operation of the control plane', () => {
  const sources = ['client', 'messages', 'parts', 'shards', 'stream', 'workspace'].map((name) =>
    readFileSync(join(ROOT, `src/library/${name}.ts`), 'utf8'),
  )
  const without = Object.keys(CALLS).filter((id) => !sources.some((source) => source.includes(`'${id}'`)))
  expect(without).toEqual(BY_ID_ALONE)
})

test('has types for the operations of every interface', async () => {
  const texts = await withApp((app) => interfaceTypes(app, names))
  expect(Object.keys(texts)).toEqual([...names, 'control'])
  for (const [name, text] of Object.entries(texts)) {
    expect(text, name).toMatch(/^export interface paths \{/m)
    expect(text, name).toMatch(/^export interface components \{/m)
  }
})
