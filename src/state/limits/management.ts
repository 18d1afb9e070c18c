/** Labels and ttl of a workspace, which resets and snapshots leave alone. */
import { eq, sql } from 'drizzle-orm'
import { statement, type Database } from '../storage/database/database.ts'
import { writer } from '../storage/database/prepared.ts'
import { workspaces, type Labels } from '../storage/tables.ts'
import { firstDeadline } from './lifetime.ts'
import { beforeTtl } from './ranUntil.ts'

/** The name and the value of a label. */
export type Label = readonly [name: string, value: string]

/** A change. What it does not contain stays the same. */
export interface Management {
  /** null keeps the workspace until it is deleted by a call. */
  readonly ttl?: string | null
  readonly labels?: Labels
}

export function storeManagement(
  database: Database,
  tenantId: number,
  { ttl, labels }: Required<Management>,
): void {
  database.write(() => {
    beforeTtl(database, ttl)
    updateManagement(database, {
      ttl,
      expiresAt: firstDeadline(ttl),
      labels: JSON.stringify(labels),
      number: tenantId,
    })
  })
}

/** Returns the tenant ids of the workspaces with all these labels, in the order of creation. */
export const labeled = (database: Database, labels: readonly Label[]): number[] =>
  withLabels(database)
    .all({ labels: JSON.stringify(labels) })
    .map(({ number }) => number)

const updateManagement = writer((orm) =>
  orm
    .update(workspaces)
    .set({
      ttl: sql`${sql.placeholder('ttl')}`,
      expiresAt: sql`${sql.placeholder('expiresAt')}`,
      labels: sql`${sql.placeholder('labels')}`,
    })
    .where(eq(workspaces.number, sql.placeholder('number'))),
)

const withLabels = statement((orm) =>
  orm
    .select({ number: workspaces.number })
    .from(workspaces)
    .where(
      sql`not exists (
        select 1 from json_each(${sql.placeholder('labels')}) as wanted
        where not exists (
          select 1 from json_each(${workspaces.labels}) as label
          where label.key = json_extract(wanted.value, '$[0]') and label.value = json_extract(wanted.value, '$[1]')
        )
      )`,
    )
    .orderBy(workspaces.number)
    .prepare(),
)
