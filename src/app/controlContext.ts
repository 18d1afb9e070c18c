/** What the control plane can see of the rest of the app. */
import { GUIDE, dashboardFile, demoImage, docsFile, readWithin } from '../assets.ts'
import { FIXTURES } from '@suite-sim/kit/assets'
import type { ControlContext } from '../control/shared/context.ts'
import { weeksUntil } from '../control/snapshots/builtIn/demoDates.ts'
import { readFixture } from '../control/snapshots/builtIn/fixtures.ts'
import { releaseBaseline } from '../control/snapshots/builtIn/baselines.ts'
import type { Snapshot } from '../control/snapshots/snapshot.ts'
import { monotonicNow, systemNow } from '@suite-sim/kit/time/machineClock'
import { BUILD, VERSION } from '@suite-sim/kit/version'
import type { AppOptions } from './options.ts'
import type { Addresses } from './addresses.ts'
import type { Parts } from './parts.ts'
import type { Startup } from './startup.ts'

interface Known extends Pick<
  ControlContext,
  'workspaces' | 'records' | 'webhooks' | 'interfaces' | 'machines' | 'durations' | 'extension'
> {
  /** The fixture that this server starts with. */
  readonly fixture: Snapshot | null
  readonly parts: Parts
  readonly addresses: Addresses
  readonly startup: Startup
}

export function controlContext(
  options: AppOptions,
  { fixture, parts, addresses, startup, ...known }: Known,
): ControlContext {
  const ownFixtures = new Map<string, { readonly weeks: number; readonly fixture: Snapshot }>()
  const { fixtures = 'none' } = options
  if (fixture) ownFixtures.set(fixtures, { weeks: weeksUntil(options.demoDate ?? systemNow()), fixture })
  return {
    ...known,
    published: (name) => parts.published(name),
    allPublished: () => parts.allInterfaces(),
    send: (name, call) => parts.send(name, call),
    documents: {
      async one(name, serverUrl) {
        if (!parts.has(name)) return null
        const { interfaceDocument } = await import('../http/openapi/openapi.ts')
        return interfaceDocument(await parts.published(name), { serverUrl, version: VERSION })
      },
      async whole(serverUrl) {
        const { suiteDocument } = await import('../http/openapi/openapi.ts')
        return suiteDocument(await parts.allInterfaces(), { serverUrl, version: VERSION })
      },
    },
    async ownFixture(name) {
      const today = options.demoDate ?? systemNow()
      const weeks = weeksUntil(today)
      const cached = ownFixtures.get(name)
      if (cached?.weeks === weeks) return cached.fixture
      const read = await readFixture(name, FIXTURES, known.records, today, demoImage())
      if (!read) throw new Error(`the fixture ${name} is missing`)
      if (cached) releaseBaseline(known, cached.fixture)
      ownFixtures.set(name, { weeks, fixture: read })
      return read
    },
    startFixture: () => fixture,
    isShared: () => addresses.isShared,
    duringReset: (reset) => startup.duringReset(reset),
    docsFile,
    dashboardFile,
    guideFile: (path) => readWithin(options.guideFolder ?? GUIDE, path),
    buildGuide: options.buildGuide ?? null,
    build: BUILD,
    phase: () => startup.phase,
    startedAt: monotonicNow(),
    publicUrl: options.publicUrl ?? null,
    adminToken: () => options.adminToken ?? null,
    metrics: { token: options.metricsToken ?? null, arePublic: options.publicMetrics ?? false },
    allowsReset: () => options.allowReset ?? !addresses.isShared,
  }
}
