/** `npm run hostile`: parses the arguments, runs the attacks and prints the findings. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { folderUntilExit, killAtExit } from '../support/untilExit.ts'
import { accessRun } from './access.ts'
import { Findings } from './findings.ts'
import { killRun } from './kill.ts'
import { replicationRun } from './replication.ts'
import { accessSummary, killSummary, replicationSummary, stormSummary, summary } from './report.ts'
import { hostileRun } from './run.ts'
import { storm } from './storm.ts'
import { readSurface } from './surface.ts'
import { Target } from './target.ts'

const USAGE = `npm run hostile -- [--seed N] [--requests N] [--access] [--kill N] [--storm N] [--replicate SECONDS]
       npm run hostile -- --seed N --only 'METHOD /path' --case N`

/** A folder for one server, and what ends its processes. */
const place = () => ({ folder: folderUntilExit('hostile'), watch: killAtExit })

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const options = readOptions()
process.exit((await doAll()) > 0 ? 1 : 0)

/** Runs everything requested in sequence, each with a new server, and returns the number of findings. */
async function doAll(): Promise<number> {
  const { seed, requests, access, kill, storm: deliveries, replicate } = options
  const findingsFolder = join(tmpdir(), `suite-sim-hostile-${String(seed)}`)
  let found = 0
  const tell = (lines: readonly string[], problems: number): void => {
    for (const line of ['', ...lines]) say(line)
    found += problems
  }
  if (access) {
    const target = await Target.start(place())
    const surface = await readSurface((path) => target.must('GET', path))
    const findings = new Findings(findingsFolder, seed)
    tell(accessSummary(await accessRun(target, surface, findings), findings), findings.all.length)
    await target.server.stop('SIGTERM')
  }
  if (kill > 0) {
    const report = await killRun(place(), kill, seed)
    tell(killSummary(report), report.problems.length)
  }
  if (replicate > 0) {
    const report = await replicationRun(place(), replicate)
    tell(replicationSummary(report), report.problems.length)
  }
  if (deliveries > 0) {
    const target = await Target.start(place())
    const report = await storm(target, deliveries)
    tell(stormSummary(report), report.problems.length)
    await target.server.stop('SIGTERM')
  }
  if (requests > 0) {
    const target = await Target.start(place())
    const report = await hostileRun(target, { ...options, folder: findingsFolder, tell: say })
    tell(summary(report), report.findings.all.length)
  }
  return found
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        requests: { type: 'string' },
        access: { type: 'boolean', default: false },
        kill: { type: 'string', default: '0' },
        storm: { type: 'string', default: '0' },
        replicate: { type: 'string', default: '0' },
        only: { type: 'string' },
        case: { type: 'string', default: '0' },
      },
    })
    const number = (text: string): number => {
      if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a number.`)
      return Number(text)
    }
    const isOther =
      values.access || [values.kill, values.storm, values.replicate].some((count) => count !== '0')
    return {
      seed: number(values.seed),
      requests: number(values.requests ?? (isOther ? '0' : '3000')),
      access: values.access,
      kill: number(values.kill),
      storm: number(values.storm),
      replicate: number(values.replicate),
      only: values.only === undefined ? undefined : { operation: values.only, number: number(values.case) },
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nUsage: ${USAGE}\n`)
    process.exit(2)
  }
}
