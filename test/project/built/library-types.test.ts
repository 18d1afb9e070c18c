/** The types of the interfaces cover their operations. */
import { expect, test } from 'vitest'
import { interfaceTypes } from '../../../scripts/clientTypes.mjs'
import { buildApp, INTERFACES } from '../../support/subject.ts'

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

test('has types for the operations of every interface', async () => {
  const texts = await withApp((app) => interfaceTypes(app, names))
  expect(Object.keys(texts)).toEqual([...names, 'control'])
  for (const [name, text] of Object.entries(texts)) {
    expect(text, name).toMatch(/^export interface paths \{/m)
    expect(text, name).toMatch(/^export interface components \{/m)
  }
})
