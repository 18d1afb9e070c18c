/** `suite-sim record`, `replay` and `can-i-upgrade` at a terminal, with their exit codes. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../../../../test/control/app.ts'
import { runHere } from '../../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../../test/support/process.ts'

async function server() {
  const app = await controlApp({ ownApp: true })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { id, key } = await makeWorkspace(app, { fixtures: 'small' })
  const folder = scratchFolder()
  const run = (...args: string[]) => runHere(args, { folder, variables: {} })
  const here = ['--url', url, '--workspace', id]
  return { app, url, id, key, folder, run, here }
}

/** Records a call into the file session.json of a folder. */
async function recordedSession() {
  const made = await server()
  const { app, key, run, here, folder } = made
  const started = await run('record', 'start', 'Checkout', ...here)
  expect(started.code, started.stderr).toBe(0)
  await app.call('POST', '/pay/v1/payment-links', key, { amount: 44900, currency: 'USD' })
  const stopped = await run('record', 'stop', '--out', 'session.json', ...here)
  expect(stopped.code, stopped.stderr).toBe(0)
  return { ...made, started, stopped, file: join(folder, 'session.json') }
}

test('record starts, stops, lists and deletes recordings', async () => {
  const { run, here, started, stopped, file } = await recordedSession()
  const { id } = JSON.parse(started.stdout) as { id: string }
  expect(JSON.parse(stopped.stdout)).toEqual({ id, file: 'session.json', steps: 1, endedBy: null })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ name: 'Checkout' })
  const { data } = JSON.parse((await run('record', 'list', ...here)).stdout) as { data: object[] }
  expect(data).toMatchObject([{ id, name: 'Checkout', status: 'stopped', steps: 1 }])
  const again = await run('record', 'stop', id, ...here)
  expect(again.stdout).toBe(readFileSync(file, 'utf8'))
  expect((await run('record', 'delete', id, ...here)).stdout).toContain(id)
  const none = await run('record', 'stop', ...here)
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringContaining('is running; start one with: suite-sim record start') as string,
  ])
})

test('replay exits with 0 for equal, 1 for different, and 2 for a file that is none', async () => {
  const { run, file, folder, url } = await recordedSession()
  const equal = await run('replay', 'session.json')
  expect([equal.code, equal.stderr]).toEqual([0, ''])
  expect(JSON.parse(equal.stdout)).toMatchObject({ isEqual: true, isSnapshotEqual: true, differences: [] })
  const there = await run('replay', 'session.json', '--url', url)
  expect([there.code, JSON.parse(there.stdout)]).toMatchObject([0, { isEqual: true, isSnapshotEqual: true }])

  const other = readFileSync(file, 'utf8').replace('"status":201', '"status":200')
  writeFileSync(join(folder, 'other.json'), other)
  const different = await run('replay', 'other.json')
  expect([different.code, different.stderr]).toEqual([1, ''])
  expect(JSON.parse(different.stdout)).toMatchObject({
    isEqual: false,
    differences: [{ step: 1, path: 'status', recorded: 200, replayed: 201 }],
  })

  writeFileSync(join(folder, 'none.json'), '{}')
  for (const args of [
    ['none.json'],
    ['missing.json'],
    ['session.json', '--out', 'x'],
    ['session.json', '--keep'],
    ['session.json', '--fixtures', 'small'],
    ['session.json', '--as', 'cobol'],
    ['session.json', '--url', 'http://127.0.0.1:1'],
  ]) {
    const wrong = await run('replay', ...args)
    expect([args, wrong.code]).toEqual([args, 2])
    expect(wrong.stderr).toMatch(/^suite-sim: .+\n$/)
  }
})

test('replay --as writes a test to a file or prints it', async () => {
  const { run, folder } = await recordedSession()
  const printed = await run('replay', 'session.json', '--as', 'curl')
  expect(printed.stdout).toMatch(/^#!\/bin\/sh\n/)
  const written = await run('replay', 'session.json', '--as', 'vitest', '--out', 'tests/session.test.mjs')
  expect([written.code, existsSync(join(folder, 'tests'))]).toEqual([1, false])
  mkdirSync(join(folder, 'tests'))
  expect(
    (await run('replay', 'session.json', '--as', 'vitest', '--out', 'tests/session.test.mjs')).code,
  ).toBe(0)
  const text = readFileSync(join(folder, 'tests/session.test.mjs'), 'utf8')
  expect(text).toContain("new URL('../session.json', import.meta.url)")
})

test('can-i-upgrade lists the calls whose answers change', async () => {
  const { run, file, folder } = await recordedSession()
  mkdirSync(join(folder, 'recordings'))
  const text = readFileSync(file, 'utf8')
  writeFileSync(join(folder, 'recordings/a.json'), text)
  const safe = await run('can-i-upgrade', 'recordings')
  expect([safe.code, JSON.parse(safe.stdout)]).toMatchObject([
    0,
    { isSafe: true, files: [{ file: 'recordings/a.json', steps: 1, changed: [] }] },
  ])
  writeFileSync(join(folder, 'recordings/c.json'), text.replace('"status":201', '"status":200'))
  const changed = await run('can-i-upgrade', 'recordings')
  const { files } = JSON.parse(changed.stdout) as { files: { changed: { step: number }[] }[] }
  expect(changed.code).toBe(1)
  expect(files.at(-1)?.changed).toMatchObject([{ step: 1, path: 'status' }])
  // The server of this version refuses what the recording begins with.
  const start = JSON.parse(text) as { start: { snapshot: object } }
  Object.assign(start.start.snapshot, { catalog: { products: [{ id: 1 }] } })
  writeFileSync(join(folder, 'recordings/b.json'), JSON.stringify(start))
  const refused = await run('can-i-upgrade', 'recordings')
  const results = JSON.parse(refused.stdout) as { isSafe: boolean; files: { error?: string }[] }
  expect([refused.code, results.isSafe]).toEqual([2, false])
  expect(results.files.map(({ error }) => error ?? null)).toEqual([
    null,
    expect.stringContaining("the recording can't be replayed: PUT /_sim/workspaces/") as string,
    null,
  ])
  writeFileSync(join(folder, 'recordings/d.json'), '{}')
  const wrong = await run('can-i-upgrade', 'recordings')
  expect([wrong.code, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('recordings/d.json: format must be')
  for (const folderName of ['missing', 'session.json']) {
    expect((await run('can-i-upgrade', folderName)).code).toBe(2)
  }
  mkdirSync(join(folder, 'empty'))
  const empty = await run('can-i-upgrade', 'empty')
  expect(empty.stderr).toContain('must contain recordings (*.json) or HAR files (*.har)')
})
