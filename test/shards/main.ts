/**
 * `npm run shards -- [--only jobs|kill|rolling] [--jobs N] [--at-once N] [--shards N,...] [--kill SECONDS]`: measures jobs,
 * kills and restarts of shards behind HAProxy (docs/shards.md).
 */
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { folderUntilExit, killAtExit } from '../support/untilExit.ts'
import { Cluster } from './cluster.ts'
import { runJobs, type JobReport } from './jobs.ts'
import { killOneUnderLoad, restartAllUnderLoad, type UserReport } from './users.ts'

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '500' },
    'at-once': { type: 'string', default: '50' },
    shards: { type: 'string', default: '1,2,4' },
    kill: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
})

const folder = folderUntilExit('shards')

const say = (line: string): void => void process.stdout.write(`${line}\n`)

let started = 0

const startCluster = (count: number): Promise<Cluster> =>
  Cluster.start({
    names: Array.from({ length: count }, (_, index) => `s${String(index + 1)}`),
    folder: join(folder, String(++started)),
    watch: killAtExit,
  })

const jobs = Number(values.jobs)
const atOnce = Number(values['at-once'])
let problems = 0

const wants = (name: string): boolean => values.only === undefined || values.only === name

if (wants('jobs')) {
  for (const count of values.shards.split(',')) await throughput(Number(count))
}
if (wants('kill')) {
  const cluster = await startCluster(4)
  const { kills, ...report } = await killOneUnderLoad(cluster, 's2', Number(values.kill))
  say(`kill -9 of s2, ${String(kills)} times in ${values.kill} s: ${usersLine(report)}`)
  await cluster.stop()
}
if (wants('rolling')) {
  const cluster = await startCluster(4)
  const report = await restartAllUnderLoad(cluster)
  say(`restart of four shards, one after the other: ${usersLine(report)}`)
  await cluster.stop()
}
process.exit(problems > 0 ? 1 : 0)

/** Runs the jobs with this many shards, and reports the calls per CPU second of shards and proxy. */
async function throughput(count: number): Promise<void> {
  const cluster = await startCluster(count)
  // Each shard compiles its code first.
  await runJobs(cluster, 100 * count, atOnce)
  const cpu = (): number => cluster.shards.reduce((sum, shard) => sum + shard.cpuSeconds, 0)
  const [shards, proxy] = [cpu(), cluster.proxyCpuSeconds]
  const report = await runJobs(cluster, jobs, atOnce)
  const used = { shards: cpu() - shards, proxy: cluster.proxyCpuSeconds - proxy }
  say(`${String(count)} shards: ${lineOf(report)}`)
  say(
    `  ${String(Math.round(report.calls / report.seconds))} calls a second, ` +
      `${String(Math.round(report.calls / used.shards))} per CPU second of the shards, ` +
      `${String(Math.round(report.calls / used.proxy))} per CPU second of the proxy`,
  )
  await cluster.stop()
}

function lineOf({ jobs: count, calls, misrouted, problems: found, jobsByShard, seconds }: JobReport): string {
  problems += found.length
  for (const problem of found.slice(0, 5)) say(`  ${problem}`)
  return (
    `${String(count)} jobs, ${String(calls)} calls in ${seconds.toFixed(1)} s, ${String(found.length)} errors, ` +
    `${String(misrouted)} by the wrong shard, jobs ${JSON.stringify(jobsByShard)}`
  )
}

function usersLine({ calls, failed, misrouted, missing, problems: found, longestMs }: UserReport): string {
  problems += found.length
  for (const problem of found.slice(0, 5)) say(`  ${problem}`)
  return (
    `${JSON.stringify(calls)} calls, ${JSON.stringify(failed)} failed, ${String(misrouted)} by the wrong shard, ` +
    `${String(missing)} answered writes missing, longest call ${JSON.stringify(longestMs)} ms`
  )
}
