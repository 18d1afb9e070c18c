/**
 * Reads fixtures: the records that a server or a workspace starts with. A fixture is a snapshot in a file. Built-in
 * fixtures are folders with one file for each section.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Records } from '../../../state/storage/records/records.ts'
import { Refusal } from '../../../state/model/refusal.ts'
import type { History } from '../../../state/storage/records/history.ts'
import { moveDates, UNMOVED_SECTIONS, weeksUntil } from './demoDates.ts'
import { openBuiltIn, shareBaseline } from './baselines.ts'
import { takeImage } from './image.ts'
import type { Row } from '../../../state/storage/records/replaceRecords.ts'
import {
  openFilled,
  openWorkspace,
  type OpenedWorkspace,
  type Snapshot,
  type SnapshotHead,
  type State,
} from '../snapshot.ts'

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
 * dates are moved close to `today`. Their files are read when they are needed. `image` is that of one of them.
 */
export async function readFixture(
  wanted: string,
  folder: string,
  records: Records,
  today: number,
  image: string | null = null,
): Promise<Snapshot | null> {
  if (wanted === 'none') return null
  const builtIn = builtInFixture(wanted, folder, today)
  if (builtIn) {
    const { head, section: sectionOf } = builtIn
    const rowsOf: Snapshot['rowsOf'] = ({ section, name }) => (sectionOf(section)?.[name] ?? []) as Row[]
    return {
      head,
      rowsOf,
      builtIn: { name: wanted, weeks: weeksUntil(today), image },
      close: () => Promise.resolve(),
    }
  }
  const { readNamedSnapshot } = await import('../namedSnapshots.ts')
  try {
    return await readNamedSnapshot(records, wanted)
  } catch (error) {
    if (!(error instanceof Refusal)) throw unreadable(wanted, error)
    const why = error.message.replace(/^The snapshot does not fit: |\.$/g, '').replaceAll(/\s+/g, ' ')
    const isOther = error.reason === 'malformed' || why.startsWith('format is required')
    throw new FixtureError(`cannot use the fixture ${wanted}: ${why}${isOther ? EXPECTED : ''}`)
  }
}

const EXPECTED =
  '; it must be a snapshot, which is JSON with a format, or a file with calls, whose name ends in .init.yaml or .init.json'

/** A built-in fixture: its head, and its records by section and list. */
export type BuiltIn = SnapshotHead & Readonly<Record<string, Readonly<Record<string, Row[]>> | undefined>>

/**
 * Reads a built-in fixture: `workspace.json` of its first folder, and the file of each section from all its folders.
 * Returns undefined if no fixture has this name.
 */
export function readBuiltIn(
  name: string,
  folder: string,
  records: Records,
  today: number,
): BuiltIn | undefined {
  const fixture = builtInFixture(name, folder, today)
  if (!fixture) return undefined
  const sections = [...new Set(records.sets.map(({ section }) => section))].flatMap((section) => {
    const lists = fixture.section(section)
    return lists ? [[section, lists] as const] : []
  })
  return { ...fixture.head, ...Object.fromEntries(sections) } as BuiltIn
}

/** A built-in fixture whose files are read on first use. */
interface FixtureFiles {
  readonly head: SnapshotHead
  readonly section: (name: string) => Lists | undefined
}

function builtInFixture(name: string, folder: string, today: number): FixtureFiles | undefined {
  const folders = BUILT_IN.get(name)?.map((each) => join(folder, each))
  if (!folders) return undefined
  const [first = ''] = folders
  const sections = new Map<string, Lists | undefined>()
  const section = (of: string): Lists | undefined => {
    if (!sections.has(of)) sections.set(of, readSection(folders, of, today))
    return sections.get(of)
  }
  const head = parse(read(join(first, 'workspace.json')), first) as SnapshotHead
  return {
    head: {
      ...moveDates(today, head),
      get history() {
        return section('history') as unknown as History
      },
    },
    section,
  }
}

/** Reads the file of a section from all folders of a fixture. Returns undefined if they have none. */
function readSection(folders: readonly string[], section: string, today: number): Lists | undefined {
  const files = folders.map((each) => join(each, `${section}.json`)).filter((file) => existsSync(file))
  if (files.length === 0) return undefined
  const lists = files.map((file) => parse(read(file), file) as Lists).reduce(concat)
  return UNMOVED_SECTIONS.has(section) ? lists : moveDates(today, lists)
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
  // A SourceError; a start with a built-in fixture does not load its module.
  if (error instanceof Error && 'why' in error) return unusable(file, String(error.why))
  const why =
    code === 'ENOENT' ? 'the file does not exist' : error instanceof Error ? error.message : String(error)
  return unusable(file, why)
}

const unusable = (file: string, why: string): FixtureError =>
  new FixtureError(`cannot use the fixture ${file}: ${why}; use "demo", "small", "none" or a file`)

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
 * Creates the workspace that a fixture describes, with its id and key, from the image of a new database if it has one.
 * `before` runs in the same transaction when the workspace is created, and then the database is not new.
 */
export async function openFixture(
  state: State,
  fixture: Snapshot,
  before?: () => void,
): Promise<OpenedWorkspace> {
  const { workspace, key } = fixture.head
  const wanted = { name: 'Workspace', ...workspace, ...(key !== undefined && { key }) }
  try {
    if (!fixture.builtIn) return await openWorkspace(state, wanted, fixture, before)
    const scopes = takeImage(state, fixture.builtIn)
    if (!scopes) return await openBuiltIn(state, wanted, fixture, before)
    const opened = await openFilled(state, wanted, fixture, scopes)
    shareBaseline(state, fixture, opened)
    return opened
  } catch (error) {
    if (error instanceof Refusal) throw new FixtureError(`cannot use the fixture: ${error.message}`)
    throw error
  }
}
