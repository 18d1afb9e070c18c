/**
 * Who may call what: for every operation of every interface each way in which a key may be wrong, derived from the
 * credential of its dialect and from its permissions. A refusal changes nothing; each is judged by its document.
 */
import { describe, expect, test } from 'vitest'
import { SCOPES as KEY_SCOPES } from '../../src/control/keyScopes.ts'
import { queryProperties } from '../../src/http/reasons.ts'
import { scopesOf } from '../../src/http/operation.ts'
import type { MountedRoute } from '../../src/http/definition.ts'
import type { Reason } from '../../src/state/refusal.ts'
import { credentialHeader, type Answer } from '../support/app.ts'
import { everyOperation } from '../support/examples.ts'
import { PUBLISHED, publishedOf } from '../support/published.ts'
import { Prepared } from './prepared.ts'

const operations = everyOperation()

/** Every permission that any operation asks for. */
const SCOPES = [
  ...new Set(
    operations.flatMap(({ route: { operation } }) => [
      ...scopesOf(operation),
      ...(operation.orScope === undefined ? [] : [operation.orScope]),
    ]),
  ),
]

test('keys may have every scope that an operation asks for, and no other', () => {
  expect(KEY_SCOPES.toSorted()).toEqual(SCOPES.toSorted())
})

/** Every header in which some interface expects its key, with a key in it. */
const headersWith = (key: string): Record<string, string>[] =>
  PUBLISHED.map(({ definition }) => credentialHeader(definition, key))

/** The account is that of the key. */
const namesRecord = ({ path }: MountedRoute): boolean => /\{(?!account_id\})/.test(path)

/** Where the rule has no meaning for an operation there is no test of it, not one that is skipped. */
const testWhen = (condition: boolean): ((name: string, run: () => Promise<void>) => void) =>
  condition ? test : () => undefined

describe.each(operations.map((subject) => [subject.title, subject] as const))('%s', (_title, subject) => {
  const { route } = subject
  const { operation: described } = route
  const operation = new Prepared(subject)
  const { definition } = publishedOf(route.interface)
  const { credential } = definition.dialect
  const asksForKey = described.open !== true && credential.kind !== 'open'
  const scopes = scopesOf(described)
  const headerName = credential.kind === 'header' ? credential.header : 'authorization'

  /** In the words of the interface: its code, a message, and how to come with a key. */
  const mustSay = (answers: readonly Answer[], reason: Reason, words: string): void => {
    const { status, code } = definition.dialect.refusals[reason]
    for (const { text, headers } of answers) {
      expect(text).toContain(`"${code}"`)
      expect(text).toContain(words)
      if (status === 401 && credential.kind === 'bearer') expect(headers['www-authenticate']).toBe('Bearer')
    }
  }

  testWhen(!asksForKey)('needs no key', async () => {
    const { call, method, path, query, sent, fresh } = await operation.fresh()
    // Other workspaces of this app hold records with the same ids.
    const named = 'workspace' in queryProperties(route) ? `?workspace=${fresh.workspace.id}` : query
    operation.mustBeTaken(await call(method, path + named, { ...sent, key: null }))
  })

  testWhen(asksForKey)('refuses a call without a key, and says where it belongs', async () => {
    const answers = await operation.refuses('credential_missing', ({ send, sent }) => [
      send({ ...sent, key: null }),
      send({ ...sent, key: null, headers: { [headerName.toLowerCase()]: '' } }),
    ])
    mustSay(answers, 'credential_missing', `The request has no ${headerName} header.`)
  })

  testWhen(asksForKey)('finds a key in no other header', async () => {
    await operation.refuses('credential_missing', ({ fresh, send, sent }) => {
      const others = headersWith(fresh.key).filter((each) => !(headerName.toLowerCase() in each))
      return [...others, { 'x-any-other': fresh.key }].map((headers) => send({ ...sent, key: null, headers }))
    })
  })

  testWhen(asksForKey && credential.kind === 'bearer')('refuses a header that holds no key', async () => {
    await operation.refuses('credential_missing', ({ fresh: { key }, send, sent }) =>
      [key, 'Bearer', 'Bearer ', `Basic ${key}`, `Bearer ${key} more`, `Bearer${key}`].map((authorization) =>
        send({ ...sent, key: null, headers: { authorization } }),
      ),
    )
  })

  testWhen(asksForKey)('refuses a key that nobody has, or has any more', async () => {
    const answers = await operation.refuses('credential_unknown', ({ fresh, send, sent }) => {
      const removed = fresh.makeKey({})
      fresh.app.workspaces.removeKey(removed)
      const unknown = ['unknown', fresh.key.slice(0, -1), `${fresh.key}x`, '__proto__', "'OR'1'='1"]
      return [removed, ...unknown].map((key) => send({ ...sent, key }))
    })
    mustSay(answers, 'credential_unknown', 'The key is not known.')
  })

  testWhen(asksForKey)(
    'refuses a key that has expired, from the very instant on, and takes it before',
    async () => {
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
      operation.mustBeTaken(await send({ ...sent, key }))
    },
  )

  testWhen(asksForKey)(
    'refuses a key that serves other interfaces, and takes one that serves it too',
    async () => {
      const others = PUBLISHED.map((each) => each.definition.name).filter((name) => name !== route.interface)
      const answers = await operation.refuses('forbidden', ({ fresh, send, sent }) =>
        [others, []].map((interfaces) => send({ ...sent, key: fresh.makeKey({ interfaces }) })),
      )
      mustSay(answers, 'forbidden', `The key does not serve the ${route.interface} interface.`)
      const { fresh, send, sent } = await operation.fresh()
      const key = fresh.makeKey({ interfaces: [...others, route.interface] })
      operation.mustBeTaken(await send({ ...sent, key }))
    },
  )

  testWhen(asksForKey && scopes.length > 0)(
    'refuses a key that lacks a permission, and names it',
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

  testWhen(asksForKey)('takes a key with the permissions that it asks for and no other', async () => {
    const { fresh, send, sent } = await operation.fresh()
    operation.mustBeTaken(await send({ ...sent, key: fresh.makeKey({ scopes }) }))
  })

  testWhen(described.orScope !== undefined)(
    'is open to a key with the narrower permission alone',
    async () => {
      const { fresh, send, sent } = await operation.fresh()
      const { status } = await send({ ...sent, key: fresh.makeKey({ scopes: [String(described.orScope)] }) })
      expect(status).not.toBe(operation.dialect.refusals.forbidden.status)
    },
  )

  testWhen(asksForKey && namesRecord(route))('knows no record of another workspace', async () => {
    await operation.refuses('not_found', ({ fresh, send, sent }) => {
      const { key } = fresh.tenant()
      return [send({ ...sent, key })]
    })
  })

  testWhen(asksForKey && !namesRecord(route))('does nothing to another workspace', async () => {
    const { fresh, send, sent } = await operation.fresh()
    const before = fresh.app.records.dump(fresh.workspace)
    const { status } = await send({ ...sent, key: fresh.tenant().key })
    expect(status).toBeLessThan(500)
    expect(fresh.app.records.dump(fresh.workspace)).toEqual(before)
  })
})
