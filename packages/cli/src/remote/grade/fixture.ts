/**
 * Reads the fixture of a task. Built-in fixtures keep the dates that they were written with, so that a task has the same
 * dates on every day.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { FIXTURES } from '@suite-sim/kit/assets'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { readShortText } from '@suite-sim/kit/terminal/textFiles'
import { isObject } from './fields.ts'

type Lists = Readonly<Record<string, unknown>>

/** A snapshot: its settings, its users, and its records by section and list. */
export interface Fixture {
  readonly workspace: Readonly<Record<string, unknown>>
  readonly users: readonly { readonly id: string }[]
  readonly records: Readonly<Record<string, Lists>>
  readonly [head: string]: unknown
}

const BUILT_IN: Readonly<Record<string, readonly string[]>> = { small: ['small'], demo: ['small', 'demo'] }

export const FIXTURE_NAMES: readonly string[] = ['none', ...Object.keys(BUILT_IN)]

/** Files of a fixture that are not a section: its head, and the past timeline. */
const NO_SECTIONS = ['workspace', 'history']

const MAX_FIXTURE_BYTES = 64 * 1024 * 1024

/** Returns the snapshot to load; null for none. A file is relative to the task. */
export function readFixture(name: string, taskFile: string): object | null {
  if (name === 'none') return null
  return Object.hasOwn(BUILT_IN, name) ? builtIn(BUILT_IN[name] ?? []) : fromFile(name, taskFile)
}

function builtIn(folders: readonly string[]): object {
  const sections: Record<string, Lists> = {}
  for (const folder of folders) {
    for (const file of readdirSync(join(FIXTURES, folder))) {
      const section = file.replace(/\.json$/, '')
      if (NO_SECTIONS.includes(section)) continue
      sections[section] = concat(sections[section] ?? {}, readJson(join(FIXTURES, folder, file)) as Lists)
    }
  }
  const { key: _key, ...head } = readJson(join(FIXTURES, folders[0] ?? '', 'workspace.json')) as Lists
  return { ...head, ...sections }
}

/** Concatenates the lists of two sections. Counters of the second replace those of the first. */
const concat = (one: Lists, other: Lists): Lists => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([name, rows]) => {
      const before = one[name]
      const isList = name !== 'counters' && Array.isArray(before) && Array.isArray(rows)
      return [name, isList ? [...(before as unknown[]), ...(rows as unknown[])] : rows]
    }),
  ),
})

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8')) as unknown

function fromFile(name: string, taskFile: string): object {
  const file = resolve(dirname(taskFile), name)
  const text = readShortText('fixture', file, MAX_FIXTURE_BYTES)
  try {
    const snapshot = JSON.parse(text) as unknown
    if (isObject(snapshot)) return snapshot
  } catch {
    // Not JSON.
  }
  throw new UsageError(`cannot use the fixture ${file}: it must be a snapshot as JSON`)
}
