/**
 * The benchmarks: the throughput of the simulator, compared with bare Fastify, bare better-sqlite3, bare
 * undici or bare node:http in the same run. docs/BENCHMARKS.md explains each row.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { generatorFor } from './load.ts'
import { say, stopEverything } from './processes.ts'
import { table, type Row } from './report.ts'
import { cost } from './scenarios/cost.ts'
import { create } from './scenarios/create.ts'
import { deals } from './scenarios/deals.ts'
import { deliveries } from './scenarios/deliveries.ts'
import { differences } from './scenarios/differences.ts'
import { growth } from './scenarios/growth.ts'
import { imports } from './scenarios/imports.ts'
import { interfaces } from './scenarios/interfaces.ts'
import { latency } from './scenarios/latency.ts'
import { invoicing } from './scenarios/invoicing.ts'
import { large, upload } from './scenarios/large.ts'
import { memory } from './scenarios/memory.ts'
import { payments } from './scenarios/payments.ts'
import { peers } from './scenarios/peers.ts'
import { get, list } from './scenarios/reads.ts'
import { replay } from './scenarios/replay.ts'
import { start } from './scenarios/start.ts'
import { storm } from './scenarios/storm.ts'
import { workspace } from './scenarios/workspace.ts'
import { CONNECTIONS, FULL, QUICK, type Settings } from './settings.ts'

/** Measures, and adds notes for readers of the figures. */
type Scenario = (settings: Settings, note: (text: string) => void) => Promise<Row[]>

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  get,
  list,
  deals,
  payments,
  create,
  start,
  workspace,
  diff: differences,
  replay,
  deliveries,
  latency,
  storm,
  import: imports,
  interfaces,
  invoicing,
  large,
  upload,
  memory,
  growth,
  cost,
}

/** `peers` runs only by name: it installs programs from the npm registry. */
const ALL: Readonly<Record<string, Scenario>> = { ...SCENARIOS, peers }

const USAGE = `npm run bench -- [--quick] [--million] [${Object.keys(ALL).join('|')} ...]`

/** A server that hangs must not block a build machine. */
const LONGEST_SCENARIO_MS = 15 * 60_000

await main()

async function main(): Promise<void> {
  const { settings, isQuick, selected } = readArguments()
  const began = performance.now()
  const rows: Row[] = []
  const notes: string[] = []
  try {
    for (const [name, scenario] of selected) {
      const started = performance.now()
      const limit = setTimeout(stopLate, LONGEST_SCENARIO_MS, name)
      rows.push(...(await scenario(settings, (text) => notes.push(text))))
      clearTimeout(limit)
      process.stderr.write(`${name}: measured in ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
    }
  } finally {
    stopEverything()
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  say(`\n${table(rows, !isQuick)}\n`)
  if (isQuick)
    say('- Quick: the measurements are too short, and the load is too slow, to judge these figures.')
  for (const text of notes) say(`- ${text}`)
  const { rounds, seconds: turn } = settings
  say(`- Load: ${String(CONNECTIONS)} keep-alive connections by ${generatorFor(turn)}.`)
  say(
    `- Node ${process.version}, ${String(cpus().length)} cores, ${String(rounds)} rounds; ${String(seconds)} s in all.`,
  )
  process.exit(0)
}

function stopLate(name: string): void {
  process.stderr.write(`${name} took too long and was stopped.\n`)
  process.exit(1)
}

function readArguments(): { settings: Settings; isQuick: boolean; selected: [string, Scenario][] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { quick: { type: 'boolean', default: false }, million: { type: 'boolean', default: false } },
    })
    for (const name of positionals) if (!(name in ALL)) throw new Error(`There is no scenario ${name}.`)
    const selected = Object.entries(positionals.length === 0 ? SCENARIOS : ALL).filter(
      ([name]) => positionals.length === 0 || positionals.includes(name),
    )
    const { quick: isQuick, million } = values
    return { settings: { ...(isQuick ? QUICK : FULL), million }, isQuick, selected }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nUsage: ${USAGE}\n`)
    process.exit(2)
  }
}
