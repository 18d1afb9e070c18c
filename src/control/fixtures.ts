/**
 * Fixture files: what a server, or a workspace, starts with. A fixture is a snapshot in a file; the ones that come with
 * the program are folders, with a file for each section.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Records } from '../state/records.ts'
import { Refusal } from '../state/refusal.ts'
import { broughtTo } from './demoDates.ts'
import {
  headOf,
  openedIn,
  openWith,
  rememberFirst,
  type AnySnapshot,
  type OpenedWorkspace,
  type State,
} from './snapshot.ts'

export type Fixture = AnySnapshot

/** The fixture can't be used; the message is one line for the person at the terminal. */
export class FixtureProblem extends Error {
  override readonly name = 'FixtureProblem'
}

/**
 * The fixtures that come with the program, and the folders whose records make them up; tests keep them fitting, so they are
 * not checked at each start. The demo is the handful and, around it, a year of the company.
 */
const OWN_FIXTURES: ReadonlyMap<string, readonly string[]> = new Map([
  ['small', ['small']],
  ['demo', ['small', 'demo']],
])

/**
 * The fixture of this name, or in this file; null for "none". `folder` holds the fixtures that come with the
 * program, which never grow old: their dates are moved up to `today`.
 */
export async function readFixture(
  wanted: string,
  folder: string,
  records: Records,
  today: number,
): Promise<Fixture | null> {
  if (wanted === 'none') return null
  const own = OWN_FIXTURES.get(wanted)?.map((name) => join(folder, name))
  if (own) return broughtTo(today, readOwn(own, records))
  const [{ LargeSnapshot, readSnapshot }, { checkedSnapshot }] = await Promise.all([
    import('./snapshotReading.ts'),
    import('./snapshotShape.ts'),
  ])
  let body: unknown
  try {
    body = await readSnapshot(createReadStream(wanted), null)
    return await checkedSnapshot(records, body)
  } catch (error) {
    if (body instanceof LargeSnapshot) await body.close()
    if (!(error instanceof Refusal)) throw unreadable(wanted, error)
    const why = error.message.replace(/^The snapshot does not fit: |\.$/g, '').replaceAll(/\s+/g, ' ')
    throw new FixtureProblem(`cannot use the fixture ${wanted}: ${why}`)
  }
}

/** The workspace's own file, which the first folder has, and one for each section that a folder fills. */
function readOwn(folders: readonly string[], records: Records): Fixture {
  const [first = ''] = folders
  const fixture = parse(read(join(first, 'workspace.json')), first) as Record<string, unknown>
  for (const section of new Set([...records.sets.map((set) => set.section), 'history'])) {
    const files = folders.map((folder) => join(folder, `${section}.json`)).filter((file) => existsSync(file))
    const all = files.map((file) => parse(read(file), file) as Lists)
    if (all.length > 0) fixture[section] = all.reduce(joined)
  }
  return fixture as unknown as Fixture
}

type Lists = Readonly<Record<string, readonly unknown[]>>

/** The lists of both, those of the first before those of the second. Counters of the second replace those of the first. */
const joined = (one: Lists, other: Lists): Lists => ({
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

function unreadable(file: string, error: unknown): FixtureProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why =
    code === 'ENOENT' ? 'there is no such file' : error instanceof Error ? error.message : String(error)
  return new FixtureProblem(`cannot use the fixture ${file}: ${why}; give "demo", "small", "none" or a file`)
}

function parse(text: string, file: string): unknown {
  try {
    // What comes with the program holds nothing that a request would be refused for; a test sees to that.
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
    throw new FixtureProblem(`cannot use the fixture ${file}: ${why}`)
  }
}

/**
 * Makes the workspace that a fixture describes, with the id and the key that it names; what `before` writes is part of
 * that.
 */
export async function openFixture(
  state: State,
  fixture: Fixture,
  before: () => void = () => undefined,
): Promise<OpenedWorkspace> {
  const { workspace, key } = headOf(fixture)
  const wanted = { name: 'Workspace', ...workspace, ...(key !== undefined && { key }) }
  try {
    const opened = await openedIn(state, fixture, (prepared) =>
      state.workspaces.database.write(() => {
        before()
        return openWith(state, wanted, fixture, prepared)
      }),
    )
    rememberFirst(fixture, opened)
    return opened
  } catch (error) {
    if (error instanceof Refusal) throw new FixtureProblem(`cannot use the fixture: ${error.message}`)
    throw error
  }
}
