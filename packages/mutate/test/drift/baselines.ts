/**
 * The baselines of a test file. Each is prepared once, for the interfaces and the overlay that a test needs, and the
 * simulators behind them stay open until the end of the file.
 */
import { isDeepStrictEqual } from 'node:util'
import { buildApp, observing } from '../../../../src/index.ts'
import type { Entry, Overlay } from '../../../../src/published.ts'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Calibration } from '@suite-sim/verify/calibration'
import { prepare, type StartedServer, type StartServer, type Baseline } from '@suite-sim/verify/index'
import { Reference } from '@suite-sim/verify/reference'

export const startReference: StartServer = async ({ observed, readings }) => {
  const app = await buildApp({
    fixtures: 'none',
    rateLimits: false,
    extension: await observing({ observed, prefer: 'observed' }),
    ...(readings && { readings }),
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

/**
 * What the simulator without an overlay shows of an interface. It is the same for all files of a process, and takes
 * seconds to find out.
 */
const calibrations = new Map<InterfaceName, Calibration>()

export class Baselines {
  readonly #servers = new Map<string, Promise<StartedServer>>()
  readonly #prepared: { name: InterfaceName; entries: readonly object[]; baseline: Promise<Baseline> }[] = []

  /** Starts a simulator, or returns the one that has these options. */
  readonly start: StartServer = async (options) => {
    const key = JSON.stringify([options.readings, options.observed && whatIn(options.observed)])
    let server = this.#servers.get(key)
    if (!server) this.#servers.set(key, (server = startReference(options)))
    const { url } = await server
    return { url, close: () => Promise.resolve() }
  }

  /** Returns the baseline of one interface, which follows an overlay. */
  async one(name: InterfaceName, observed?: Overlay): Promise<Baseline> {
    const entries = observed ? whatIn(observed) : []
    let found = this.#prepared.find((each) => each.name === name && isDeepStrictEqual(each.entries, entries))
    if (!found) {
      found = { name, entries, baseline: this.#prepare(name, observed) }
      this.#prepared.push(found)
    }
    return { ...(await found.baseline), observed }
  }

  /** Returns the baseline of several interfaces. */
  async of(names: readonly InterfaceName[] = INTERFACE_NAMES): Promise<Baseline> {
    const all: Baseline[] = []
    for (const name of names) all.push(await this.one(name))
    const [first] = all
    if (!first || all.length === 1) return first ?? this.one('crm')
    const reference = await Reference.start(this.start)
    reference.published = async (name) => (await this.one(name)).reference.published(name)
    return { ...first, reference, calibration: together(all.map(({ calibration }) => calibration)) }
  }

  async #prepare(name: InterfaceName, observed: Overlay | undefined): Promise<Baseline> {
    const options = observed ? { observed } : {}
    const calibration = observed ? undefined : calibrations.get(name)
    const baseline: Baseline = calibration
      ? {
          reference: await Reference.start(this.start),
          calibration,
          observed,
          start: (own) => this.start(own),
          mustStart: async (overlay) => void (await this.start({ observed: overlay })),
          following: (overlay) => this.one(name, overlay),
        }
      : await prepare(this.start, options, [name])
    if (!observed) calibrations.set(name, baseline.calibration)
    return { ...baseline, following: (overlay, other) => this.one(other, overlay) }
  }

  async close(): Promise<void> {
    const servers = await Promise.allSettled(this.#servers.values())
    this.#servers.clear()
    for (const each of servers) if (each.status === 'fulfilled') await each.value.close()
  }
}

/** Returns a baseline whose runs infer no entries: no simulator can follow what differs. */
export const withoutEntries = (baseline: Baseline): Baseline => ({
  ...baseline,
  mustStart: ({ entries }) =>
    entries.length === 0
      ? Promise.resolve()
      : Promise.reject(Object.assign(new Error('no entry is followed'), { name: 'ObservedError' })),
})

/** The entries without their dates and evidence, which change nothing of what a simulator follows. */
const whatIn = ({ entries }: Overlay): Partial<Entry>[] =>
  entries.map(({ observedAt: _, evidence: __, samples: ___, ...rest }) => rest)

const merged = <Value>(maps: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> =>
  new Map(maps.flatMap((each) => [...each]))

/** The keys of all parts begin with the interface. */
const together = (all: readonly Calibration[]): Calibration => ({
  invariants: {
    places: merged(all.map(({ invariants }) => invariants.places)),
    orders: merged(all.map(({ invariants }) => invariants.orders)),
    headers: merged(all.map(({ invariants }) => invariants.headers)),
  },
  formats: merged(all.map(({ formats }) => formats)),
  effects: merged(all.map(({ effects }) => effects)),
  untrue: new Set(all.flatMap(({ untrue }) => [...untrue])),
  moving: new Set(all.flatMap(({ moving }) => [...moving])),
})
