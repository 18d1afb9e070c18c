/** The outcome of a run: the exit code, and the last line. */
import { BUDGET_SPENT, type Report } from '@suite-sim/verify/report/report'
import { counted, percent, shortText, withCommas } from '@suite-sim/verify/report/values'
import { CommandError } from '@suite-sim/kit/terminal/problem'

/** Too little could be checked for an answer. */
export class TooLittleError extends CommandError {
  override readonly name = 'TooLittleError'
  override readonly exitCode = 3
}

interface Expected {
  /** The share of checkable claims that must be checked. */
  readonly minCoverage?: number
  readonly wasStopped: boolean
}

/**
 * Returns the error of a run whose service differs or that checked too little; null if the service agrees. A difference
 * counts also if too little was checked.
 */
export function outcomeOf(
  { summary, differences, run, notChecked }: Report,
  { minCoverage = 0, wasStopped }: Expected,
): CommandError | null {
  const { checked, coverage, checkable } = summary
  const claims = new Set(
    differences.filter(({ status }) => status === 'differs').map((each) => `${each.interface} ${each.claim}`),
  )
  if (claims.size > 0) {
    return new CommandError(
      `${counted(claims.size, 'claim')} ${claims.size === 1 ? 'differs' : 'differ'}; ${withCommas(checked)} of ${counted(checkable, 'checkable claim')} checked`,
    )
  }
  const why = run.endedEarly ?? notChecked[0]?.why
  const because = why === undefined ? '' : `: ${shortText(why)}`
  if (checked === 0) return new TooLittleError(`nothing could be checked${because}`)
  if (wasStopped) return new TooLittleError('the run was stopped; nothing differed until then')
  if (run.endedEarly !== null && run.endedEarly !== BUDGET_SPENT)
    return new TooLittleError(
      `the run ended early: ${shortText(run.endedEarly)}; nothing differed until then`,
    )
  if (coverage < minCoverage) {
    return new TooLittleError(
      `too little could be checked: ${percent(coverage)} of the checkable claims, and --min-coverage is ${percent(minCoverage)}${because}`,
    )
  }
  return null
}

/** Returns "312 requests; 1,102 of 1,480 checkable claims checked; none differs". */
export const agreement = ({ summary, run }: Report): string =>
  `${counted(run.requests, 'request')}; ${withCommas(summary.checked)} of ${counted(summary.checkable, 'checkable claim')} checked; none differs${summary.flaky > 0 ? `, ${withCommas(summary.flaky)} flaky` : ''}`
