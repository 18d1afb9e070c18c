/** Creates the registry of the workspaces of a database. */
import type { Extension, InterfaceDefinition } from '../http/definition/definition.ts'
import type { Database } from '../state/storage/database/database.ts'
import type { Records } from '../state/storage/records/records.ts'
import { Registry } from '../state/workspace/registry.ts'
import { mustBelongTo } from '../state/workspace/shard.ts'
import type { AppOptions } from './options.ts'

/** Loads the list of readings, which few starts need. */
export const loadReadings = () => import('../control/shared/readings.ts')

/** Throws a DatabaseFileError if the database is that of another shard. */
export function createRegistry(
  { seed = null, shard = null, readings, firstAccountId, maxWorkspaceBytes }: AppOptions,
  extension: Extension,
  interfaces: readonly InterfaceDefinition[],
  database: Database,
  records: Records,
  logFailure: (error: unknown, message: string, facts: object) => void,
): Registry {
  mustBelongTo(database, shard)
  const registry = new Registry(database, {
    seed,
    shard,
    readings: { ...extension.readings, ...readings },
    quota: records.quota(database, maxWorkspaceBytes),
    jobs: records.sets.flatMap(({ job }) => job ?? []),
    onJobsDisabled: (error, { id }) => {
      logFailure(error, 'disabled jobs that kept failing', { workspace: id })
    },
    renderers: new Map(interfaces.map(({ name, renderEvent }) => [name, renderEvent])),
  })
  if (firstAccountId !== undefined) registry.countFrom(firstAccountId)
  return registry
}
