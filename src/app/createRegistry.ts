/** Creates the registry of the workspaces of a database. */
import type { InterfaceDefinition } from '../http/definition/definition.ts'
import type { Observed } from '../observed/follow.ts'
import type { Database } from '../state/storage/database/database.ts'
import type { Records } from '../state/storage/records/records.ts'
import { Registry } from '../state/workspace/registry.ts'
import { mustBelongTo } from '../state/workspace/shard.ts'
import type { AppOptions } from './options.ts'

/** Throws a DatabaseFileError if the database is that of another shard. */
export function createRegistry(
  { seed = null, shard = null, readings, firstAccountId, maxWorkspaceBytes }: AppOptions,
  observed: Pick<Observed, 'readings'> | null,
  interfaces: readonly InterfaceDefinition[],
  database: Database,
  records: Records,
  logFailure: (error: unknown, message: string, facts: object) => void,
): Registry {
  mustBelongTo(database, shard)
  const registry = new Registry(database, {
    seed,
    shard,
    readings: { ...observed?.readings, ...readings },
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
