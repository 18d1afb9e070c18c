/**
 * Replaces all records of a workspace, however many. The new ones are written in slices to another row scope, and one
 * small write switches the workspace to it (`scopes.ts`). Changes to the old records during that time are lost.
 */
import type { Records, RecordSet } from './records.ts'
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

/** Resets the workspace to its baseline. `writeAlongside` runs in the transaction of the switch. */
export function resetLarge(state: State, workspace: Workspace, writeAlongside: () => void): Promise<void> {
  const { records } = state
  return replace(
    state,
    workspace,
    async (scope) => {
      await copyRecords(state, workspace.baselineScope, scope)
      workspace.database.write(() => {
        records.copyHistory(workspace.database, workspace.baselineScope, scope)
      })
    },
    () => {
      records.restoreOthers(workspace)
      writeAlongside()
    },
  )
}

/**
 * Replaces the records of a workspace by those of a snapshot. `writeAlongside` runs in the transaction of the switch.
 */
export function loadLarge(
  state: State,
  workspace: Workspace,
  rowsOf: RowsOf,
  writeAlongside: () => void,
): Promise<void> {
  return replace(state, workspace, (scope) => fill(state, scope, rowsOf), writeAlongside)
}

/** Replaces the records of a workspace by a copy of a row scope. */
export function restoreFrom(
  state: State,
  workspace: Workspace,
  from: number,
  writeAlongside: () => void,
): Promise<void> {
  return replace(state, workspace, (scope) => copyRecords(state, from, scope), writeAlongside)
}

/** Copies the current records of a workspace to a row scope, to which `keep` assigns an owner in the same write. */
export async function saveRecords(
  state: State,
  workspace: Workspace,
  keep: (scope: number) => void,
): Promise<void> {
  const scopes = state.records.scopes(workspace.database)
  const scope = scopes.open()
  try {
    await workspace.longWork.holdRequestsUntil(copyRecords(state, workspace.rowScope, scope))
    workspace.write(() => {
      keep(scope)
      scopes.keep(scope)
    })
  } finally {
    scopes.close(scope)
  }
}

/** Creates a workspace in one write, with the records of another as its records and its baseline. */
export async function withRecordsOf<T>(
  state: State,
  workspace: Workspace,
  create: (filled: FilledScopes, keep: () => void) => T,
): Promise<T> {
  const scopes = state.records.scopes(workspace.database)
  const filled = { scope: scopes.open(), base: scopes.open() }
  try {
    await workspace.longWork.holdRequestsUntil(copyRecords(state, workspace.rowScope, filled.scope))
    await copyRecords(state, filled.scope, filled.base)
    return create(filled, () => {
      for (const each of Object.values(filled)) scopes.keep(each)
    })
  } finally {
    for (const each of Object.values(filled)) scopes.close(each)
  }
}

/**
 * Creates a workspace in one write, with the baseline of another, without reading each record. Returns null if that
 * workspace was removed in between.
 */
export async function withBaseOf<T>(
  state: State,
  { id, baselineScope }: Workspace,
  create: (filled: FilledScopes, keep: () => void) => T,
): Promise<T | null> {
  const scopes = state.records.scopes(state.workspaces.database)
  const filled = { scope: scopes.open(), base: scopes.open() }
  try {
    for (const each of Object.values(filled)) await copyRecords(state, baselineScope, each)
    state.workspaces.database.write(() => {
      state.records.copyHistory(state.workspaces.database, baselineScope, filled.base)
    })
    if (state.workspaces.find(id)?.baselineScope !== baselineScope) return null
    return create(filled, () => {
      for (const each of Object.values(filled)) scopes.keep(each)
    })
  } finally {
    for (const each of Object.values(filled)) scopes.close(each)
  }
}

/** Copies records without history. */
const copyRecords = ({ workspaces: { database }, records }: State, from: number, to: number): Promise<void> =>
  records.scopes(database).copyOf(
    records.sets.map(({ table }) => table),
    from,
    to,
  )

async function replace(
  { workspaces, records }: State,
  workspace: Workspace,
  fillScope: (scope: number) => Promise<void>,
  writeAlongside: () => void,
): Promise<void> {
  const scopes = records.scopes(workspace.database)
  const scope = scopes.open()
  try {
    await fillScope(scope)
    if (workspaces.find(workspace.id) !== workspace) {
      refuse('conflict', 'The workspace was removed while its records were being replaced.')
    }
    workspace.write(() => {
      writeAlongside()
      scopes.keep(scope)
      scopes.discard(workspace.rowScope)
      workspaces.moveTo(workspace, scope)
    })
    workspaces.moved(workspace, scope)
  } finally {
    scopes.close(scope)
  }
}

/**
 * Writes the records of a new workspace twice: as its records and as its baseline. `create` creates the workspace and
 * keeps them in one write.
 */
export async function withRecords<T>(
  state: State,
  rowsOf: RowsOf,
  create: (filled: FilledScopes, keep: () => void) => T,
): Promise<T> {
  const scopes = state.records.scopes(state.workspaces.database)
  const scope = scopes.open()
  const base = scopes.open()
  try {
    await fill(state, scope, rowsOf)
    // All tables are copied, because some records create others.
    await copyRecords(state, scope, base)
    return create({ scope, base }, () => {
      for (const each of [scope, base]) scopes.keep(each)
    })
  } finally {
    for (const each of [scope, base]) scopes.close(each)
  }
}

async function fill({ workspaces, records }: State, scope: number, rowsOf: RowsOf): Promise<void> {
  const shadow = workspaces.shadow(scope)
  const slices = new Slices()
  for (const set of records.sets) {
    const rows = rowsOf(set)
    const put = (row: Row): void => {
      records.put(shadow, set, row)
    }
    if (Array.isArray(rows)) {
      let count = 0
      while (count < rows.length) {
        // One write per slice.
        shadow.write(() => {
          do put(rows[count++] as Row)
          while (count < rows.length && !slices.isOver)
        })
        if (slices.isOver) await slices.turn()
      }
    } else {
      for await (const row of rows) {
        shadow.write(() => {
          put(row)
        })
        if (slices.isOver) await slices.turn()
      }
    }
  }
}
