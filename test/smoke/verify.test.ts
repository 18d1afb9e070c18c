/** `suite-sim verify` as built: a service that agrees with the simulator, and one that has drifted. */
import { tmpdir } from 'node:os'
import { beforeAll, expect, test } from 'vitest'
import type { Report } from '@suite-sim/verify/index'
import { build, run } from '../support/process.ts'
import { startDrift } from '../../packages/mutate/test/drift/drift.ts'
import { startService, type Service } from '../support/writing.ts'
import { atEndOfFile } from '../support/endOfFile.ts'

let service: Service | undefined

beforeAll(async () => {
  build()
  service = await startService()
})

atEndOfFile(async () => {
  await service?.close()
  service = undefined
})

test('agrees with another simulator, and reports one whose answers have changed', async () => {
  const drift = await startDrift(service?.url ?? '', {
    at: /^\/pos\/.*webhooks$/,
    apply: ({ status, json }) => ({ status, json: { ...(json as object), legacy: true } }),
  })
  const verify = (url: string) =>
    run(['verify', '--base-url', url, '--key', 'demo-key', '--interface', 'pos', '--rate', 'off'], {
      folder: tmpdir(),
    })
  const [same, other] = await Promise.all([verify(service?.url ?? ''), verify(drift.url)])
  await drift.close()
  expect(same).toMatchObject({ code: 0, stderr: '' })
  expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/claims? differs?/) as string })
  const [agreeing, differing] = [same, other].map(({ stdout }) => JSON.parse(stdout) as Report)
  expect(agreeing?.summary).toMatchObject({ differs: 0, flaky: 0 })
  expect(agreeing?.summary.checked).toBeGreaterThan(10)
  expect(differing?.differences).toContainEqual(
    expect.objectContaining({ place: 'GET /webhooks 200.legacy', actual: true, status: 'differs' }),
  )
})
