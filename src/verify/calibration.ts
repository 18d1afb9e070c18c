/**
 * What a walk through the simulator's own demo shows: invariants to look for, relations that do not hold there, and values
 * that differ between two reads.
 */
import { Asker } from './asking/asker.ts'
import { Checks } from './checks.ts'
import { differencesOf } from './differential/compare.ts'
import { mineFormats, type Formats } from './oracles/documents.ts'
import { mineInvariants, type Invariants } from './oracles/invariants.ts'
import { checkRelations } from './oracles/relations.ts'
import { withoutVolatile } from './oracles/volatile.ts'
import type { InterfaceName } from '../state/model/interfaceNames.ts'
import type { Reference } from './reference.ts'
import { demoValues } from './walk/demoValues.ts'
import { readingsOf } from './walk/readings.ts'
import { walk } from './walk/walk.ts'

export interface Calibration {
  readonly invariants: Invariants
  readonly formats: Formats
  /** Relations that do not hold in the simulator: "catalog filter GET /activities 200.data parameter …". */
  readonly untrue: ReadonlySet<string>
  /** Places that differ between two reads: "recruiting getSummary .data.period.from". */
  readonly moving: ReadonlySet<string>
}

/** Relations that a filter, a search or a sort need not have; others must hold. */
const OPTIONAL: ReadonlySet<string> = new Set(['accepted', 'filter', 'filter_rows', 'search', 'sort'])

export async function calibrate(
  reference: Reference,
  interfaces: readonly InterfaceName[],
): Promise<Calibration> {
  const demo = await reference.scratch('demo')
  const published = await Promise.all(interfaces.map((name) => reference.published(name)))
  const operations = published.flatMap((each) => each.operations)
  const { readings } = await walk({
    asker: new Asker({ service: demo.service, budget: Infinity, intervalMs: 0, mayWrite: false }),
    operations,
    known: { ...demoValues(operations), account_id: String(demo.accountId) },
    probesAuth: false,
  })
  const moving = new Set<string>()
  for (const { probe, body } of readings.exchanges) {
    if (probe.purpose.kind !== 'repeat') continue
    const before = withoutVolatile(probe.purpose.of.body)
    for (const { place } of differencesOf(before, withoutVolatile(body)))
      moving.add(`${probe.operation.interface} ${probe.operation.id} ${place}`)
  }
  const untrue = new Set<string>()
  for (const { name, operations, claims } of published) {
    const checks = new Checks()
    checkRelations({
      name,
      readings: readingsOf(readings, operations),
      claims,
      checks,
      moving,
      untrue: new Set(),
    })
    for (const { aspect, place, claim, samples } of checks.tallies) {
      if (samples.deviating > 0 && OPTIONAL.has(aspect)) untrue.add([name, aspect, place, claim].join(' '))
    }
  }
  await reference.delete(demo)
  return { invariants: mineInvariants(readings), formats: mineFormats(readings), untrue, moving }
}
