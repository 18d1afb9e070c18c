/** Reads the folder of --init: snapshots, and files with calls. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import type { Path, Yaml } from '@suite-sim/kit/text/readYaml'
import { InitError } from './errors.ts'
import { isInitFile } from './isInitFile.ts'
import {
  isObject,
  KINDS,
  OWN,
  type Entry,
  type InitFile,
  type InitPlan,
  type InitStep,
  type Kind,
} from './steps.ts'

/** What a file can have: one workspace, to which the other entries belong, and the lists. */
const FIELDS = ['workspace', ...KINDS] as const

/** Maximum bytes of a file with calls. */
const MAX_BYTES = 1_048_576

/** Returns the steps of a folder, by the names of its files. Throws an InitError for what cannot run. */
export async function readInitFolder(folder: string): Promise<InitPlan> {
  const names = namesIn(folder).filter((name) => isInitFile(name) || /\.json(?:\.gz)?$/.test(name))
  if (names.length === 0) throw new InitError(`${folder} has no .json, .json.gz or .init.yaml file`)
  const files: InitFile[] = []
  for (const name of names) {
    const steps = isInitFile(name) ? await stepsOfFile(name, join(folder, name)) : [stepOfSnapshot(name)]
    files.push({ name, steps })
  }
  return { folder, files }
}

/** Returns the steps of one file with calls, which errors name by its path. Throws an InitError if it cannot run. */
export async function readInitFile(path: string): Promise<InitPlan> {
  return { folder: dirname(path), files: [{ name: path, steps: await stepsOfFile(path, path) }] }
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
    throw new InitError(`cannot read ${folder}: ${why[code] ?? code}`)
  }
}

/** Returns the step for a snapshot: "10-shop.json" becomes the workspace shop with the key shop-key. */
function stepOfSnapshot(name: string): InitStep {
  const title = name.replace(/^\d+[-_]/, '').replace(/\.json(?:\.gz)?$/, '')
  if (!/^[\w-]{1,64}$/.test(title)) {
    throw new InitError(
      `${name}: the name of a snapshot, which becomes the id of its workspace, must be 1 to 64 letters, digits, hyphens or underscores`,
    )
  }
  const entry = { id: title, key: `${title}-key`, fixtures: `./${name}` }
  return { file: name, at: [], kind: 'workspaces', entry }
}

async function stepsOfFile(name: string, path: string): Promise<InitStep[]> {
  const yaml = await contentOf(name, path)
  const { value: content } = yaml
  const lineOf = (path: Path): number => yaml.lineOf(path)
  const fail = (path: Path, why: string): never => {
    throw new InitError(`${name}:${String(lineOf(path))}: ${why}`)
  }
  if (!isObject(content)) return fail([], `it must be an object with ${FIELDS.join(', ')}`)
  const unknown = Object.keys(content).find((key) => !FIELDS.some((field) => field === key))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, FIELDS)
    if (unknown === 'format') fail([unknown], 'it is a snapshot, whose name must not end in .init.json')
    const instead = nearest === null ? `use ${FIELDS.join(', ')}` : `did you mean ${nearest}?`
    fail([unknown], `${unknown} is not a known list; ${instead}`)
  }
  const { workspace } = content
  const isNamed = typeof workspace === 'string'
  if (workspace !== undefined && !isNamed && !isObject(workspace)) {
    return fail(['workspace'], 'workspace must be an object, or the id or the name of a workspace')
  }
  const step = (kind: Kind, entry: Entry, at: Path): InitStep => ({
    file: name,
    at,
    kind,
    entry,
    ...(workspace !== undefined && { workspace: isNamed ? workspace : OWN }),
    lineOf,
  })
  const own = isObject(workspace) ? [step('workspaces', workspace, ['workspace'])] : []
  const others = KINDS.flatMap((kind) => {
    const entries = Object.hasOwn(content, kind) ? content[kind] : []
    if (!Array.isArray(entries)) return fail([kind], `${kind} must be a list`)
    return entries.map((entry: unknown, index): InitStep => {
      if (isObject(entry)) return step(kind, entry, [kind, index])
      return fail([kind, index], `${kind}.${String(index)} must be an object`)
    })
  })
  return [...own, ...others]
}

/** Returns the value of a file with the lines of its parts. */
async function contentOf(name: string, path: string): Promise<Yaml> {
  const fail = (why: string, line?: number): never => {
    throw new InitError(`${name}${line === undefined ? '' : `:${String(line)}`}: ${why}`)
  }
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return fail(code === 'ENOENT' ? 'the file does not exist' : `cannot read it (${code})`)
  }
  if (text.length > MAX_BYTES) fail(`it must have at most ${String(MAX_BYTES)} characters`)
  const { readYaml } = await import('@suite-sim/kit/text/readYaml')
  if (!name.endsWith('.json')) {
    const yaml = readYaml(text)
    return 'problem' in yaml ? fail(`the YAML is invalid: ${yaml.problem}`, yaml.line) : yaml
  }
  try {
    const value: unknown = JSON.parse(text)
    const lineOf = (path: Path): number => {
      // JSON is YAML. Only an error needs its lines.
      const yaml = readYaml(text)
      return 'problem' in yaml ? yaml.line : yaml.lineOf(path)
    }
    return { value, lineOf }
  } catch (error) {
    const { message } = error as Error
    const [, position = text.length] = /at position (\d+)/.exec(message) ?? []
    const line = text.slice(0, Number(position)).split('\n').length
    return fail(`it is not valid JSON: ${message.replaceAll(/\s+/g, ' ')}`, line)
  }
}
