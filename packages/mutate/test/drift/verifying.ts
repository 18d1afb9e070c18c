/** Runs of `verify` against many services in one process: the reference is started and calibrated once. */
import type { Overlay } from '../../../../src/published.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { measure, type Report, type Baseline } from '@suite-sim/verify/index'
import { overlayOf } from '@suite-sim/verify/overlay/overlay'
import type { Run } from './score.ts'
import { DEMO_KEY } from './target.ts'
import { withoutEntries, Baselines } from './baselines.ts'

/** More than any crawl of one interface of the demo needs. */
const BUDGET = 2000

/** Values that no list of the demo shows, as a user gives them with --with. */
const VALUES = {
  'meetings.publicMeetingId': 'alm-demo-001',
  'lite-invoicing.ruc': '155712345-2-2022',
  'lite-invoicing.type': '2',
  'recruiting.import_id': 'imp_demo0000000000000001',
}

export interface Verifying {
  readonly run: Run
  /** Returns the differences of a service, and the overlay that a run writes. */
  measure(
    baseUrl: string,
    name: InterfaceName,
    budget?: number,
  ): Promise<{ differences: Report['differences']; overlay: Overlay }>
  /** Returns the report of captured calls; all interfaces by default. */
  replay(har: object, names?: readonly InterfaceName[]): Promise<{ report: Report }>
  /** Returns the same with a reference that follows an overlay. The first one closes it. */
  following(overlay: Overlay): Verifying
  /**
   * Takes differences as they are: to look for readings and entries that explain them takes several times as long as to
   * find them.
   */
  explainNothing(): void
  close(): Promise<void>
}

export function startVerifying(observed?: Overlay, baselines = new Baselines()): Verifying {
  let explains = true
  const baselineOf = async (name: InterfaceName): Promise<Baseline> => {
    const baseline = await baselines.one(name, observed)
    if (explains) return baseline
    baseline.reference.readings = () => Promise.resolve([])
    return withoutEntries(baseline)
  }
  const measured: Verifying['measure'] = async (baseUrl, name, budget = BUDGET) => {
    const service = { baseUrl, key: DEMO_KEY, account: 1, timezone: 'America/Panama', values: VALUES }
    const options = { ...service, interfaces: [name], rate: null, budget }
    const { report, interfaces } = await measure(options, await baselineOf(name))
    return { differences: report.differences, overlay: overlayOf(report, interfaces, observed, [DEMO_KEY]) }
  }
  return {
    run: async (baseUrl, name) => (await measured(baseUrl, name)).differences,
    measure: measured,
    replay: async (har, names) =>
      measure(
        { baseUrl: 'http://localhost', key: '', replay: har, ...(names && { interfaces: names }) },
        await baselines.of(names),
      ),
    following: (overlay) => startVerifying(overlay, baselines),
    explainNothing() {
      explains = false
    },
    close: () => baselines.close(),
  }
}
