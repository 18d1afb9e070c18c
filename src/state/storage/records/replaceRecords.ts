/**
 * Replaces all records of a workspace, however many. The new ones are written in slices to another row scope, and one
 * small write switches the workspace to it (`scopes.ts`). Changes to the old records during that time are lost.
 */
import type { Records, RecordSet } from './records.ts'
import type { Scopes } from './scopes.ts'
import { refuse } from '../../model/refusal.ts'
import { Slices } from '../../model/slices.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { FilledScopes, Registry } from '../../workspace/registry.ts'

export type Row = Record<string, unknown>

/** The records of a snapshot by set. */
export type RowsOf = (set: Pick<RecordSet, 'section' | 'name'>) => Iterable<Row> | AsyncIterable<Row>

interface State {
  readonly workspaces: Registry
  readonly records: Records
}

/** Writes records to an empty row scope, in slices. */
export type Fill = (scope: number) => Promise<void>

/** The number of rows in one write, which must be small, because a write can't be interrupted. */
const ROWS_PER_WRITE = 20

/** Fills a scope with the records of a snapshot. */
export const fillWithRows =
  ({ workspaces, records }: State, rowsOf: RowsOf): Fill =>
  async (scope) => {
    const shadow = workspaces.shadow(scope)
    const slices = new Slices()
    for (const set of records.sets) {
      let rows: Row[] = []
      const putAll = (): void => {
        shadow.write(() => {
          for (const row of rows) records.put(shadow, set, row)
        })
        rows = []
      }
      for await (const row of rowsOf(set)) {
        rows.push(row)
        if (rows.length < ROWS_PER_WRITE) continue
        putAll()
        if (slices.isOver) await slices.turn()
      }
      if (rows.length > 0) putAll()
    }
  }

/** Fills a scope with a copy of the records of another, without their history. */
export const fillWithCopy =
  ({ workspaces: { database }, records }: State, from: number): Fill =>
  (scope) =>
    records.scopes(database).copyOf(
      records.sets.map(({ table }) => table),
      from,
      scope,
    )

/** Fills a scope with a baseline: its records and history. */
export const fillWithBaseline =
  (state: State, base: number): Fill =>
  async (scope) => {
    const { database } = state.workspaces
    await fillWithCopy(state, base)(scope)
    database.write(() => {
      state.records.copyHistory(database, base, scope)
    })
  }

/** The reason to refuse records that are larger than a workspace can be: those of a body, or a copy. */
export type QuotaReason = 'too_large' | 'full'

/**
 * Replaces the records of a workspace. `writeAlongside` runs in the transaction of the switch to a scope. Without a `reason`, as for
 * resets, the quota does not apply.
 */
export async function replaceRecords(
  { workspaces, records }: State,
  workspace: Workspace,
  fill: Fill,
  writeAlongside: (scope: number) => void,
  reason?: QuotaReason,
): Promise<void> {
  const scopes = records.scopes(workspace.database)
  await withScope(scopes, async (scope) => {
    await fill(scope)
    if (reason) {
      const others = workspace.quota.scopes.filter((each) => each !== workspace.rowScope)
      await workspaces.quota.mustHold([scope, ...others], reason)
    }
    mustExist(workspaces, workspace, 'while its records were being replaced')
    workspace.write(() => {
      writeAlongside(scope)
      scopes.keep(scope)
      scopes.discard(workspace.rowScope)
      workspaces.moveTo(workspace, scope)
    })
    workspaces.moved(workspace, scope)
  })
}

/** Refuses to continue if the workspace was removed in between. */
function mustExist(workspaces: Registry, workspace: Workspace, when: string): void {
  if (workspaces.find(workspace.id) !== workspace) refuse('conflict', `The workspace was removed ${when}.`)
}

/** Copies the current records of a workspace to a row scope, to which `keep` assigns an owner in the same write. */
export async function saveRecords(
  state: State,
  workspace: Workspace,
  keep: (scope: number) => void,
): Promise<void> {
  const scopes = state.records.scopes(workspace.database)
  await withScope(scopes, async (scope) => {
    await workspace.longWork.holdRequestsUntil(fillWithCopy(state, workspace.rowScope)(scope))
    await state.workspaces.quota.mustHold([...workspace.quota.scopes, scope], 'full')
    mustExist(state.workspaces, workspace, 'while it was being saved')
    workspace.write(() => {
      keep(scope)
      scopes.keep(scope)
    })
    workspace.quota.forget()
  })
}

/**
 * Creates a workspace in one write, in which `create` calls `keep`. `fill` writes its records and history, and a copy of
 * them becomes its baseline.
 */
export async function createWithRecords<T>(
  state: State,
  fill: Fill,
  reason: QuotaReason,
  create: (filled: FilledScopes, keep: () => void) => T,
): Promise<T> {
  const { database } = state.workspaces
  const scopes = state.records.scopes(database)
  return withScope(scopes, (scope) =>
    withScope(scopes, async (base) => {
      await fill(scope)
      await fillWithCopy(state, scope)(base)
      database.write(() => {
        state.records.copyHistory(database, scope, base)
      })
      await state.workspaces.quota.mustHold([scope, base], reason)
      return create({ scope, base }, () => {
        for (const each of [scope, base]) scopes.keep(each)
      })
    }),
  )
}

/** Creates a workspace in one write, in which `create` calls `keep`. It shares a baseline, which has its first records. */
export async function createWithBaseline<T>(
  state: State,
  base: number,
  reason: QuotaReason,
  create: (filled: FilledScopes, keep: () => void) => T,
): Promise<T> {
  const scopes = state.records.scopes(state.workspaces.database)
  // Until the workspace has it, the baseline can lose its last owner.
  return scopes.whileReading(base, () =>
    withScope(scopes, async (scope) => {
      await fillWithBaseline(state, base)(scope)
      await state.workspaces.quota.mustHold([scope, base], reason)
      return create({ scope, base }, () => {
        for (const each of [scope, base]) scopes.keep(each)
      })
    }),
  )
}

/** Makes the current records, users, counters, settings and clock those that a reset restores. */
export async function keepAsBaseline(state: State, workspace: Workspace): Promise<void> {
  const { workspaces, records } = state
  const scopes = records.scopes(workspace.database)
  await withScope(scopes, async (base) => {
    await workspace.longWork.holdRequestsUntil(fillWithCopy(state, workspace.rowScope)(base))
    await workspaces.quota.mustHold([workspace.rowScope, base], 'full')
    mustExist(workspaces, workspace, 'while it was being saved')
    workspace.write(() => {
      scopes.keep(base)
      records.replaceBaseline(workspace, base)
      workspaces.moveBaseline(workspace, base)
    })
    workspace.baselineScope = base
    // Also the counts of rate limits, as after a reset.
    workspace.forget()
  })
}

/** Opens a scope, which is deleted in the background unless `use` keeps it. */
async function withScope<T>(scopes: Scopes, use: (scope: number) => Promise<T>): Promise<T> {
  const scope = scopes.open()
  try {
    return await use(scope)
  } finally {
    scopes.close(scope)
  }
}
