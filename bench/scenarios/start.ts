/**
 * The time from start to the first 200 of the health check, compared with a bare node:http process; and that of
 * `startSimulator()` in a process that runs already.
 */
import { execFileSync } from 'node:child_process'
import { get } from 'node:http'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, BUNDLES, launch, ROOT, scratch, stop } from '../processes.ts'
import type { Row, Target } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'

const BARE = join(BUNDLES, 'bare-http.mjs')

const WITHOUT_DEMO: Target = { of: 'ratio', limit: 'at most', value: 2 }
const IN_PROCESS_TARGET: Target = { of: 'figure', limit: 'at most', value: 150 }

export async function start(settings: Settings): Promise<Row[]> {
  const file = scratch('start.sqlite')
  const sides = {
    memory: () => timeToFirstAnswer(BINARY, ['--port', '0', '--db', ':memory:']),
    file: () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
      return timeToFirstAnswer(BINARY, ['--port', '0', '--db', file])
    },
    none: () => timeToFirstAnswer(BINARY, ['--port', '0', '--db', ':memory:', '--fixtures', 'none']),
    theirs: () => timeToFirstAnswer(BARE, []),
  }
  // The first reads from the disk say nothing about the program.
  await alternate(sides, 1)
  const { memory, file: onFile, none, theirs } = await alternate(sides, settings.starts)
  const target: Target = { of: 'ratio', limit: 'at most', value: 2.5 }
  const row = { unit: 'ms', beside: 'bare node:http', theirs, target } as const
  return [
    { ...row, what: 'cold start to first 200, in memory', ours: memory },
    { ...row, what: 'cold start to first 200, new file', ours: onFile },
    { ...row, what: 'cold start to first 200, --fixtures none', ours: none, target: WITHOUT_DEMO },
    ...(await startsInProcess(settings)),
  ]
}

const LIBRARY = join(ROOT, 'dist/index.js')
const IN_PROCESS = join(BUNDLES, 'in-process.mjs')

/** Starts in fresh processes that import the library, until the first answer of an empty workspace. */
async function startsInProcess({ starts }: Settings): Promise<Row[]> {
  const imported: number[] = []
  const timed = (args: readonly string[], kept: number[]) => async (): Promise<number> => {
    const output = execFileSync(process.execPath, [IN_PROCESS, ...args], { encoding: 'utf8' })
    const took = JSON.parse(output) as { imported: number; started: number }
    kept.push(took.imported)
    return took.started
  }
  const sides = { ours: timed([LIBRARY], imported), theirs: timed([], []) }
  await alternate(sides, 1)
  imported.length = 0
  const { ours, theirs } = await alternate(sides, starts)
  const row = { unit: 'ms', beside: 'node:http in the process', theirs, target: IN_PROCESS_TARGET } as const
  return [
    { ...row, what: 'startSimulator() to the first answer, empty workspace', ours },
    { ...row, what: 'the same with the import of the library', ours: imported },
  ]
}

async function timeToFirstAnswer(file: string, args: readonly string[]): Promise<number> {
  const began = performance.now()
  const { child, url } = await launch(file, args)
  await mustBeHealthy(`${url}/_sim/health`)
  const took = performance.now() - began
  await stop(child)
  return took
}

function mustBeHealthy(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (answer) => {
      if (answer.statusCode === 200) resolve()
      else reject(new Error(`${url} responded with ${String(answer.statusCode)}`))
      answer.resume()
    })
    request.on('error', reject)
  })
}
