/** Removing an automation, with the record of what it did and what its sequences still have to do. */
import { eq, sql } from 'drizzle-orm'
import { MAX_REMOVED } from '../record.ts'
import type { Workspace } from '../workspace.ts'
import { waitingSteps } from './automationRuns.ts'
import { automations, executions, type Automation } from './automations.ts'
import { executions as executionTable, waitingSteps as stepTable } from './tables.ts'

const id = sql`${sql.placeholder('id')}`
const removeSome = [
  waitingSteps.removeSome(eq(stepTable.automationId, id)),
  executions.removeSome(eq(executionTable.automationId, id)),
]

/**
 * For good. A sequence may wait for as many contacts as there are: where these are very many they go first, in slices,
 * while all who come to the workspace wait; then it resolves when the automation is gone. Null says that it is already.
 */
export const deleteAutomation = (workspace: Workspace, automation: Automation): Promise<void> | null =>
  workspace.writeInSlices(() => {
    if (removeSome.some((remove) => remove(workspace, { id: automation.id }) === MAX_REMOVED)) return false
    automations.remove(workspace, automation.id)
    return true
  })
