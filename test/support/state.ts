/** The state without the server: a database in memory and workspaces, one of them with a frozen clock. */
import { onTestFinished } from 'vitest'
import { MIGRATIONS } from '../../src/assets.ts'
import { catalogRecords } from '../../src/state/catalog/records.ts'
import { offsetInstantOf } from '@suite-sim/kit/time/instants'
import { renderUnchanged } from '../../src/state/workspace/events.ts'
import { Database } from '../../src/state/storage/database/database.ts'
import { Records } from '../../src/state/storage/records/records.ts'
import type { User } from '../../src/state/workspace/users.ts'
import type { Workspace } from '../../src/state/workspace/workspace.ts'
import { Registry, type RegistryOptions } from '../../src/state/workspace/registry.ts'

export { MIGRATIONS }

export const NOON = offsetInstantOf('2026-11-21T12:00:00Z')

export interface Tenancy {
  readonly workspace: Workspace
  readonly user: User
}

export interface FreshState extends Tenancy {
  readonly database: Database
  readonly workspaces: Registry
  /** The record sets of the catalog. */
  readonly records: Records
  /** Creates another workspace with a user. */
  readonly tenancy: () => Tenancy
}

export function freshState(options: RegistryOptions = {}): FreshState {
  const database = new Database(':memory:', MIGRATIONS)
  onTestFinished(() => {
    database.close()
  })
  const workspaces = new Registry(database, {
    renderers: new Map([['catalog', renderUnchanged]]),
    ...options,
  })
  const tenancy = (): Tenancy =>
    workspaces.create({ name: 'Test workspace' }, (workspace) => {
      workspace.clock.set(NOON, true)
      return { workspace, user: workspace.addUser({ name: 'Test User', email: 'test.user@example.com' }) }
    })
  return { database, workspaces, records: new Records(catalogRecords, []), tenancy, ...tenancy() }
}
