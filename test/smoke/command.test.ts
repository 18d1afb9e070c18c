/** The built program as a user starts it. Its other rules: packages/cli/test/main.test.ts and packages/cli/test, in the full run. */
import { beforeAll, expect, test } from 'vitest'
import { build, run, scratchFolder, start } from '../support/process.ts'

beforeAll(build)

test('serves, is steered by another process, refuses a wrong flag, and ends on SIGTERM', async () => {
  const folder = scratchFolder()
  const [server, refused] = await Promise.all([
    start(['--port', '0', '--db', ':memory:'], { folder }),
    run(['--port', 'http'], { folder }),
  ])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^suite-sim: .+ from 0 to 65535\.\n$/)

  const headers = { authorization: 'Bearer demo-key' }
  const products = await fetch(`${server.url}/workspace/public/v1/products`, { headers })
  expect(products.status).toBe(200)
  const { code, stdout, stderr } = await run(['workspace', 'list', '--url', server.url], { folder })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ data: [{ id: 'demo' }] })

  expect(await server.stop('SIGTERM')).toBe(0)
  expect(server.stderr()).toBe('')
})
