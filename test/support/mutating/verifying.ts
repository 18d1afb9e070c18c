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

export interface Verifying {
  readonly run: Run
  /** Returns the differences of a service, and the overlay that a run writes. */
  measure(
    baseUrl: string,
    name: InterfaceName,
    budget?: number,
  ): Promise<{ differences: Report['differences']; overlay: Overlay }>
  /** Returns the report of captured calls to all interfaces. */
  replay(har: object): Promise<{ report: Report }>
  /** Returns the same with a reference that follows an overlay. */
  following(overlay: Overlay, name: InterfaceName): Promise<Verifying>
  /** Takes differences as they are: to look for readings that explain them takes as long as to find them. */
  explainNothing(): void
  close(): Promise<void>
}

export const startReference: StartServer = async ({ observed, readings }) => {
  const app = await buildApp({
    fixtures: 'none',
    rateLimits: false,
    ...(observed && { observed, prefer: 'observed' as const }),
    ...(readings && { readings }),
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

export async function startVerifying(
  observed?: Overlay,
  names?: readonly InterfaceName[],
): Promise<Verifying> {
  const yardstick = await prepare(startReference, { ...(observed && { observed }) }, names)
  const measured: Verifying['measure'] = async (baseUrl, name, budget = BUDGET) => {
    const service = { baseUrl, key: DEMO_KEY, account: 1, timezone: 'America/Panama', values: VALUES }
    const options = { ...service, interfaces: [name], rate: null, budget }
    const { report, interfaces } = await measure(options, yardstick)
    return { differences: report.differences, overlay: overlayOf(report, interfaces, observed, [DEMO_KEY]) }
  }
  return {
    run: async (baseUrl, name) => (await measured(baseUrl, name)).differences,
    measure: measured,
    replay: (har) => measure({ baseUrl: 'http://localhost', key: '', replay: har }, yardstick),
    following: (overlay, name) => startVerifying(overlay, [name]),
    explainNothing() {
      yardstick.reference.readings = () => Promise.resolve([])
    },
    close: () => yardstick.reference.close(),
  }
}
