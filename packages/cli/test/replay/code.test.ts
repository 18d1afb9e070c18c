/** `suite-sim replay --as`: tests for Vitest, pytest and curl that run and pass. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testOf } from '../../src/replay/code/index.ts'
import { readRecording } from '../../src/replay/recordingFile.ts'
import { atEndOfFile } from '../../../../test/support/endOfFile.ts'
import { runIn } from '../../../../test/support/packed.ts'
import { ROOT, scratchFolder } from '../../../../test/support/process.ts'
import { buildApp } from '../../../../test/support/subject.ts'
import { describeWith } from '../../../../test/support/toolchains.ts'

type Format = Parameters<typeof testOf>[0]

const KINDS = ['none', 'small'] as const
type Kind = (typeof KINDS)[number]

/** A server, and calls to it. */
async function server() {
  const app = await buildApp({ fixtures: 'none' })
  atEndOfFile(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (method: string, path: string, body?: unknown, key?: string) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : null) as unknown,
    }
  }
  return {
    url,
    sim: (method: string, path: string, { body }: { body?: unknown } = {}) =>
      ask(method, `/_sim${path}`, body),
    call: (method: string, path: string, key: string, body?: unknown) => ask(method, path, body, key),
    get: (path: string) => ask('GET', path),
  }
}

/** Records a session, and returns what a test of it needs. */
async function record(fixtures: Kind) {
  const app = await server()
  const { url } = app
  const created = await app.sim('POST', '/workspaces', { body: { id: 'pay', fixtures } })
  const { workspace, key } = created.body as { workspace: { id: string }; key: string }
  const { id } = workspace
  const path = `/workspaces/${id}`
  const limited = await app.sim('POST', `${path}/keys`, {
    body: { scopes: ['crm:read'], interfaces: ['crm'] },
  })
  const started = await app.sim('POST', `${path}/recordings`, { body: { name: "A deal with 'quotes'" } })
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    (await app.call(method, path, key, body)).body as { id: string; data: { id: string } }

  const contact = await call('POST', '/crm/v1/contacts', {
    name: 'Ana',
    email: `ana.${fixtures}@example.com`,
    company: 'it costs $5, `so` "what"',
  })
  await call('GET', `/crm/v1/contacts/${contact.id}`)
  const { data: link } = await call('POST', '/pay/v1/payment-links', {
    amount: 44900,
    currency: 'USD',
    description: "Ana's desk",
  })
  await app.sim('POST', `${path}/triggers/payments.link.pay`, { body: { link_id: link.id } })
  await app.sim('POST', `${path}/triggers/payments.link.pay`, { body: { link_id: link.id } })
  await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'P3D' } })
  await call('GET', `/pay/v1/payment-links/${link.id}`)
  await app.sim('PATCH', path, { body: { testCards: false } })
  await call('POST', '/pay/v1/payment-links', { amount: -1 })
  await app.call('GET', '/crm/v1/contacts', (limited.body as { key: string }).key)
  const form = new FormData()
  form.append('name', "It's a menu")
  form.append('file', new Blob([PNG], { type: 'image/png' }), "it's.png")
  const uploaded = await fetch(`${url}/grid/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  expect(uploaded.status).toBe(201)
  await app.sim('POST', `${path}/users`, { body: { name: 'Eva', email: 'eva@example.com' } })
  await app.sim('POST', `${path}/reset`)
  // Its counters start again: the link has the id of the first one.
  const { data: again } = await call('POST', '/pay/v1/payment-links', { amount: 700, currency: 'USD' })
  expect(again.id).toBe(link.id)
  await call('GET', `/pay/v1/payment-links/${again.id}`)
  const { data: third } = await call('POST', '/pay/v1/payment-links', { amount: 800, currency: 'USD' })
  await app.get(`/pay/links/${id}/${third.id}`)

  const { id: recording } = started.body as { id: string }
  const stopped = await app.sim('POST', `${path}/recordings/${recording}/stop`)
  return { url, text: stopped.text, contact, link }
}

const recorded = new Map<Kind, ReturnType<typeof record>>()

/** The session, recorded once per file, in a folder of the test. `name` is that of the file. */
async function session(fixtures: Kind, folder = scratchFolder(), name = 'session.json') {
  const recording = recorded.get(fixtures) ?? record(fixtures)
  recorded.set(fixtures, recording)
  const { text, ...others } = await recording
  const file = join(folder, name)
  writeFileSync(file, text)
  const code = (format: Format): string => testOf(format, readRecording(file), name)
  return { ...others, folder, code }
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('a test for Vitest', () => {
  test('passes, and refers to the records by names', async () => {
    const folder = scratchFolder()
    const texts = []
    for (const fixtures of KINDS) {
      const { url, code, contact, link } = await session(fixtures, folder, `${fixtures}.json`)
      const text = code('vitest')
      expect(text).toContain('const contact = await call(')
      expect(text).toContain('`/contacts/${contact.body.id}`')
      expect(text).toContain('link_id: paymentLink.body.data.id')
      expect(text).toContain("name: 'Ana'")
      for (const { id } of [contact, link]) expect(text).not.toContain(id)
      texts.push(text)
      const at = `process.env.SUITE_SIM_URL = ${JSON.stringify(url)}\n`
      writeFileSync(join(folder, `${fixtures}.test.mjs`), at + text)
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const alias = { 'suite-simulator': join(ROOT, 'packages/library/src/index.ts') }
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      `export default { resolve: { alias: ${JSON.stringify(alias)} }, server: { fs: { strict: false } } }`,
    )
    const {
      code: status,
      stdout,
      stderr,
    } = await runIn(folder, [
      process.execPath,
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--testTimeout=60000',
      '--no-isolate',
      '--no-file-parallelism',
    ])
    expect(status, stdout + stderr + texts.join('\n')).toBe(0)
    expect(stdout).toContain('2 passed')
  })
})

describeWith('curl', 'a script with curl', () => {
  test.each(KINDS)('passes, and fails on another answer (fixtures: %s)', async (fixtures) => {
    const { url, folder, code } = await session(fixtures)
    const text = code('curl')
    writeFileSync(join(folder, 'session.sh'), text)
    const passing = await runIn(folder, ['sh', 'session.sh'], { SIM_URL: url })
    expect([passing.code, passing.stdout, passing.stderr]).toEqual([0, 'All answers are as recorded.\n', ''])
    writeFileSync(join(folder, 'other.sh'), text.replaceAll('\'"amount":44900\'', '\'"amount":1\''))
    const failing = await runIn(folder, ['sh', 'other.sh'], { SIM_URL: url })
    expect(failing.code).toBe(1)
    expect(failing.stderr).toContain('step 3: the answer lacks "amount":1\n')
    // Both scripts have removed their workspaces.
    const { data } = (await (await fetch(`${url}/_sim/workspaces`)).json()) as { data: object[] }
    expect(data).toHaveLength(1)
  })
})

describeWith('Python', 'a test for pytest', () => {
  test.each(KINDS)('passes (fixtures: %s)', async (fixtures) => {
    const { url, folder, code, contact } = await session(fixtures)
    const text = code('pytest')
    expect(text).toContain('contact = workspace.fetch("crm", "/contacts", method="POST", json={')
    expect(text).toContain('contact.json()["id"]')
    expect(text).not.toContain(contact.id)
    mkdirSync(join(folder, 'tests'))
    writeFileSync(join(folder, 'test_session.py'), text)
    const {
      code: status,
      stdout,
      stderr,
    } = await runIn(
      folder,
      [
        '/usr/bin/python3',
        '-m',
        'pytest',
        '-p',
        'suite_simulator.plugin',
        '-p',
        'no:cacheprovider',
        '-q',
        '.',
      ],
      { PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1', SUITE_SIM_URL: url },
    )
    expect(status, stdout + stderr + text).toBe(0)
    expect(stdout).toContain('1 passed')
  })
})
