/** The library covers the control plane, and the types of the interfaces cover their operations. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CALLS } from '../../src/library/control.ts'
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

/** Operations that nobody needs a method for: `simulator.call()` makes them as well. */
const BY_ID_ALONE = ['getDocsPage', 'getDashboard', 'receiveWebhook']

test('every operation of the control plane has a method of the client', () => {
  const sources = ['client', 'messages', 'parts', 'stream', 'workspace'].map((name) =>
    readFileSync(join(ROOT, `src/library/${name}.ts`), 'utf8'),
  )
  const without = Object.keys(CALLS).filter((id) => !sources.some((source) => source.includes(`'${id}'`)))
  expect(without).toEqual(BY_ID_ALONE)
})

test('the types of every interface name its operations', async () => {
  const texts = await withApp((app) => interfaceTypes(app, names))
  expect(Object.keys(texts)).toEqual([...names, 'control'])
  for (const [name, text] of Object.entries(texts)) {
    expect(text, name).toMatch(/^export interface paths \{/m)
    expect(text, name).toMatch(/^export interface components \{/m)
  }
})
