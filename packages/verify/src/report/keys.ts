/** What identifies a difference in all reports, and where it was seen. */
import type { Difference, Report } from './report.ts'

/** Returns "crm | field Contact.email | type | GET /contacts 200.data[].email". */
export const keyOf = ({ interface: name, claim, aspect, place }: Difference): string =>
  [name, claim, aspect, place].join(' | ')

const ADDRESS = /(?:^|\s)((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/\S*)/

/** Returns the operation in a claim or a place: "GET /contacts"; null if it names none. */
export const addressIn = (text: string): string | null => ADDRESS.exec(text)?.[1] ?? null

/** Returns the operation at which a difference was seen. */
export const operationOf = (difference: Difference): string =>
  addressIn(difference.place) ?? difference.operation

export type Group = readonly [name: string, differences: readonly Difference[]]

/** Returns the differences by operation, "crm GET /contacts"; flaky ones are last. */
export function byOperation({ differences }: Report): Group[] {
  const groups = new Map<string, Difference[]>()
  const sorted = [
    ...differences.filter(({ status }) => status === 'differs'),
    ...differences.filter(({ status }) => status === 'flaky'),
  ]
  for (const difference of sorted) {
    const name = `${difference.interface} ${operationOf(difference)}`
    groups.set(name, [...(groups.get(name) ?? []), difference])
  }
  return [...groups]
}

export interface Reason {
  readonly why: string
  readonly claims: number
  /** What was not checked, by the names of interfaces: "crm, pos". */
  readonly interfaces: readonly (readonly [names: string, what: readonly string[]])[]
}

/** Returns what was not checked by reason, most claims first. */
export function byReason({ notChecked }: Pick<Report, 'notChecked'>): Reason[] {
  const reasons = new Map<string, { claims: number; interfaces: Map<string, string[]> }>()
  for (const { interface: name, what, why, claims } of notChecked) {
    const reason = reasons.get(why) ?? { claims: 0, interfaces: new Map<string, string[]>() }
    reason.claims += claims
    reason.interfaces.set(name, [...(reason.interfaces.get(name) ?? []), what.replace(KIND, '')])
    reasons.set(why, reason)
  }
  return [...reasons]
    .map(([why, { claims, interfaces }]) => ({ why, claims, interfaces: sameTogether(interfaces) }))
    .sort((one, other) => other.claims - one.claims)
}

const KIND = /^claims of the kind /

/** Returns the entries with the names of interfaces that have the same ones together. */
function sameTogether(interfaces: ReadonlyMap<string, readonly string[]>): Reason['interfaces'] {
  const groups = new Map<string, { names: string[]; what: readonly string[] }>()
  for (const [name, what] of interfaces) {
    const key = JSON.stringify(what.toSorted())
    const group = groups.get(key) ?? { names: [], what }
    group.names.push(name)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ names, what }) => [names.join(', '), what])
}

export interface Counts {
  readonly interface: string
  readonly claims: number
  readonly checkable: number
  readonly checked: number
  readonly differs: number
}

/** Returns the claims of each interface, in the order of the run. */
export function byInterface({ run, claims, differences }: Report): Counts[] {
  return run.interfaces.map((name) => {
    const own = claims.filter((claim) => claim.interface === name)
    return {
      interface: name,
      claims: own.length,
      checkable: own.filter(({ isCheckable }) => isCheckable).length,
      checked: own.filter(({ verdict }) => verdict !== 'not_checked').length,
      differs: new Set(
        differences
          .filter((each) => each.interface === name && each.status === 'differs')
          .map(({ claim }) => claim),
      ).size,
    }
  })
}
