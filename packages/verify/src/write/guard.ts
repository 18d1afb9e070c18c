/** What must hold before a run may write: the address, the key, and the resources that are allowed. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { VerifyOptionsError, type VerifyOptions } from '../options.ts'
import { SCENARIOS } from './scenarios/index.ts'
import type { Scenario } from './scenario.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/

/** True for a key that names itself live. */
export const looksLive = (key: string): boolean => /live/i.test(key) && !/test|demo|sim/i.test(key)

/** Throws a VerifyOptionsError if a run with these options must not write. */
export function mustBeSafe({ baseUrl, at = {}, key, replay, write }: VerifyOptions): void {
  if (replay !== undefined)
    throw new VerifyOptionsError('a capture sends nothing, so it must be checked without write')
  for (const url of [baseUrl, ...Object.values(at)]) mustBeEncrypted(url)
  if (looksLive(key) && write?.isLive !== true)
    throw new VerifyOptionsError(
      'the key looks like a live one; --live allows --write with it, and a test key needs no flag',
    )
  mustKnow(write?.allow ?? [])
}

/** Throws a VerifyOptionsError for an address that sends the key in clear text. */
export function mustBeEncrypted(url: string): void {
  const { protocol, hostname, host } = new URL(url)
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new VerifyOptionsError(`--write needs https: http://${host} would send the key in clear text`)
}

/** All names for `allow`: "deals" and "crm.deals". */
const names = (): string[] =>
  Object.entries(SCENARIOS).flatMap(([name, { scenarios }]) =>
    scenarios.flatMap(({ resource }) => [resource, `${name}.${resource}`]),
  )

function mustKnow(allow: readonly string[]): void {
  const known = [...new Set(names())]
  for (const name of allow) {
    if (known.includes(name)) continue
    const nearest = nearestName(name, known)
    throw new VerifyOptionsError(
      nearest === null
        ? `--allow: no resource is called ${name}; there are ${known.filter((each) => !each.includes('.')).join(', ')}`
        : `--allow: no resource is called ${name}. Did you mean ${nearest}?`,
    )
  }
}

/** True if a scenario may run. */
export const isAllowed = (name: InterfaceName, scenario: Scenario, allow: readonly string[]): boolean =>
  scenario.needsAllow === undefined ||
  allow.includes(scenario.resource) ||
  allow.includes(`${name}.${scenario.resource}`)
