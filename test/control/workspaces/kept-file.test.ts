/**
 * A database file with four migrations (0000 to 0003): the demo workspace with a frozen clock, an activity that is
 * almost due, and three deliveries with a failed attempt. `atStart` and `atEnd` next to it are snapshots that the
 * control plane returned then.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../../support/process.ts'
import { controlApp } from '../app.ts'

const fixtureFile = (name: string): Buffer =>
  gunzipSync(readFileSync(join(ROOT, 'test/fixtures', `four-migrations.${name}.gz`)))

interface Delivery {
  readonly id: string
  readonly status: string
  readonly attempts: readonly object[]
}

interface Activities {
  readonly catalog: { readonly activities: readonly { readonly title: string; readonly status: string }[] }
}

const facts = JSON.parse(fixtureFile('json').toString()) as {
  readonly atStart: Readonly<Record<string, object>>
  readonly atEnd: Readonly<Record<string, object>>
  readonly deliveries: readonly Delivery[]
}

const KEY = 'demo-key'
const PATH = '/workspaces/demo'

async function opened() {
  const file = join(scratchFolder(), 'suite.sqlite')
  writeFileSync(file, fixtureFile('sqlite'))
  const app = await controlApp({ db: file })
  const deliveries = async (): Promise<Delivery[]> =>
    (await app.sim('GET', `${PATH}/deliveries`)).body.data as Delivery[]
  const advance = (duration: string) => app.sim('POST', `${PATH}/clock/advance`, { body: { duration } })
  const snapshot = async () => (await app.sim('GET', `${PATH}/snapshot`)).body as Activities
  return { ...app, app, file, deliveries, advance, snapshot }
}

describe('a file with four migrations', () => {
  test('keeps all its data and its frozen clock', async () => {
    const { sim, call, snapshot, deliveries } = await opened()

    expect((await sim('GET', `${PATH}/clock`)).body).toMatchObject({
      now: '2030-01-01T12:00:00.000Z',
      frozen: true,
    })
    expect(await snapshot()).toMatchObject(facts.atEnd)
    expect(await deliveries()).toMatchObject(facts.deliveries)
    const product = await call('GET', '/workspace/public/v1/products/demo-product-00000004', KEY)
    expect(product.body.data.name).toBe('Changed')
  })

  test('continues: due jobs run, pending deliveries are retried, and records are added', async () => {
    const { call, snapshot, deliveries, advance } = await opened()
    const statusOfActivity = async () =>
      (await snapshot()).catalog.activities.find(({ title }) => title === 'Call back')?.status

    expect(await statusOfActivity()).toBe('pending')
    await advance('PT2H')

    expect(await statusOfActivity()).toBe('overdue')
    for (const { attempts } of await deliveries()) expect(attempts.length).toBeGreaterThan(1)
    const made = await call('POST', '/workspace/public/v1/products', KEY, { name: 'Desk', type: 'physical' })
    expect(made.status).toBe(201)
  })

  test('is reset to its initial records', async () => {
    const { sim, snapshot, deliveries } = await opened()

    expect((await sim('POST', `${PATH}/reset`)).status).toBe(204)

    expect(await snapshot()).toMatchObject(facts.atStart)
    expect(await deliveries()).toEqual([])
  })

  test('can be closed and opened again', async () => {
    const { app, file, call } = await opened()
    await call('DELETE', '/workspace/public/v1/products/demo-product-00000004', KEY)
    await app.close()

    const again = await controlApp({ db: file })

    const product = await again.call('GET', '/workspace/public/v1/products/demo-product-00000004', KEY)
    expect(product.status).toBe(404)
  })
})
