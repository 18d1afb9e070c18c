/** Who waits for an event: the active automations whose trigger names it, the oldest first. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import type { Workspace } from '../workspace.ts'
import { budgetOf, type WaitingAutomation } from './automationBudget.ts'
import { automations as table } from './tables.ts'

const waitsFor = and(ofWorkspace(table), eq(table.event, sql.placeholder('event')), eq(table.active, true))

const anyWaiting = query((orm) => orm.select({ id: table.id }).from(table).where(waitsFor).limit(1))

/** No more of them than it takes to see whether their conditions are met. */
const allWaiting = query((orm) =>
  orm
    .select({ id: table.id, trigger: table.trigger })
    .from(table)
    .where(waitsFor)
    .orderBy(asc(table.createdAt), asc(sql`rowid`)),
)

export const isWaitedFor = (workspace: Workspace, event: string): boolean =>
  anyWaiting.firstCells(workspace, { event }) !== undefined

/** Those of them whose ids are `left`; null is all. */
export function waitingFor(
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
