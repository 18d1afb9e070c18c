/** What the health checks say of a damaged file. */
import { expect, test } from 'vitest'
import { databaseHealthOf } from '../../../../src/state/storage/database/databaseHealth.ts'
import { controlApp } from '../../../control/app.ts'

test('is 503 with the reason while the file is damaged; HEAD has the same status and no body', async () => {
  const app = await controlApp({ ownApp: true })
  databaseHealthOf(app.workspaces.database).report(
    Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' }),
  )
  for (const path of ['/health', '/health/ready']) {
    const { status, body } = await app.sim('GET', path)
    expect([status, body.error.code]).toEqual([503, 'unavailable'])
    expect(body.error.message).toMatch(/^The database cannot be used: the file is damaged/)
    const headed = await app.fastify.inject({ method: 'HEAD', url: `/_sim${path}` })
    expect([headed.statusCode, headed.payload]).toEqual([503, ''])
  }
  expect((await app.sim('GET', '/health/live')).status).toBe(200)
  const { payload } = await app.fastify.inject('/_sim/metrics')
  expect(payload).toMatch(/^suite_sim_ready 0$/m)
  expect(payload).toMatch(/^suite_sim_database_ok 0$/m)
})
