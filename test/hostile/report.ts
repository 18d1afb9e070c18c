/** The reports at the end of the runs. */
import type { AccessReport } from './access.ts'
import type { Findings } from './findings.ts'
import type { KillReport } from './kill.ts'
import type { RunReport } from './run.ts'
import type { ReplicationReport } from './replication.ts'
import type { StormReport } from './storm.ts'

export function summary({
  operations,
  tally,
  longestHoldMs,
  memory,
  findings,
  seconds,
}: RunReport): string[] {
  const classes = [...tally.classes].sort(([a], [b]) => a.localeCompare(b))
  const rate = Math.round(tally.requests / seconds)
  return [
    ...findings.describe(),
    `requests      ${String(tally.requests)} to ${String(operations)} operations in ${seconds.toFixed(0)} s (${String(rate)}/s)`,
    `answers       ${classes.map(([name, count]) => `${name} ${String(count)}`).join(', ')}`,
    `slowest       ${tally.slowest.ms.toFixed(0)} ms: ${tally.slowest.what}`,
    `longest hold  ${longestHoldMs.toFixed(0)} ms of the event loop`,
    `memory        ${memory.most.toFixed(0)} MB at most, ${memory.settled.toFixed(0)} MB in the end`,
    `findings      ${String(findings.all.length)}`,
  ]
}

export const accessSummary = ({ checks }: AccessReport, findings: Findings): string[] => [
  ...findings.describe(),
  `access        ${String(checks)} checks`,
  `findings      ${String(findings.all.length)}`,
]

export const killSummary = ({ kills, writes, arrivals, seconds, problems }: KillReport): string[] => [
  ...problems.slice(0, 20),
  `kills         ${String(kills)} in ${seconds.toFixed(0)} s`,
  `writes        ${String(writes)} answered with success, ${String(arrivals)} webhooks came`,
  `findings      ${String(problems.length)}`,
]

export const replicationSummary = ({
  seconds,
  writes,
  uploads,
  lossMs,
  problems,
}: ReplicationReport): string[] => [
  ...problems.slice(0, 20),
  `writes        ${String(writes)} in ${seconds.toFixed(0)} s, ${String(uploads)} of them with a file`,
  `lost          the last ${String(lossMs)} ms before the kill`,
  `findings      ${String(problems.length)}`,
]

export const stormSummary = (report: StormReport): string[] => [
  ...report.problems.slice(0, 20),
  `deliveries    ${String(report.deliveries)} by ${String(report.attempts)} attempts in ${report.seconds.toFixed(0)} s`,
  `meanwhile     slowest other call ${report.slowestCallMs.toFixed(0)} ms, longest hold ${report.longestHoldMs.toFixed(0)} ms`,
  `findings      ${String(report.problems.length)}`,
]
