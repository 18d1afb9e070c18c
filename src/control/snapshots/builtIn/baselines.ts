/** Workspaces of built-in fixtures: they share a baseline, which resets read and nothing changes. */
import { withContents } from '../../../state/shared/fileContents.ts'
import { createWithBaseline } from '../../../state/storage/records/replaceRecords.ts'
import {
  fillWithSnapshot,
  openWith,
  openWorkspace,
  type OpenedWorkspace,
  type Snapshot,
  type State,
  type WorkspaceRequest,
} from '../snapshot.ts'
import { fillFromImage } from './image.ts'

/** The baselines that the workspaces of built-in fixtures share, by fixture. Simultaneous requests load one of them. */
const baselines = new WeakMap<Snapshot, Promise<number>>()

/** Ends the use of a built-in fixture: its baseline belongs only to the workspaces that share it. */
export function releaseBaseline({ workspaces, records }: State, fixture: Snapshot): void {
  const loaded = baselines.get(fixture)
  baselines.delete(fixture)
  loaded?.then(
    (base) => {
      records.scopes(workspaces.database).close(base)
    },
    () => undefined,
  )
}

/** Registers the baseline of a workspace with the settings of a built-in fixture as that of all others. */
export function shareBaseline(
  { workspaces, records }: State,
  fixture: Snapshot,
  { workspace }: OpenedWorkspace,
): void {
  releaseBaseline({ workspaces, records }, fixture)
  baselines.set(fixture, Promise.resolve(workspace.baselineScope))
  records.scopes(workspaces.database).hold(workspace.baselineScope)
}

/**
 * Returns the baseline of a built-in fixture, which is written the first time. Callers continue before a release that is
 * called later.
 */
function baselineOf(state: State, fixture: Snapshot): Promise<number> {
  const scopes = state.records.scopes(state.workspaces.database)
  const load = async (): Promise<number> => {
    const base = scopes.open()
    try {
      await withContents(state.workspaces.database, fixture.rowsOf, () => fillBaseline(state, fixture, base))
      return base
    } catch (error) {
      baselines.delete(fixture)
      scopes.close(base)
      throw error
    }
  }
  let loaded = baselines.get(fixture)
  if (!loaded) baselines.set(fixture, (loaded = load()))
  return loaded
}

/** Writes the records and the history of a built-in fixture, from the image of the build if that is of this fixture. */
async function fillBaseline(state: State, fixture: Snapshot, base: number): Promise<void> {
  const { builtIn } = fixture
  const isFilled = builtIn && (await fillFromImage(state.workspaces.database, builtIn, base))
  if (!isFilled) await fillWithSnapshot(state, fixture)(base)
}

/** Creates a workspace from a built-in fixture. `before` runs in the same transaction when the workspace is created. */
export async function openBuiltIn(
  state: State,
  wanted: WorkspaceRequest,
  fixture: Snapshot,
  before: () => void = () => undefined,
): Promise<OpenedWorkspace> {
  const { currency, timezone } = fixture.head.workspace ?? {}
  // The records include values that depend on these settings.
  const hasFixtureSettings = wanted.currency === currency && wanted.timezone === timezone
  if (!hasFixtureSettings) return openWorkspace(state, wanted, fixture, before)
  const base = await baselineOf(state, fixture)
  return createWithBaseline(state, base, 'too_large', (filled, keep) =>
    state.workspaces.database.write(() => {
      before()
      return openWith(state, wanted, fixture.head, { filled, keep })
    }),
  )
}
