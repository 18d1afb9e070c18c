/** What files with calls consist of. */
import type { Path } from '@suite-sim/kit/text/readYaml'

export type Entry = Readonly<Record<string, unknown>>

/**
 * The lists of a file, in the order in which they run. Each entry is the body of a call, except in `calls`. Faults come
 * late, because they are for the calls of clients.
 */
export const KINDS = [
  'workspaces',
  'users',
  'keys',
  'subscriptions',
  'clocks',
  'calls',
  'faults',
  'triggers',
] as const
export type Kind = (typeof KINDS)[number]

export interface InitStep {
  readonly file: string
  /** The path of the entry in its file; empty for a snapshot. */
  readonly at: Path
  readonly kind: Kind
  readonly entry: Entry
  /** The id or the name of the workspace of its file; undefined without one. */
  readonly workspace?: string
  /** Returns the line of a value of the file; undefined for a snapshot. */
  readonly lineOf?: (path: Path) => number
}

export interface InitFile {
  readonly name: string
  readonly steps: readonly InitStep[]
}

export interface InitPlan {
  readonly folder: string
  /** In the order of their names. */
  readonly files: readonly InitFile[]
}

/** Stands for the workspace that the file itself creates: its id may be random. No id or name is empty. */
export const OWN = ''

export const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
