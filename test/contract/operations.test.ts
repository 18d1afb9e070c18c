/**
 * The registered routes must equal the specification's table `operations.tsv`. Its columns: interface, method, path,
 * scopes (joined with +, none if not shown), success status; ~ before a status means that the specification does not
 * show it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import { scopesOf } from '../../src/http/definition/operation.ts'
import { INTERFACE_NAMES } from '../../src/state/model/interfaceNames.ts'
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

/** The common prefix of the paths in the table, by interface. */
const BELOW: Readonly<Record<string, string>> = { conversations: '/accounts/{account_id}' }

const address = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

const successOf = ({ operation }: MountedRoute): number[] =>
  Object.keys(operation.answers)
    .map(Number)
    .filter((status) => status < 300)

test('names each operation once', () => {
  const operations = rows.map((row) => `${row.interface} ${address(row)}`)
  expect(operations.filter((operation, index) => operations.indexOf(operation) !== index)).toEqual([])
})

// A checkout without the specification has only the copy.
if (existsSync(SPECIFICATION)) {
  test('equals the table of the specification', () => {
    expect(readFileSync(TABLE, 'utf8')).toBe(readFileSync(SPECIFICATION, 'utf8'))
  })
}

test('lists the interfaces of the server in the order of the table', () => {
  expect([...INTERFACE_NAMES].sort()).toEqual([...new Set(rows.map((row) => row.interface))].sort())
  expect(PUBLISHED.map(({ definition }) => definition.name)).toEqual(INTERFACE_NAMES)
})

describe.each(PUBLISHED.map(({ definition, routes }) => [definition.name, routes] as const))(
  'the %s interface',
  (name, routes) => {
    const due = rowsOf(name).map((row) => ({ ...row, path: `${BELOW[name] ?? ''}${row.path}` }))

    test('has exactly the operations of the table, in its order', () => {
      expect(routes.map(address)).toEqual(due.map(address))
    })

    test.each(due.map((row) => [address(row), row] as const))(
      'documents %s with the status and scope of the table',
      (_address, row) => {
        const route = routes.find((each) => address(each) === address(row))
        if (!route) throw new Error(`${address(row)} is not registered`)
        const statuses = successOf(route)
        expect(statuses).toContain(row.status)
        const { fidelity } = route.operation
        // Where the table states no status, the operation must state its assumption.
        if (row.statusIsAssumed || statuses.length > 1) expect(fidelity.why).toBeTypeOf('string')
        const scopes = scopesOf(route.operation)
        if (row.scopes.length > 0 || fidelity.why === undefined) expect(scopes).toEqual(row.scopes)
      },
    )
  },
)
