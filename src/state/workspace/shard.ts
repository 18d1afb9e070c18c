/**
 * The name of this server among several behind one proxy. Ids and keys of workspaces start with it, so that a proxy finds
 * the server of a call by its key or its URL.
 */
import { eq } from 'drizzle-orm'
import { DatabaseFileError } from '../storage/database/databaseFileError.ts'
import type { Database } from '../storage/database/database.ts'
import { meta } from '../storage/tables.ts'

/** Returns the start of a new key ("sim") or control token ("simctl"): "sim_", with a shard "sim_s1_". */
export const keyPrefix = (kind: 'sim' | 'simctl', shard: string | null): string =>
  shard === null ? `${kind}_` : `${kind}_${shard}_`

/** Returns the start of a new workspace id: "", with a shard "s1-". */
export const idPrefix = (shard: string | null): string => (shard === null ? '' : `${shard}-`)

/** Returns the end of a message about an unknown key or control token: which other shard it names; or ''. */
export const shardOfKeyHint = (key: string, own: string | null): string =>
  otherShard(
    key.startsWith('simctl_') ? 'The control token' : 'The key',
    /^sim(?:ctl)?_([a-z0-9]{1,8})_/.exec(key)?.[1],
    own,
  )

/** The same for a workspace id. Without shards, an id can start like one that names a shard. */
export const shardOfIdHint = (id: string, own: string | null): string =>
  own === null ? '' : otherShard('The workspace', /^([a-z0-9]{1,8})-/.exec(id)?.[1], own)

function otherShard(what: string, named: string | undefined, own: string | null): string {
  if (named === undefined || named === own) return ''
  const here = own === null ? 'this server has no shard name' : `this is shard ${own}`
  return ` ${what} belongs to shard ${named}, and ${here}.`
}

/**
 * Stores the name in a new file. Throws a DatabaseFileError if the file was made with another name or without one,
 * because the proxy would not find its workspaces.
 */
export function mustBelongTo(database: Database, shard: string | null): void {
  if (database.isNew) {
    if (shard === null) return
    database.write(() => {
      database.orm.insert(meta).values({ name: 'shard', value: shard }).run()
    })
    return
  }
  const stored = database.orm.select().from(meta).where(eq(meta.name, 'shard')).get()?.value ?? null
  if (stored === shard) return
  const made = stored === null ? 'without a shard name' : `as shard ${stored}`
  const advice = stored === null ? 'start without --shard' : `start with --shard ${stored}`
  throw new DatabaseFileError(
    `${database.file} was made ${made}: ${advice}, or choose another file with --db`,
  )
}
