/** Installs the package as users do: packs it and unpacks it into a new project with its peers. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { onTestFinished } from 'vitest'
import { atEndOfFile } from './endOfFile.ts'
import { buildGuide, ROOT, type Ended } from './process.ts'

/** The packages next to it: the first is its dependency, the others are installed by users. */
const BESIDE = [
  'better-sqlite3',
  'vitest',
  '@playwright/test',
  'openapi-fetch',
  'openapi-typescript-helpers',
  'typescript',
  '@types/node',
  'undici-types',
]

/** Those that `npx` runs. */
const COMMANDS = ['vitest', 'playwright']

/** Programs that only the full run installs. */
const CONFORMANCE = join(ROOT, 'conformance/node_modules')

export interface PackedFile {
  readonly path: string
  readonly size: number
}

export interface Packed {
  readonly files: readonly PackedFile[]
  /** The size of the tarball in bytes. */
  readonly size: number
  /** The size of all files in bytes. */
  readonly unpackedSize: number
  readonly folder: string
  /** The node_modules folder with the package and its peers. */
  readonly modules: string
}

let packed: Packed | undefined

atEndOfFile(async () => {
  if (packed) rmSync(packed.folder, { recursive: true, force: true })
  packed = undefined
})

/** Packs the package once per test file. */
export function packedPackage(): Packed {
  return (packed ??= pack())
}

function pack(): Packed {
  buildGuide()
  const folder = mkdtempSync(join(tmpdir(), 'suite-sim-packed-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  const answer = mustRun('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT)
  const [described] = JSON.parse(answer) as [
    Omit<Packed, 'folder' | 'modules'> & { readonly filename: string },
  ]
  mustRun('tar', ['-xzf', described.filename], folder)
  // The scripts of npm pack would change the description of this folder for a moment, which other tests read.
  const unpacked = join(folder, 'package')
  mustRun(process.execPath, [join(ROOT, 'scripts/published.mjs')], unpacked)
  mustRun('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], unpacked)
  renameSync(unpacked, join(modules, 'suite-simulator'))
  symlinkSync('../suite-simulator/dist/main.js', join(modules, '.bin/suite-sim'))
  for (const name of BESIDE) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  for (const name of COMMANDS) {
    symlinkSync(realpathSync(join(ROOT, 'node_modules/.bin', name)), join(modules, '.bin', name))
  }
  if (existsSync(CONFORMANCE)) {
    symlinkSync(join(CONFORMANCE, 'jest'), join(modules, 'jest'))
    symlinkSync(realpathSync(join(CONFORMANCE, '.bin/jest')), join(modules, '.bin/jest'))
  }
  return { ...described, folder, modules }
}

function mustRun(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  return stdout
}

/** Creates a project with the package installed and these files; it is removed after the test. */
export function projectWith(files?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'suite-sim-project-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  symlinkSync(packedPackage().modules, join(folder, 'node_modules'))
  if (files !== undefined) {
    for (const name of readdirSync(files)) cpSync(join(files, name), join(folder, name), { recursive: true })
  }
  return folder
}

/** Runs a program in a project until it ends. */
export async function runIn(
  folder: string,
  [command = '', ...args]: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { PATH, HOME } = process.env
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH, HOME, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...written }
}

/**
 * The errors of the compiler for these files of a project under the strictest settings, including the types of the
 * package.
 */
export function complaintsOf(
  folder: string,
  names: readonly string[],
  options: ts.CompilerOptions,
): string[] {
  const program = ts.createProgram(
    names.map((name) => join(folder, name)),
    {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      types: ['node'],
      typeRoots: [join(folder, 'node_modules/@types')],
      ...options,
    },
  )
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => !OF_CONFORMANCE.test(file?.fileName ?? ''))
    .map(({ file, start = 0, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
      return `${file?.fileName ?? ''}:${String(line)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
}

/** Types that need their own compiler settings. */
const OF_CONFORMANCE = /\/node_modules\/(?:@?vitest|vite|playwright|playwright-core|@playwright)\//
