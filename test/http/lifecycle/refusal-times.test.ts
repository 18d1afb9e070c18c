/** Errors that contain a time use that of the workspace if the request has a known key. */
import { expect, test } from 'vitest'
import { iso } from '@suite-sim/kit/time/instants'
import { credentialHeader, freshApp } from '../../support/app.ts'
import { everyOperation } from '../../support/examples.ts'
import { INTERFACES } from '../../support/subject.ts'

const THEN = '2031-05-06T07:08:09.123Z'

const speaking = await Promise.all(INTERFACES.map(async (entry) => ({ ...entry, ...(await entry.load()) })))

/** Interfaces whose error bodies depend on the time. */
const timed = speaking.filter(({ dialect }) => {
  const said = (at: number): string =>
    JSON.stringify(
      dialect.body({
        reason: 'conflict',
        status: 409,
        code: 'conflict',
        message: 'No.',
        details: undefined,
        facts: undefined,
        at,
      }),
    )
  return said(0) !== said(1)
})

const operations = everyOperation()

interface Trouble {
  readonly status: number
  readonly path?: string
  readonly method?: 'DELETE'
  readonly key?: 'expired' | 'elsewhere' | 'unscoped'
  readonly raw?: string
  readonly contentType?: string
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'an expired key': { status: 401, key: 'expired' },
  'a key that serves another interface': { status: 403, key: 'elsewhere' },
  'a key without permissions': { status: 403, key: 'unscoped' },
  'an unknown path': { status: 404, path: '/nowhere' },
  'an unknown path with an expired key': { status: 401, path: '/nowhere', key: 'expired' },
  'a method that there is not': { status: 405, method: 'DELETE' },
  'an address that is no text': { status: 400, path: '/%ff' },
  'an address that is not encoded': { status: 400, path: '/%' },
  'a broken body': { status: 400, raw: '{' },
  'a body that is too large': { status: 413, raw: `"${'x'.repeat(1_048_576)}"` },
  'a body that is not read': { status: 415, raw: 'x', contentType: 'text/plain' },
}

test('finds interfaces whose errors contain a time', () => {
  expect(timed.map(({ name }) => name)).toContain('integration-payments')
})

for (const definition of timed) {
  const posts = operations.find(
    ({ route }) => route.interface === definition.name && route.method === 'POST' && !/[{]/.test(route.path),
  )
  const scoped = operations.find(
    ({ route }) => route.interface === definition.name && route.operation.scope !== undefined,
  )

  test.each(Object.entries(TROUBLES).filter(([, { key }]) => key !== 'unscoped' || scoped))(
    `${definition.name} uses the time of the workspace for %s`,
    async (_what, { status, path, method, key, raw, contentType }) => {
      const { app, setClock, makeKey, ...fresh } = await freshApp()
      setClock(THEN)
      const keys = {
        expired: makeKey({ userId: fresh.user.id, expiresAt: fresh.workspace.now() }),
        elsewhere: makeKey({ userId: fresh.user.id, interfaces: ['nowhere'] }),
        unscoped: makeKey({ userId: fresh.user.id, scopes: [] }),
      }
      const answer = await app.fastify.inject({
        method: method ?? (raw === undefined ? 'GET' : 'POST'),
        url: definition.basePath + (path ?? (key === 'unscoped' ? scoped : posts)?.route.path ?? ''),
        headers: {
          ...credentialHeader(definition, key === undefined ? fresh.key : keys[key]),
          ...(raw !== undefined && { 'content-type': contentType ?? 'application/json' }),
        },
        ...(raw !== undefined && { payload: raw }),
      })
      expect(answer.statusCode, answer.payload).toBe(status)
      expect(answer.payload).toContain(THEN)
    },
  )

  test(`${definition.name} uses the time of the machine for an unknown key`, async () => {
    const { at, setClock } = await freshApp()
    setClock(THEN)
    for (const key of ['nobody', null]) {
      const before = iso(Date.now()).slice(0, 10)
      const { text } = await at(definition.name)('GET', '/nowhere', { key })
      expect(text).not.toContain(THEN)
      // Midnight may lie between the two.
      expect(text).toMatch(new RegExp(`${before}|${iso(Date.now()).slice(0, 10)}`))
    }
  })
}
