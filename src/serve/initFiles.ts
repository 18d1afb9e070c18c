/** Reads the folder of --init: snapshots, and files with the bodies of calls of the control plane. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { UsageError } from '@suite-sim/kit/terminal/problem'

export type Entry = Readonly<Record<string, unknown>>

/** The lists of a file, in the order in which they run. Each entry is the body of a call. */
export const KINDS = ['workspaces', 'users', 'keys', 'subscriptions', 'faults', 'clocks', 'triggers'] as const
export type Kind = (typeof KINDS)[number]

/** An entry with its place: "20-shop.init.json: triggers.0". */
export interface InitStep {
  readonly place: string
  readonly kind: Kind
  readonly entry: Entry
}

export interface InitPlan {
  readonly folder: string
  /** The names of the files that have steps, in order. */
  readonly files: readonly string[]
  readonly steps: readonly InitStep[]
}

/** Maximum bytes of a file with calls. */
const MAX_BYTES = 1_048_576

/** Returns the steps of a folder, by the names of its files. Throws a UsageError for what cannot run. */
export function readInitFolder(folder: string): InitPlan {
  const files = namesIn(folder).filter((name) => /\.json(?:\.gz)?$/.test(name))
  if (files.length === 0) {
    throw new UsageError(`--init: ${folder} has no .json or .json.gz file`)
  }
  return { folder, files, steps: files.flatMap((name) => stepsOf(folder, name)) }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((each) => !each.isDirectory() && !each.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const why: Readonly<Record<string, string>> = {
      ENOENT: 'the folder does not exist',
      ENOTDIR: 'it is not a folder',
      EACCES: 'this user may not read it',
    }
    throw new UsageError(`--init: cannot read ${folder}: ${why[code] ?? code}`)
  }
}

const stepsOf = (folder: string, name: string): InitStep[] =>
  name.endsWith('.init.json') ? stepsOfFile(folder, name) : [stepOfSnapshot(name)]

/** Returns the step for a snapshot: "10-shop.json" becomes the workspace shop with the key shop-key. */
function stepOfSnapshot(name: string): InitStep {
  const title = name.replace(/^\d+[-_]/, '').replace(/\.json(?:\.gz)?$/, '')
  if (!/^[\w-]{1,64}$/.test(title)) {
    throw new UsageError(
      `--init: ${name}: the name of a snapshot, which becomes the id of its workspace, must be 1 to 64 letters, digits, hyphens or underscores`,
    )
  }
  const entry = { id: title, key: `${title}-key`, fixtures: `./${name}` }
  return { place: name, kind: 'workspaces', entry }
}

function stepsOfFile(folder: string, name: string): InitStep[] {
  const fail = (why: string): never => {
    throw new UsageError(`--init: ${name}: ${why}`)
  }
  let text: string
  try {
    text = readFileSync(join(folder, name), 'utf8')
  } catch (error) {
    return fail(`cannot read it (${(error as NodeJS.ErrnoException).code ?? ''})`)
  }
  if (text.length > MAX_BYTES) fail(`it must have at most ${String(MAX_BYTES)} characters`)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    return fail(`it is not valid JSON: ${(error as Error).message}`)
  }
  if (!isObject(content)) return fail(`it must be an object with ${KINDS.join(', ')}`)
  const unknown = Object.keys(content).find((key) => !isKind(key))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, KINDS)
    fail(
      `${unknown} is not a known list; ${nearest === null ? `use ${KINDS.join(', ')}` : `did you mean ${nearest}?`}`,
    )
  }
  return KINDS.flatMap((kind) => {
    const entries = Object.hasOwn(content, kind) ? content[kind] : []
    if (!Array.isArray(entries)) return fail(`${kind} must be a list`)
    return entries.map((entry: unknown, index): InitStep => {
      const place = `${kind}.${String(index)}`
      if (!isObject(entry)) return fail(`${place} must be an object`)
      return { place: `${name}: ${place}`, kind, entry }
    })
  })
}

const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name)

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
