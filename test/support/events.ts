/** The events that a workspace has stored. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Workspace } from '../../src/state/workspace/workspace.ts'

interface StoredEvent<Data> {
  readonly name: string
  readonly data: Data
}

/** Returns the events of an interface in a workspace, oldest first. */
export function eventsOf<Data = Record<string, unknown>>(
  { database, rowScope }: Workspace,
  of: InterfaceName,
): StoredEvent<Data>[] {
  const rows = database.sqlite
    .prepare('SELECT name, data FROM events WHERE workspace = ? AND interface = ? ORDER BY rowid')
    .all(rowScope, of) as StoredEvent<string>[]
  return rows.map(({ name, data }) => ({ name, data: JSON.parse(data) as Data }))
}

/** Returns their names. */
export const eventNamesOf = (workspace: Workspace, of: InterfaceName): string[] =>
  eventsOf(workspace, of).map(({ name }) => name)
