/** Runs of `verify` against many services in one process: the reference is started and calibrated once. */
import { buildApp } from '../../../src/app.ts'
import type { Overlay } from '../../../src/observed/format.ts'
import type { InterfaceName } from '../../../src/state/model/interfaceNames.ts'
import { measure, prepare, type Report, type StartServer } from '../../../src/verify/index.ts'
import { overlayOf } from '../../../src/verify/learn/overlay.ts'
import type { Run } from './score.ts'
import { DEMO_KEY } from './target.ts'

/** More than any walk through one interface of the demo needs. */
const BUDGET = 2000

/** Values that no list of the demo shows, as a user gives them with --with. */
const VALUES = {
  'meetings.publicMeetingId': 'alm-demo-001',
  'lite-invoicing.ruc': '155712345-2-2022',
  'lite-invoicing.type': '2',
  'recruiting.import_id': 'imp_demo0000000000000001',
}

/** That of the demo. */
const TIMEZONE = 'America/Panama'

export interface Verifying {
  readonly run: Run
  /** Returns the differences of a service, and the overlay that a run writes. */
  measure(
    baseUrl: string,
    name: InterfaceName,
  ): Promise<{ differences: Report['differences']; overlay: Overlay }>
  /** Returns the same with a reference that follows an overlay. */
  following(overlay: Overlay, name: InterfaceName): Promise<Verifying>
  /** Places that the reads of the demo do not show enough to compute: "crm listDeals read  .data[].days_in_stage". */
  readonly unknown: ReadonlySet<string>
  /** Takes differences as they are: to look for readings that explain them takes as long as to find them. */
  explainNothing(): void
  close(): Promise<void>
}

const start: StartServer = async ({ observed, readings }) => {
  const app = await buildApp({
    fixtures: 'none',
    rateLimits: false,
    ...(observed && { observed: observed as Overlay, prefer: 'observed' as const }),
    ...(readings && { readings }),
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

export async function startVerifying(
  observed?: Overlay,
  names?: readonly InterfaceName[],
): Promise<Verifying> {
  const yardstick = await prepare(start, { ...(observed && { observed }) }, names)
  const measured: Verifying['measure'] = async (baseUrl, name) => {
    const options = {
      baseUrl,
      key: DEMO_KEY,
      account: 1,
      values: VALUES,
      interfaces: [name],
      rate: null,
      timezone: TIMEZONE,
    }
    const { report, interfaces } = await measure({ ...options, budget: BUDGET }, yardstick)
    const lessons = interfaces.flatMap((each) => each.lessons)
    return { differences: report.differences, overlay: overlayOf(report, lessons, observed) }
  }
  return {
    run: async (baseUrl, name) => (await measured(baseUrl, name)).differences,
    measure: measured,
    following: (overlay, name) => startVerifying(overlay, [name]),
    unknown: yardstick.calibration.unknown,
    explainNothing() {
      yardstick.reference.readings = () => Promise.resolve([])
    },
    close: () => yardstick.reference.close(),
  }
}
