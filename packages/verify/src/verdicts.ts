/** A verdict for each claim, from the results of all checks. */
import type { Tally } from './checks/checks.ts'
import type { Claim, Claims } from './model/claims.ts'
import type { Operation } from './model/operation.ts'
import type { ClaimVerdict } from './report/report.ts'
import type { Uncalled } from './crawl/crawl.ts'
import type { Written } from './write/runScenarios.ts'
import { SCENARIOS } from './write/scenarios/index.ts'

/** Kinds of claims that reads alone cannot check. */
const UNSENT = 'the service sends events only to receivers that it knows'

const WRITTEN: Readonly<Record<string, string>> = {
  request: 'only write mode sends bodies',
  event: UNSENT,
  move: 'only write mode moves records',
  scope: 'it needs a key with fewer scopes',
}

interface VerdictOptions {
  readonly claims: Claims
  readonly tallies: readonly Tally[]
  /** Keys of claims with a difference that is no flake. */
  readonly differing: ReadonlySet<string>
  readonly operations: readonly Operation[]
  readonly uncalled: Uncalled
  /** Whether the calls may be of any kind, as in a capture. */
  readonly mayWrite: boolean
  /** What write mode did; null in a run that only reads. */
  readonly written: Written | null
}

export function verdictsOf({
  claims,
  tallies,
  differing,
  operations,
  uncalled,
  mayWrite,
  written,
}: VerdictOptions): ClaimVerdict[] {
  const samples = new Map<string, number>()
  for (const {
    claim,
    samples: { total },
  } of tallies)
    samples.set(claim, Math.max(samples.get(claim) ?? 0, total))
  const whyNot = new Map([...uncalled].map(([{ address }, why]) => [address, why]))
  const callable = new Set(
    operations
      .filter((operation) => operation.method === 'GET' || (written && !written.impossible.has(operation)))
      .map(({ address }) => address),
  )
  const moves = new Set(
    written?.steps.flatMap(({ step }) => (step.moves === undefined ? [] : [`move ${step.moves}`])) ?? [],
  )
  return claims.all.map((claim): ClaimVerdict => {
    const { key, kind, fidelity, interface: name } = claim
    const common = { interface: name, claim: key, kind, fidelity, samples: samples.get(key) ?? 0 }
    const why = mayWrite
      ? null
      : written
        ? whyUnwritten(claim, callable, moves, whyNot)
        : whyUncheckable(claim, callable)
    if (differing.has(key)) return { ...common, isCheckable: true, verdict: 'differs' }
    if (common.samples > 0) return { ...common, isCheckable: true, verdict: 'agrees' }
    if (why !== null) return { ...common, isCheckable: false, verdict: 'not_checked', why }
    return { ...common, isCheckable: true, verdict: 'not_checked', why: whyUnseen(claim, whyNot) }
  })
}

/** Returns why a run that writes cannot show a claim; null if it can. */
function whyUnwritten(
  { kind, key, at, interface: name }: Claim,
  callable: ReadonlySet<string>,
  moves: ReadonlySet<string>,
  whyNot: ReadonlyMap<string, string>,
): string | null {
  if (kind === 'event') return UNSENT
  if (kind === 'scope') return WRITTEN['scope'] ?? null
  if (kind === 'move') {
    if (moves.has(key)) return null
    const hasScenario = SCENARIOS[name].scenarios.some(({ steps }) =>
      steps.some((step) => key === `move ${step.moves ?? ''}`),
    )
    return hasScenario ? 'its story was not played' : 'no call of a story makes this move'
  }
  const addresses = at.map((place) => place.split(' ').slice(0, 2).join(' '))
  if (addresses.some((address) => callable.has(address) || !address.includes(' /'))) {
    const isEvent = at.every((place) => !place.includes(' /')) && kind !== 'status'
    return isEvent && !at.some((place) => /^Error\b/.test(place)) ? UNSENT : null
  }
  return (
    addresses.map((address) => whyNot.get(address)).find((why) => why !== undefined) ?? 'no story calls it'
  )
}

/** Returns why reads cannot show a claim; null if they can. */
function whyUncheckable({ kind, at }: Claim, readable: ReadonlySet<string>): string | null {
  const written = WRITTEN[kind]
  if (written !== undefined) return written
  const isBelow = (place: string): boolean => {
    const [method = '', path = ''] = place.split(' ')
    // Errors and statuses of the interface have no operation.
    if (!path.startsWith('/')) return kind === 'status' || place === 'Error' || place.startsWith('Error.')
    return readable.has(`${method} ${path}`) && !place.includes(' body')
  }
  if (at.some(isBelow)) return null
  return at.every((place) => !place.includes(' /')) ? UNSENT : 'only write mode makes such calls'
}

function whyUnseen({ at, kind }: Claim, uncalled: ReadonlyMap<string, string>): string {
  const reasons = at.map((place) => uncalled.get(place.split(' ').slice(0, 2).join(' ')))
  const [first] = reasons
  if (first !== undefined && reasons.every((reason) => reason !== undefined)) return first
  return kind === 'status'
    ? 'no call was answered with it'
    : kind === 'value'
      ? 'no record has it'
      : kind === 'parameter' || kind === 'bound' || kind === 'default'
        ? 'no call could tell it from another value'
        : 'no answer had it'
}
