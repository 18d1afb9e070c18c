/** Runs of `verify` against many services in one process: the reference is started and calibrated once. */
import { buildApp } from '../../../src/app.ts'
import type { Overlay } from '../../../src/observed/format.ts'
import { measure, prepare } from '../../../src/verify/index.ts'
import type { Run } from './score.ts'
import { DEMO_KEY } from './target.ts'

/** More than any walk through one interface of the demo needs. */
const BUDGET = 2000

/** Values that no list of the demo shows, as a user gives them with --with. */
const VALUES = {
  'meetings.publicMeetingId': 'alm-demo-001',
  'lite-invoicing.ruc': '155712345-2-2022',
  'lite-invoicing.type': '2',
}

export interface Verifying {
  readonly run: Run
  close(): Promise<void>
}

export async function startVerifying(): Promise<Verifying> {
  const yardstick = await prepare(async ({ observed, readings }) => {
    const app = await buildApp({
      fixtures: 'none',
      rateLimits: false,
      ...(observed && { observed: observed as Overlay, prefer: 'observed' as const }),
      ...(readings && { readings }),
    })
    return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
  })
  return {
    async run(baseUrl, name) {
      const options = { baseUrl, key: DEMO_KEY, account: 1, values: VALUES, interfaces: [name], rate: null }
      const { report } = await measure({ ...options, budget: BUDGET }, yardstick)
      return report.differences
    },
    close: () => yardstick.reference.close(),
  }
}
