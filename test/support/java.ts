/** Compiles and runs Java with Debian's JDK and JUnit. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'
import { atEndOfFile } from './endOfFile.ts'
import { runIn } from './packed.ts'
import { ROOT, type Ended } from './process.ts'

/** The folder of the Java client. */
export const JAVA = join(ROOT, 'clients/java')

const jar = (name: string): string => `/usr/share/java/${name}.jar`

/** What test code is compiled with. */
export const JUNIT = [
  'junit-jupiter-api',
  'junit-jupiter-params',
  'junit-platform-commons',
  'opentest4j',
  'apiguardian-api',
].map(jar)

/** What runs tests: the jars that the check of the toolchain looks for, and those that they load. */
const RUNNER = [
  'junit-platform-console',
  'junit-platform-reporting',
  'junit-jupiter-engine',
  'univocity-parsers',
]
  .map(jar)
  .concat(JUNIT)

/** Returns the paths of all Java files in a folder. */
export const javaFilesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name))

/** The path of java, for runs with another PATH. */
const javaProgram = (): string =>
  spawnSync('sh', ['-c', 'command -v java'], { encoding: 'utf8' }).stdout.trim()

let scratch: string | null = null

atEndOfFile(() => {
  if (scratch !== null) rmSync(scratch, { recursive: true, force: true })
  scratch = null
  return Promise.resolve()
})

/** Returns an empty folder that is removed after the test file. */
export function javaScratch(name: string): string {
  scratch ??= mkdtempSync(join(tmpdir(), 'suite-sim-java-'))
  const folder = join(scratch, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Compiles with all warnings as errors, for the oldest supported version. Returns the folder of the classes. */
export function compileJava(name: string, files: readonly string[], classPath: readonly string[]): string {
  const folder = javaScratch(name)
  const command = ['-Xlint:all', '-Xdoclint:html,syntax,reference', '-Werror', '--release', '17']
  const options = ['-encoding', 'UTF-8', '-classpath', classPath.join(delimiter), '-d', folder]
  const { status, stderr } = spawnSync('javac', [...command, ...options, ...files], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`javac failed:\n${stderr}`)
  return folder
}

export interface JUnitRun extends Ended {
  readonly successful: number
  readonly failed: number
  readonly skipped: number
}

/** Runs JUnit's console. `selection` has its options. */
export async function runJUnit(
  classPath: readonly string[],
  selection: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<JUnitRun> {
  const all = [...RUNNER, ...classPath].join(delimiter)
  const command = [
    javaProgram(),
    '-classpath',
    all,
    'org.junit.platform.console.ConsoleLauncher',
    '--disable-banner',
  ]
  const ended = await runIn(javaScratch('run'), [...command, ...selection], variables)
  return {
    ...ended,
    successful: countOf(ended, 'tests successful'),
    failed: countOf(ended, 'tests failed') + countOf(ended, 'containers failed'),
    skipped: countOf(ended, 'tests skipped') + countOf(ended, 'containers skipped'),
  }
}

/** Returns a number of the summary: "[         3 tests failed          ]". */
function countOf({ stdout, stderr }: Ended, what: string): number {
  const [, count] = new RegExp(`\\[ +(\\d+) ${what} +\\]`).exec(stdout) ?? []
  if (count === undefined) throw new Error(`JUnit wrote no summary:\n${stdout}${stderr}`)
  return Number(count)
}

/** Fails with the output unless all tests passed. */
export function expectPassed(run: JUnitRun, successful?: number): void {
  const { code, failed, skipped } = run
  expect({ code, failed, skipped }, run.stdout + run.stderr).toEqual({ code: 0, failed: 0, skipped: 0 })
  if (successful === undefined) expect(run.successful).toBeGreaterThan(0)
  else expect(run.successful).toBe(successful)
}

/** Returns the Java code in a Markdown file, by the name of its class. */
export function javaBlocksIn(file: string): Map<string, string> {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```java\n([\s\S]+?)^```$/gm)]
  return new Map(blocks.map(([, text = '']) => [/^(?:public )?class (\w+)/m.exec(text)?.[1] ?? '', text]))
}
