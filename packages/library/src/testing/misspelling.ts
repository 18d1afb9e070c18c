/** Finds names of sections and fields that do not exist. Without it, an expected null or empty list would hide them. */
import type { Section, Workspace } from '../index.ts'
import { isMatcher } from '@suite-sim/client/printing'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { CHANGES, type Changed, type ExpectedChanges, type ExpectedSection } from './expectedChanges.ts'

/** Returns a line for each unknown name. Asks the server only about names that no change has. */
export async function misspelledIn(
  workspace: Workspace,
  expected: ExpectedChanges,
  ignore: readonly string[],
  changes: readonly Changed[],
): Promise<string[]> {
  const changed = new Set(changes.map(({ section }) => section))
  const ignored = ignore.filter((name) => ![...changed].some((each) => isIn(each, name)))
  const unseen = Object.keys(expected).filter((name) => !changed.has(name))
  const lines = new Set<string>()
  const sections = new Set<string>(changed)
  if (ignored.length + unseen.length > 0) {
    for (const { section } of await workspace.records.sections()) sections.add(section)
    const known = [...sections]
    for (const name of unseen) if (!sections.has(name)) lines.add(unknown(`section ${name}`, name, known))
    const interfaces = new Set(known.map((each) => each.split('.')[0] ?? ''))
    for (const name of ignored) {
      if (!known.some((each) => isIn(each, name))) {
        lines.add(unknown(`section ${name} to ignore`, name, [...known, ...interfaces]))
      }
    }
  }
  for (const [section, wanted] of Object.entries(expected)) {
    if (!sections.has(section)) continue
    for (const line of await unknownFields(workspace, section, wanted, changes)) lines.add(line)
  }
  return [...lines]
}

const isIn = (section: string, name: string): boolean => section === name || section.startsWith(`${name}.`)

async function unknownFields(
  workspace: Workspace,
  section: string,
  wanted: ExpectedSection | undefined,
  changes: readonly Changed[],
): Promise<string[]> {
  const names = new Set(
    CHANGES.flatMap((change) => {
      const records = wanted?.[change]
      return typeof records === 'object' ? records.flatMap(namesIn) : []
    }),
  )
  names.delete('id')
  for (const change of changes) {
    if (change.section === section) for (const { path } of change.fields) names.delete(columnOf(path))
  }
  if (names.size === 0) return []
  const { columns } = await workspace.records.list(section as Section, { limit: 1 })
  const known = columns.map(({ name }) => name)
  return [...names].flatMap((name) =>
    known.includes(name) ? [] : [unknown(`field ${name} in ${section}`, name, known)],
  )
}

const namesIn = (record: unknown): string[] =>
  typeof record !== 'object' || record === null || isMatcher(record)
    ? []
    : Object.entries(record).flatMap(([path, value]) => (value === undefined ? [] : [columnOf(path)]))

/** Returns the first part of a path: "address" of "address.city". */
const columnOf = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? ''

function unknown(what: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return `There is no ${what}${nearest === null ? '' : `; did you mean ${nearest}?`}`
}
