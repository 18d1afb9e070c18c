/**
 * Authentication and permissions: tests every operation with every kind of invalid key, derived from the credential
 * of its dialect and its scopes. A refusal changes nothing, and each response must match the published document.
 */
import { expect, test } from 'vitest'
import { SCOPES as KEY_SCOPES } from '@suite-sim/kit/scopes'
import { queryProperties } from '../../src/http/openapi/reasons.ts'
import { scopesOf } from '../../src/http/definition/operation.ts'
import { areaScope } from '../../src/http/definition/unlistedScopes.ts'
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import type { Reason } from '../../src/state/model/refusal.ts'
import { credentialHeader, type Answer } from '../support/app.ts'
import { everyOperation } from '../support/examples.ts'
import { PUBLISHED, publishedOf } from '../support/published.ts'
import { Cases } from './cases.ts'
import { Prepared } from './prepared.ts'
import { rowsOf } from '../support/records.ts'

const operations = everyOperation()

/** Every scope that any operation requires. */
const SCOPES = [
  ...new Set(
    operations.flatMap(({ route: { operation } }) => [
      ...scopesOf(operation),
      ...(operation.orScope === undefined ? [] : [operation.orScope]),
    ]),
  ),
]

test('allows a key to have exactly the scopes that operations require', () => {
  expect(KEY_SCOPES.toSorted()).toEqual(SCOPES.toSorted())
})

/** Every header in which an interface expects its key, with a valid key. */
const headersWith = (key: string): Record<string, string>[] =>
  PUBLISHED.map(({ definition }) => credentialHeader(definition, key))

/** The account id of conversations follows from the key. */
const namesRecord = ({ path }: MountedRoute): boolean => /\{(?!account_id\})/.test(path)

for (const subject of operations) {
  const { route } = subject
  const { operation: described } = route
  const operation = new Prepared(subject)
  const cases = new Cases()
  const { definition, routes } = publishedOf(route.interface)
  const { credential } = definition.dialect
  const asksForKey = described.open !== true && credential.kind !== 'open'
  /** The scope that the reading scopes.unlisted derives, if the specification lists none. */
  const derived = areaScope(route, routes)
  const scopes = derived === undefined ? scopesOf(described) : [derived]
  const headerName = credential.kind === 'header' ? credential.header : 'authorization'

  /** The message is that of the interface: its code, its text and a hint how to send a key. */
  const mustSay = (answers: readonly Answer[], reason: Reason, words: string): void => {
    const { status, code } = definition.dialect.refusals[reason]
    for (const { text, headers } of answers) {
      expect(text).toContain(`"${code}"`)
      expect(text).toContain(words)
      if (status === 401 && credential.kind === 'bearer') expect(headers['www-authenticate']).toBe('Bearer')
    }
  }

  cases.when(!asksForKey)('needs no key', async () => {
    const { call, method, path, query, sent, fresh } = await operation.accepting()
    const named = 'workspace' in queryProperties(route) ? `?workspace=${fresh.workspace.id}` : query
    operation.mustSucceed(await call(method, path + named, { ...sent, key: null }))
  })

  cases.when(asksForKey)('refuses a call without a key, and names the header', async () => {
    const answers = await operation.refuses('credential_missing', ({ send, sent }) => [
      send({ ...sent, key: null }),
      send({ ...sent, key: null, headers: { [headerName.toLowerCase()]: '' } }),
    ])
    mustSay(answers, 'credential_missing', `The request has no ${headerName} header.`)
  })

  cases.when(asksForKey)('ignores keys in other headers', async () => {
    await operation.refuses('credential_missing', ({ fresh, send, sent }) => {
      const others = headersWith(fresh.key).filter((each) => !(headerName.toLowerCase() in each))
      return [...others, { 'x-any-other': fresh.key }].map((headers) => send({ ...sent, key: null, headers }))
    })
  })

  cases.when(asksForKey && credential.kind === 'bearer')('refuses a header without a key', async () => {
    await operation.refuses('credential_missing', ({ fresh: { key }, send, sent }) =>
      [key, 'Bearer', 'Bearer ', `Basic ${key}`, `Bearer ${key} more`, `Bearer${key}`].map((authorization) =>
        send({ ...sent, key: null, headers: { authorization } }),
      ),
    )
  })

  cases.when(asksForKey)('refuses unknown and removed keys', async () => {
    const answers = await operation.refuses('credential_unknown', ({ fresh, send, sent }) => {
      const removed = fresh.makeKey({})
      fresh.app.workspaces.keys.remove(removed)
      const unknown = ['unknown', fresh.key.slice(0, -1), `${fresh.key}x`, '__proto__', "'OR'1'='1"]
      return [removed, ...unknown].map((key) => send({ ...sent, key }))
    })
    mustSay(answers, 'credential_unknown', 'The key is unknown.')
  })

  cases.when(asksForKey)('refuses a key from the instant of its expiry on', async () => {
    const instant = Date.parse('2026-06-01T12:00:00Z')
    const maker = await operation.fresh()
    const { fresh, send, sent } = maker
    const key = fresh.makeKey({ expiresAt: instant })
    fresh.setClock('2026-06-01T12:00:00.000Z')
    const answers = await operation.refuses(
      'credential_expired',
      () => [send({ ...sent, key })],
      Promise.resolve(maker),
    )
    mustSay(answers, 'credential_expired', 'The key has expired.')
    fresh.setClock('2026-06-01T11:59:59.999Z')
    operation.mustSucceed(await send({ ...sent, key }))
  })

  cases.when(asksForKey)('refuses a key that is limited to other interfaces', async () => {
    const others = PUBLISHED.map((each) => each.definition.name).filter((name) => name !== route.interface)
    const answers = await operation.refuses('forbidden', ({ fresh, send, sent }) =>
      [others, []].map((interfaces) => send({ ...sent, key: fresh.makeKey({ interfaces }) })),
    )
    mustSay(answers, 'forbidden', `The key does not serve the ${route.interface} interface.`)
    const { fresh, send, sent } = await operation.accepting()
    const key = fresh.makeKey({ interfaces: [...others, route.interface] })
    operation.mustSucceed(await send({ ...sent, key }))
  })

  cases.when(asksForKey && scopes.length > 0)(
    'refuses a key that lacks a permission, and names the permission',
    async () => {
      for (const scope of scopes) {
        const others = SCOPES.filter((each) => each !== scope && each !== described.orScope)
        const lacking = [others, [...others, `${scope}s`, scope.toUpperCase(), `${scope}:more`]]
        const answers = await operation.refuses('forbidden', ({ fresh, send, sent }) =>
          lacking.map((each) => send({ ...sent, key: fresh.makeKey({ scopes: each }) })),
        )
        mustSay(answers, 'forbidden', `The key lacks the permission ${scope}.`)
      }
      await operation.refuses('forbidden', ({ fresh, send, sent }) => [
        send({ ...sent, key: fresh.makeKey({ scopes: [] }) }),
      ])
    },
  )

  cases.when(asksForKey)('accepts a key that has exactly the required permissions', async () => {
    const { fresh, send, sent } = await operation.accepting()
    operation.mustSucceed(await send({ ...sent, key: fresh.makeKey({ scopes }) }))
  })

  cases.when(derived !== undefined)('accepts a key without permissions under the reading any', async () => {
    const { fresh, send, sent } = await operation.fresh()
    fresh.workspace.change({ readings: { 'scopes.unlisted': 'any' } })
    operation.mustSucceed(await send({ ...sent, key: fresh.makeKey({ scopes: [] }) }))
  })

  cases.when(described.orScope !== undefined)(
    'accepts a key that has only the narrower permission',
    async () => {
      const { fresh, send, sent } = await operation.accepting()
      const { status } = await send({ ...sent, key: fresh.makeKey({ scopes: [String(described.orScope)] }) })
      expect(status).not.toBe(operation.dialect.refusals.forbidden.status)
    },
  )

  cases.when(asksForKey && namesRecord(route))(
    'returns not found for a record of another workspace',
    async () => {
      await operation.refuses('not_found', ({ fresh, send, sent }) => {
        const { key } = fresh.tenant()
        return [send({ ...sent, key })]
      })
    },
  )

  cases.when(asksForKey && !namesRecord(route))('changes nothing in another workspace', async () => {
    const { fresh, send, sent } = await operation.fresh()
    const before = rowsOf(fresh.app.records, fresh.workspace)
    const { status } = await send({ ...sent, key: fresh.tenant().key })
    expect(status).toBeLessThan(500)
    expect(rowsOf(fresh.app.records, fresh.workspace)).toEqual(before)
  })

  cases.test(`${subject.title} accepts the right keys only`)
}
