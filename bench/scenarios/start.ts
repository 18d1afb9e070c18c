/** The time from start to the first 200 of the health check, compared with a bare node:http process. */
import { get } from 'node:http'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, BUNDLES, launch, scratch, stop } from '../processes.ts'
import type { Row, Target } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'

const BARE = join(BUNDLES, 'bare-http.mjs')

export async function start(settings: Settings): Promise<Row[]> {
  const file = scratch('start.sqlite')
  const sides = {
    memory: () => timeToFirstAnswer(BINARY, ['--port', '0', '--db', ':memory:']),
    file: () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
      return timeToFirstAnswer(BINARY, ['--port', '0', '--db', file])
    },
    theirs: () => timeToFirstAnswer(BARE, []),
  }
  // The first reads from the disk say nothing about the program.
  await alternate(sides, 1)
  const { memory, file: onFile, theirs } = await alternate(sides, settings.starts)
  const target: Target = { of: 'ratio', limit: 'at most', value: 4 }
  const row = { unit: 'ms', beside: 'bare node:http', theirs, target } as const
  return [
    { ...row, what: 'cold start to first 200, in memory', ours: memory },
    { ...row, what: 'cold start to first 200, new file', ours: onFile },
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
