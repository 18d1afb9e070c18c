/**
 * Other records in the place of all that a workspace has, however many: they are written where nobody sees them, in
 * slices, and take the place of the others in one small write (`scopes.ts`). What is written to the workspace meanwhile
 * goes with what it had.
 */
import type { Records, RecordSet } from './records.ts'
import { refuse } from './refusal.ts'
import { Slices } from './slices.ts'
import type { Workspace } from './workspace.ts'
import type { FilledScopes, Workspaces } from './workspaces.ts'

export type Row = Record<string, unknown>

/** The records of a snapshot, set by set. */
export type RowsOf = (set: Pick<RecordSet, 'section' | 'name'>) => Iterable<Row> | AsyncIterable<Row>

interface State {
  readonly workspaces: Workspaces
  readonly records: Records
}

/** Puts the workspace back to what it was made with; what `alongside` writes is part of that. */
export function resetLarge(state: State, workspace: Workspace, alongside: () => void): Promise<void> {
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
      alongside()
    },
  )
}

/** Puts records of a snapshot in the place of those of a workspace; what `alongside` writes is part of that. */
export function loadLarge(
  state: State,
  workspace: Workspace,
  rowsOf: RowsOf,
  alongside: () => void,
): Promise<void> {
  return replace(state, workspace, (scope) => fill(state, scope, rowsOf), alongside)
}

/** Puts what stands under a scope, which stays there, in the place of the records of a workspace. */
export function restoreFrom(
  state: State,
  workspace: Workspace,
  from: number,
  alongside: () => void,
): Promise<void> {
  return replace(state, workspace, (scope) => copyRecords(state, from, scope), alongside)
}

/** Copies the records of a workspace, as they are now, to a scope that `keep` makes somebody's in the same write. */
export async function saveRecords(
  state: State,
  workspace: Workspace,
  keep: (scope: number) => void,
): Promise<void> {
  const scopes = state.records.scopes(workspace.database)
  const scope = scopes.open()
  try {
    await workspace.keepWaiting(copyRecords(state, workspace.rowScope, scope))
    workspace.write(() => {
      keep(scope)
      scopes.keep(scope)
    })
  } finally {
    scopes.close(scope)
  }
}

/** Makes a workspace with the records of another, in one write; they are what it goes back to as well. */
export async function withRecordsOf<T>(
  state: State,
  workspace: Workspace,
  make: (filled: FilledScopes, keep: () => void) => T,
): Promise<T> {
  const scopes = state.records.scopes(workspace.database)
  const filled = { scope: scopes.open(), base: scopes.open() }
  try {
    await workspace.keepWaiting(copyRecords(state, workspace.rowScope, filled.scope))
    await copyRecords(state, filled.scope, filled.base)
    return make(filled, () => {
      for (const each of Object.values(filled)) scopes.keep(each)
    })
  } finally {
    for (const each of Object.values(filled)) scopes.close(each)
  }
}

/**
 * Makes a workspace with what another was made with, in one write, without going through each record; null where that
 * one was removed meanwhile.
 */
export async function withBaseOf<T>(
  state: State,
  { id, baselineScope }: Workspace,
  make: (filled: FilledScopes, keep: () => void) => T,
): Promise<T | null> {
  const scopes = state.records.scopes(state.workspaces.database)
  const filled = { scope: scopes.open(), base: scopes.open() }
  try {
    for (const each of Object.values(filled)) await copyRecords(state, baselineScope, each)
    state.workspaces.database.write(() => {
      state.records.copyHistory(state.workspaces.database, baselineScope, filled.base)
    })
    if (state.workspaces.find(id)?.baselineScope !== baselineScope) return null
    return make(filled, () => {
      for (const each of Object.values(filled)) scopes.keep(each)
    })
  } finally {
    for (const each of Object.values(filled)) scopes.close(each)
  }
}

/** What happened stays behind: it is no part of what a workspace holds. */
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
  alongside: () => void,
): Promise<void> {
  const scopes = records.scopes(workspace.database)
  const scope = scopes.open()
  try {
    await fillScope(scope)
    if (workspaces.find(workspace.id) !== workspace) {
      refuse('conflict', 'The workspace was removed while its records were being replaced.')
    }
    workspace.write(() => {
      alongside()
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
 * Writes the records that a new workspace is to have, twice: as what it has and as what it is made with. `make` makes the
 * workspace with them, and keeps them, in one write.
 */
export async function withRecords<T>(
  state: State,
  rowsOf: RowsOf,
  make: (filled: FilledScopes, keep: () => void) => T,
): Promise<T> {
  const scopes = state.records.scopes(state.workspaces.database)
  const scope = scopes.open()
  const base = scopes.open()
  try {
    await fill(state, scope, rowsOf)
    // Some records come with others, so all tables are looked into.
    await copyRecords(state, scope, base)
    return make({ scope, base }, () => {
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
        // What fits into a slice is one write.
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
