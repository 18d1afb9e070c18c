/**
 * Reads fixtures: the records that a server or a workspace starts with. A fixture is a snapshot in a file. Built-in
 * fixtures are folders with one file for each section.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Records } from '../../state/storage/records/records.ts'
import { Refusal } from '../../state/model/refusal.ts'
import { moveToWeekOf } from './demoDates.ts'
import {
  headOf,
  withPreparedRecords,
  openWith,
  registerCopySource,
  type AnySnapshot,
  type OpenedWorkspace,
  type State,
} from './snapshot.ts'

export type Fixture = AnySnapshot

/** A fixture cannot be used. The message is one line for the terminal. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError'
}

/**
 * The built-in fixtures and the folders that make them up. Tests validate them, so they are not checked at each start.
 * `demo` is `small` plus one year of company data.
 */
const BUILT_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ['small', ['small']],
  ['demo', ['small', 'demo']],
])

/**
 * Returns the fixture with this name or in this file; null for "none". `folder` contains the built-in fixtures, whose
 * dates are moved close to `today`.
 */
export async function readFixture(
  wanted: string,
  folder: string,
  records: Records,
  today: number,
): Promise<Fixture | null> {
  if (wanted === 'none') return null
  const folders = BUILT_IN.get(wanted)?.map((name) => join(folder, name))
  if (folders) return moveToWeekOf(today, readBuiltIn(folders, records))
  const [{ LargeSnapshot, readSnapshot }, { checkSnapshot }] = await Promise.all([
    import('./snapshotReading.ts'),
    import('./snapshotShape.ts'),
  ])
  let body: unknown
  try {
    body = await readSnapshot(createReadStream(wanted), null)
    return await checkSnapshot(records, body)
  } catch (error) {
    if (body instanceof LargeSnapshot) await body.close()
    if (!(error instanceof Refusal)) throw unreadable(wanted, error)
    const why = error.message.replace(/^The snapshot does not fit: |\.$/g, '').replaceAll(/\s+/g, ' ')
    throw new FixtureError(`cannot use the fixture ${wanted}: ${why}`)
  }
}

/** Reads `workspace.json` of the first folder, and the file of each section from all folders. */
function readBuiltIn(folders: readonly string[], records: Records): Fixture {
  const [first = ''] = folders
  const fixture = parse(read(join(first, 'workspace.json')), first) as Record<string, unknown>
  for (const section of new Set([...records.sets.map((set) => set.section), 'history'])) {
    const files = folders.map((folder) => join(folder, `${section}.json`)).filter((file) => existsSync(file))
    const contents = files.map((file) => parse(read(file), file) as Lists)
    if (contents.length > 0) fixture[section] = contents.reduce(concat)
  }
  return fixture as unknown as Fixture
}

type Lists = Readonly<Record<string, readonly unknown[]>>

/** Concatenates the lists of two sections. Counters of the second replace those of the first. */
const concat = (one: Lists, other: Lists): Lists => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([name, rows]) => [
      name,
      name === 'counters' ? rows : [...(one[name] ?? []), ...rows],
    ]),
  ),
})

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): FixtureError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why =
    code === 'ENOENT' ? 'the file does not exist' : error instanceof Error ? error.message : String(error)
  return new FixtureError(`cannot use the fixture ${file}: ${why}; use "demo", "small", "none" or a file`)
}

function parse(text: string, file: string): unknown {
  try {
    // Plain JSON.parse is enough for built-in files: a test checks that they contain no forbidden keys.
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
    throw new FixtureError(`cannot use the fixture ${file}: ${why}`)
  }
}

/**
 * Creates the workspace that a fixture describes, with its id and key. `before` runs in the same transaction when the
 * workspace is created.
 */
export async function openFixture(
  state: State,
  fixture: Fixture,
  before: () => void = () => undefined,
): Promise<OpenedWorkspace> {
  const { workspace, key } = headOf(fixture)
  const wanted = { name: 'Workspace', ...workspace, ...(key !== undefined && { key }) }
  try {
    const opened = await withPreparedRecords(state, fixture, (prepared) =>
      state.workspaces.database.write(() => {
        before()
        return openWith(state, wanted, fixture, prepared)
      }),
    )
    registerCopySource(fixture, opened)
    return opened
  } catch (error) {
    if (error instanceof Refusal) throw new FixtureError(`cannot use the fixture: ${error.message}`)
    throw error
  }
}
