/** Deletes an automation with its executions and its waiting steps. */
import { eq, sql } from 'drizzle-orm'
import { MAX_REMOVED } from '../../storage/records/record.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { waitingSteps } from './runs.ts'
import { automations, executions, type Automation } from './automations.ts'
import { executions as executionTable, waitingSteps as stepTable } from '../tables.ts'

const id = sql`${sql.placeholder('id')}`
const removeSome = [
  waitingSteps.removeSome(eq(stepTable.automationId, id)),
  executions.removeSome(eq(executionTable.automationId, id)),
]

/**
 * Deletes the automation. If very many steps or executions exist, it deletes them first in slices, and requests to
 * the workspace wait until the promise resolves. Returns null if the deletion is already complete.
 */
export const deleteAutomation = (workspace: Workspace, automation: Automation): Promise<void> | null =>
  workspace.writeInSlices(() => {
    if (removeSome.some((remove) => remove(workspace, { id: automation.id }) === MAX_REMOVED)) return false
    automations.remove(workspace, automation.id)
    return true
  })
