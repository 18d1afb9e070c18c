/** All records of a workspace, read and replaced without HTTP. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../../src/app.ts'
import type { Records } from '../../src/state/storage/records/records.ts'
import {
  fillWithCopy,
  fillWithRows,
  replaceRecords,
  type Row,
} from '../../src/state/storage/records/replaceRecords.ts'
import { Pace } from '../../src/state/storage/database/pace.ts'
import type { Workspace } from '../../src/state/workspace/workspace.ts'

/** Records by section and list, as in snapshots. */
export type Sections = Record<string, Record<string, Row[]>>

type State = Pick<App, 'records' | 'workspaces'>

/** Returns all records of a workspace. */
export function dumpOf(records: Records, workspace: Workspace): Sections {
  const sections: Sections = {}
  for (const set of records.sets) {
    const ranges = [...records.rowidRangesOf(workspace, set, new Pace())]
    ;(sections[set.section] ??= {})[set.name] = ranges.flatMap((range) =>
      records.dumpAt(workspace, set, range),
    )
  }
  return sections
}

/** Replaces all records of a workspace. */
export const loadRecords = (
  state: State,
  workspace: Workspace,
  sections: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const rowsOf = ({ section, name }: { readonly section: string; readonly name: string }): Row[] =>
    (sections as Partial<Sections>)[section]?.[name] ?? []
  return replaceRecords(state, workspace, fillWithRows(state, rowsOf), () => undefined)
}

/** Saves the current records, users and counters of a workspace without baseline records for resets. */
export async function keepBaseline(state: State, workspace: Workspace): Promise<void> {
  await fillWithCopy(state, workspace.rowScope)(workspace.baselineScope)
  workspace.write(() => {
    state.records.keepOthers(workspace)
  })
}

/** Deletes all discarded records now. */
export async function sweepAll({ records, workspaces: { database } }: State): Promise<void> {
  const scopes = records.scopes(database)
  scopes.start()
  while (!scopes.isSwept) await nextTurn()
  await scopes.stop()
}
