/**
 * The specification polices the code: the routes that are registered are those of its table, both ways.
 * `operations.tsv` is the table: interface, method, path, scope (several joined with +, none where it is not shown),
 * status of success; ~ before a status says that the specification does not show it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MountedRoute } from '../../src/http/definition.ts'
import { scopesOf } from '../../src/http/operation.ts'
import { INTERFACE_NAMES } from '../../src/state/interfaceNames.ts'
import { PUBLISHED } from '../support/published.ts'

interface Row {
  readonly interface: string
  readonly method: string
  readonly path: string
  readonly scopes: readonly string[]
  readonly status: number
  readonly statusIsAssumed: boolean
}

const TABLE = new URL('operations.tsv', import.meta.url)
const SPECIFICATION = new URL('../../../shared/spec/operations.tsv', import.meta.url)

const rows: readonly Row[] = readFileSync(TABLE, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [name = '', method = '', path = '', scope = '', success = ''] = line.split('\t')
    return {
      interface: name,
      method,
      path,
      scopes: scope === '' ? [] : scope.split('+'),
      status: Number(success.replace('~', '')),
      statusIsAssumed: success.startsWith('~'),
    }
  })

const rowsOf = (name: string): Row[] => rows.filter((row) => row.interface === name)

/** Where the paths of the table begin, for interfaces whose paths all begin alike. */
const BELOW: Readonly<Record<string, string>> = { conversations: '/accounts/{account_id}' }

const address = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

const successOf = ({ operation }: MountedRoute): number[] =>
  Object.keys(operation.answers)
    .map(Number)
    .filter((status) => status < 300)

test('the table names each operation once', () => {
  const operations = rows.map((row) => `${row.interface} ${address(row)}`)
  expect(operations.filter((operation, index) => operations.indexOf(operation) !== index)).toEqual([])
})

// A checkout without the specification beside it has the copy alone.
if (existsSync(SPECIFICATION)) {
  test('the table is the one of the specification', () => {
    expect(readFileSync(TABLE, 'utf8')).toBe(readFileSync(SPECIFICATION, 'utf8'))
  })
}

test('the interfaces of the server are those of the table, in the order of their list', () => {
  expect([...INTERFACE_NAMES].sort()).toEqual([...new Set(rows.map((row) => row.interface))].sort())
  expect(PUBLISHED.map(({ definition }) => definition.name)).toEqual(INTERFACE_NAMES)
})

describe.each(PUBLISHED.map(({ definition, routes }) => [definition.name, routes] as const))(
  'the %s interface',
  (name, routes) => {
    const due = rowsOf(name).map((row) => ({ ...row, path: `${BELOW[name] ?? ''}${row.path}` }))

    test('has the operations of the table in its order, and no other', () => {
      expect(routes.map(address)).toEqual(due.map(address))
    })

    test.each(due.map((row) => [address(row), row] as const))(
      'answers %s with the status of the table and asks for its scope',
      (_address, row) => {
        const route = routes.find((each) => address(each) === address(row))
        if (!route) throw new Error(`${address(row)} is not registered`)
        const statuses = successOf(route)
        expect(statuses).toContain(row.status)
        const { fidelity } = route.operation
        // What the table leaves open may be filled in, but then the operation says so.
        if (row.statusIsAssumed || statuses.length > 1) expect(fidelity.why).toBeTypeOf('string')
        const scopes = scopesOf(route.operation)
        if (row.scopes.length > 0 || fidelity.why === undefined) expect(scopes).toEqual(row.scopes)
      },
    )
  },
)
