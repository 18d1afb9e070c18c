/** Creates very many records quickly, as copies of one row made by the database. */
import type { Workspace } from '../../src/state/workspace/workspace.ts'

/**
 * Makes copies of the only row that a workspace has in a table. `cells` are SQL expressions for columns that differ;
 * `n` is the number of the copy, from 1. By default, ids get the number as a suffix.
 */
export function multiply(
  { database, rowScope }: Workspace,
  table: string,
  copies: number,
  cells: Readonly<Record<string, string>> = {},
): void {
  const { sqlite } = database
  const columns = (sqlite.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name)
  const differing: Readonly<Record<string, string>> = {
    ...(columns.includes('id') && { id: `"id" || '_' || n` }),
    ...(columns.includes('revision') && { revision: 'next_revision()' }),
    ...cells,
  }
  const names = columns.map((name) => `"${name}"`).join(', ')
  const values = columns.map((name) => differing[name] ?? `"${name}"`).join(', ')
  database.write(() => {
    sqlite
      .prepare(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :copies),
         model AS MATERIALIZED (SELECT * FROM "${table}" WHERE "workspace" = :workspace LIMIT 1)
         INSERT INTO "${table}" (${names}) SELECT ${values} FROM model, numbers`,
      )
      .run({ copies, workspace: rowScope })
  })
  database.flush()
}
