/** Finds the active automations of an event, oldest first. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { budgetOf, type WaitingAutomation } from './budget.ts'
import { automations as table } from '../tables.ts'

const isSetOff = and(ofWorkspace(table), eq(table.event, sql.placeholder('event')), eq(table.active, true))

const anyWaiting = query((orm) => orm.select({ id: table.id }).from(table).where(isSetOff).limit(1))

/** Selects only the columns that conditions need. */
const allWaiting = query((orm) =>
  orm
    .select({ id: table.id, trigger: table.trigger })
    .from(table)
    .where(isSetOff)
    .orderBy(asc(table.createdAt), asc(sql`rowid`)),
)

export const hasAutomationsFor = (workspace: Workspace, event: string): boolean =>
  anyWaiting.firstCells(workspace, { event }) !== undefined

/** Returns the automations of an event, or those of them in `left`. */
export function automationsFor(
  workspace: Workspace,
  event: string,
  left: readonly string[] | null,
): readonly WaitingAutomation[] {
  const { waiting } = budgetOf(workspace)
  const all = waiting?.get(event) ?? allWaiting.all(workspace, { event })
  waiting?.set(event, all)
  if (left === null) return all
  const wanted = new Set(left)
  return all.filter(({ id }) => wanted.has(id))
}
