/** The parts of a report from checks and verdicts. */
import { evidenceOf } from './exchanges/evidence.ts'
import { requestOf, type Service } from './exchanges/serviceClient.ts'
import type { Kind } from '../../../src/published.ts'
import type { Tally } from './checks/checks.ts'
import type { ReadingValue } from './overlay/alternatives.ts'
import type { CheckContext } from './checks/context.ts'
import type { ClaimVerdict, Difference, Report } from './report/report.ts'
import type { Uncalled } from './crawl/crawl.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'

interface Deviations {
  readonly context: CheckContext
  readonly deviating: readonly Tally[]
  readonly flaky: ReadonlySet<Tally>
  readonly followedBy: ReadonlyMap<Tally, Kind>
  readonly explained: ReadonlyMap<Tally, ReadingValue>
  readonly service: Service
}

export function differencesIn({
  context: { name, claims },
  deviating,
  flaky,
  followedBy,
  explained,
  service,
}: Deviations): Difference[] {
  return deviating.flatMap((tally): Difference[] => {
    const { claim, oracle, aspect, place, samples, differences, firstSeen, lastSeen } = tally
    const [first] = differences
    const reading = explained.get(tally)
    if (!first || firstSeen === null || lastSeen === null) return []
    return [
      {
        interface: name,
        claim,
        fidelity: claims.get(claim)?.fidelity ?? 'assumed',
        status: flaky.has(tally) ? 'flaky' : 'differs',
        oracle,
        aspect,
        operation: first.exchange.probe.operation.address,
        place,
        message: first.message ?? 'The answers differ.',
        expected: first.expected,
        actual: first.actual,
        samples: { ...samples },
        firstSeen,
        lastSeen,
        ...(reading && { reading }),
        followedBy: followedBy.get(tally) ?? null,
        evidence: differences.map(({ exchange }) =>
          evidenceOf(exchange, requestOf(exchange.probe, service).headers, [service.key]),
        ),
      },
    ]
  })
}

export function summaryOf(
  claims: readonly ClaimVerdict[],
  differences: readonly Difference[],
): Report['summary'] {
  const count = (test: (claim: ClaimVerdict) => boolean): number => claims.filter(test).length
  const checkable = count(({ isCheckable }) => isCheckable)
  const checked = count(({ verdict }) => verdict !== 'not_checked')
  return {
    claims: claims.length,
    checkable,
    checked,
    agrees: count(({ verdict }) => verdict === 'agrees'),
    differs: count(({ verdict }) => verdict === 'differs'),
    flaky: differences.filter(({ status }) => status === 'flaky').length,
    coverage: checkable === 0 ? 0 : checked / checkable,
  }
}

/** Returns operations that were not called, and then the numbers of other claims by reason. */
export function notCheckedIn(
  measured: readonly { readonly name: InterfaceName; readonly uncalled: Uncalled }[],
  verdicts: readonly ClaimVerdict[],
): Report['notChecked'] {
  return measured.flatMap(({ name, uncalled }) => {
    const own = verdicts.filter((each) => each.interface === name && each.verdict === 'not_checked')
    const operations = [...uncalled].map(([{ address }, why]) => ({
      interface: name,
      what: address,
      why,
      claims: own.filter(({ claim }) => claim.includes(`${address} `) || claim.endsWith(address)).length,
    }))
    const reasons = new Set(uncalled.values())
    const others = new Map<string, { what: string; why: string; claims: number }>()
    for (const { kind, why = '' } of own) {
      if (reasons.has(why)) continue
      const key = `${kind} ${why}`
      const claims = (others.get(key)?.claims ?? 0) + 1
      others.set(key, { what: `claims of the kind ${kind}`, why, claims })
    }
    return [...operations, ...[...others.values()].map((other) => ({ interface: name, ...other }))]
  })
}
