/** The registered routes must equal the specification's table `operations.tsv`. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import { scopesOf } from '../../src/http/definition/operation.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { OPERATION_ROWS as rows, OPERATION_TABLE, operationRowsOf } from '../support/operationTable.ts'
import { PUBLISHED } from '../support/published.ts'

const SPECIFICATION = new URL('../../../shared/spec/operations.tsv', import.meta.url)

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
    expect(readFileSync(OPERATION_TABLE, 'utf8')).toBe(readFileSync(SPECIFICATION, 'utf8'))
  })
}

test('lists the interfaces of the server in the order of the table', () => {
  expect([...INTERFACE_NAMES].sort()).toEqual([...new Set(rows.map((row) => row.interface))].sort())
  expect(PUBLISHED.map(({ definition }) => definition.name)).toEqual(INTERFACE_NAMES)
})

describe.each(PUBLISHED.map(({ definition, routes }) => [definition.name, routes] as const))(
  'the %s interface',
  (name, routes) => {
    const due = operationRowsOf(name)

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
        const { fidelity, assumedStatus } = route.operation
        // Where the table states no status, the operation must state its assumption.
        if (row.statusIsAssumed) expect(assumedStatus ?? fidelity.why).toBeTypeOf('string')
        else if (statuses.length > 1) expect(fidelity.why).toBeTypeOf('string')
        const scopes = scopesOf(route.operation)
        if (row.scopes.length > 0 || fidelity.why === undefined) expect(scopes).toEqual(row.scopes)
      },
    )
  },
)
