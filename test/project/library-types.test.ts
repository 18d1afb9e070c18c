/** What the library knows of the control plane is what the control plane publishes; `npm run docs` writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { CALLS } from '../../src/library/control.ts'
import { controlTypes, interfaceTypes } from '../../scripts/clientTypes.mjs'
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

test('the types of the client are those of the document', async () => {
  const path = join(ROOT, 'src/library/control.ts')
  const made = await withApp((app) => controlTypes(app, names))
  const wanted = await format(made, { ...(await resolveConfig(path)), filepath: path })
  if (process.env['DOCS'] === 'write') writeFileSync(path, wanted)
  // Not compared as a whole, for the difference of two such texts says less than its first line.
  const [kept, lines] = [readFileSync(path, 'utf8').split('\n'), wanted.split('\n')]
  const at = lines.findIndex((line, index) => line !== kept[index])
  expect(at < 0 ? kept[lines.length] : lines[at], 'run npm run docs').toBe(at < 0 ? undefined : kept[at])
})

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
