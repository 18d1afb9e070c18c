/** The matcher `expect(workspace).toHaveChanged({...})`, for Vitest, Jest and Playwright. */
import { SimulatorError, type Schema, type Workspace } from '../index.ts'
import { checkOptions } from '@suite-sim/client/checking'
import { isMatcher } from '@suite-sim/client/printing'
import { failureText, sameText } from './changeTexts.ts'
import { misspelledIn } from './misspelling.ts'
import {
  CHANGES,
  compareChanges,
  type Changed,
  type ExpectedChanges,
  type ExpectedSection,
} from './expectedChanges.ts'

export interface ChangeOptions {
  /** The name of the snapshot to compare with; without it, the state that the workspace was created with. */
  readonly from?: string
  /** Only changes of this section, or of all sections of an interface: "payments.links" or "payments". */
  readonly section?: string
  /** Sections and interfaces whose changes don't matter: `['catalog.activities']`. */
  readonly ignore?: readonly string[]
}

/** What a matcher returns to the test runner. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** `Value` is the type of the value that `expect` got. */
export interface SimulatorMatchers<Value = Workspace> {
  /**
   * Compares everything that changed in a workspace with the expected changes: `await expect(workspace).toHaveChanged({
   * 'payments.links': { added: [{ id: any(), amount: 1250 }] } })`. Any other change fails the test. Without expected
   * changes, anything that changed will do.
   */
  toHaveChanged: Value extends Workspace
    ? (expected?: ExpectedChanges, options?: ChangeOptions) => Promise<void>
    : never
}

/** Compares the changes of a workspace. */
export async function toHaveChanged(
  workspace: Workspace,
  expected?: ExpectedChanges,
  options: ChangeOptions = {},
): Promise<MatcherResult> {
  mustBeWorkspace(workspace)
  checkOptions('toHaveChanged()', options, ['from', 'section', 'ignore'])
  if (expected !== undefined) checkExpected(expected)
  const { ignore = [] } = options
  if (!Array.isArray(ignore) || !ignore.every((each) => typeof each === 'string')) {
    throw new TypeError('toHaveChanged(): ignore must be a list of sections')
  }
  const found = await changesOf(workspace, options)
  const all = found.filter(
    ({ section }) => !ignore.some((name) => section === name || section.startsWith(`${name}.`)),
  )
  const since = options.from ?? 'start'
  if (expected === undefined) {
    return {
      pass: all.length > 0,
      message: () =>
        all.length > 0
          ? sameText('The workspace must not have changed', all, since)
          : `The workspace must have changed since ${since}, but no record has.`,
    }
  }
  const comparison = compareChanges(all, expected)
  const { missing, miscounted, unexpected } = comparison
  const isEqual = missing.length + miscounted.length + unexpected.length === 0
  const misspelled = await misspelledIn(workspace, expected, ignore, found)
  if (isEqual && misspelled.length === 0) {
    return {
      pass: true,
      message: () => sameText('The workspace must not have exactly these changes', all, since),
    }
  }
  return { pass: false, message: () => failureText({ comparison, all, since, misspelled }) }
}

function mustBeWorkspace(value: unknown): void {
  const { changes, snapshots } = (value ?? {}) as Partial<Workspace>
  if (typeof changes !== 'function' || typeof snapshots !== 'object') {
    throw new TypeError(
      'expect(workspace).toHaveChanged() takes a workspace of suite-simulator, such as that of the test',
    )
  }
}

const isList = (value: unknown): boolean => Array.isArray(value)

function checkExpected(expected: unknown): asserts expected is ExpectedChanges {
  if (typeof expected !== 'object' || expected === null || isList(expected)) {
    throw new TypeError("toHaveChanged() takes an object of sections: { 'payments.links': { added: […] } }")
  }
  for (const [section, wanted] of Object.entries<ExpectedSection>(
    expected as Record<string, ExpectedSection>,
  )) {
    checkOptions(`toHaveChanged() of ${section}`, wanted, CHANGES)
    for (const change of CHANGES) checkRecords(`${section}.${change}`, wanted[change])
  }
}

function checkRecords(name: string, wanted: unknown): void {
  if (wanted === undefined) return
  if (typeof wanted === 'number') {
    if (Number.isInteger(wanted) && wanted >= 0) return
  } else if (Array.isArray(wanted)) {
    for (const [index, each] of wanted.entries()) checkRecord(`${name}[${String(index)}]`, each, name)
    return
  }
  throw new TypeError(`toHaveChanged(): ${name} must be a list of records, or how many there are`)
}

function checkRecord(place: string, each: unknown, name: string): void {
  const ofRemoved = name.endsWith('.removed')
  if (isMatcher(each) || (ofRemoved && typeof each === 'string')) return
  if (typeof each !== 'object' || each === null || Array.isArray(each)) {
    const what = ofRemoved ? 'an id, an object of fields, or a matcher' : 'an object of fields, or a matcher'
    throw new TypeError(`toHaveChanged(): ${place} must be ${what}`)
  }
  checkValues(place, each)
  if (!name.endsWith('.added') && (each as { readonly id?: unknown }).id === undefined) {
    throw new TypeError(`toHaveChanged(): ${place}.id must be the id of the record, or any()`)
  }
}

/** Refuses functions: `id: any` without parentheses, for example. */
function checkValues(place: string, value: unknown, above: readonly unknown[] = []): void {
  if (isMatcher(value)) return
  if (typeof value === 'function') {
    throw new TypeError(`toHaveChanged(): ${place} must be a value or a matcher; did you mean any()?`)
  }
  if (typeof value !== 'object' || value === null || above.includes(value)) return
  for (const [name, each] of Object.entries(value)) {
    checkValues(Array.isArray(value) ? `${place}[${name}]` : `${place}.${name}`, each, [...above, value])
  }
}

/** The maximum number of records that are compared. */
const MAX_RECORDS = 10_000
const PAGE = 1000
/** Times that reading starts again because records changed in between. */
const TRIES = 5

async function changesOf(workspace: Workspace, { from, section }: ChangeOptions): Promise<Changed[]> {
  const query = {
    limit: PAGE,
    ...(from !== undefined && { from }),
    ...(section !== undefined && { section }),
  }
  for (let tries = 1; ; tries++) {
    try {
      return await pagesOf((cursor) => workspace.changes({ ...query, ...(cursor !== null && { cursor }) }))
    } catch (error) {
      if (!(error instanceof SimulatorError) || error.code !== 'invalid_cursor' || tries === TRIES)
        throw error
    }
  }
}

async function pagesOf(read: (cursor: string | null) => Promise<Schema<'Diff'>>): Promise<Changed[]> {
  const found: Changed[] = []
  let cursor: string | null = null
  do {
    const { summary, data, nextCursor }: Schema<'Diff'> = await read(cursor)
    const total = summary.added + summary.changed + summary.removed
    if (total > MAX_RECORDS) {
      throw new Error(
        `toHaveChanged() compares ${String(MAX_RECORDS)} records at most, and ${String(total)} have changed; compare with a later snapshot (from), or choose a section`,
      )
    }
    for (const each of data) found.push(each)
    cursor = nextCursor
  } while (cursor !== null)
  return found
}
