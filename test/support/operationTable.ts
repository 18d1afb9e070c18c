/**
 * The specification's table `operations.tsv`. Its columns: interface, method, path, scopes (joined with +, none if not
 * shown), success status; ~ before a status means that the specification does not show it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationRow } from '../../src/http/schemas/documentedList.ts'
import { ROOT } from './root.ts'

export const OPERATION_TABLE = join(ROOT, 'test/contract/operations.tsv')

/** The common prefix of the paths in the table, by interface. */
const BELOW: Readonly<Record<string, string>> = { conversations: '/accounts/{account_id}' }

/** The rows in their order, with full paths. */
export const OPERATION_ROWS: readonly OperationRow[] = readFileSync(OPERATION_TABLE, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [name = '', method = '', path = '', scope = '', success = ''] = line.split('\t')
    return {
      interface: name,
      method,
      path: `${BELOW[name] ?? ''}${path}`,
      scopes: scope === '' ? [] : scope.split('+'),
      status: Number(success.replace('~', '')),
      statusIsAssumed: success.startsWith('~'),
    }
  })

export const operationRowsOf = (name: string): OperationRow[] =>
  OPERATION_ROWS.filter((row) => row.interface === name)
