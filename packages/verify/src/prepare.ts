/** Starts the simulator that a service is compared with: calibrates it, and compares it with itself first. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { ServiceClient } from './exchanges/serviceClient.ts'
import { calibrate } from './calibration.ts'
import { compareInterface } from './compareInterface.ts'
import { ALL_INTERFACES, Reference, type ServerOptions, type StartServer } from './reference.ts'
import { demoValues } from './crawl/demoValues.ts'
import { crawl } from './crawl/crawl.ts'
import type { Baseline } from './baseline.ts'

/** The comparison of the simulator with itself found a difference, so no other comparison means anything. */
export class SelfCheckError extends Error {
  override readonly name = 'SelfCheckError'
}

/**
 * Starts a reference, crawls its demo, and compares that with another workspace of the reference. Throws a
 * SelfCheckError if that shows a difference.
 */
export async function prepare(
  start: StartServer,
  options: ServerOptions = {},
  interfaces: readonly InterfaceName[] = ALL_INTERFACES,
): Promise<Baseline> {
  const reference = await Reference.start(start, options)
  try {
    return await selfChecked(reference, start, options, interfaces)
  } catch (error) {
    await reference.close()
    throw error
  }
}

async function selfChecked(
  reference: Reference,
  start: StartServer,
  options: ServerOptions,
  interfaces: readonly InterfaceName[],
): Promise<Baseline> {
  const demo = await reference.scratch('demo')
  const published = await Promise.all(interfaces.map((name) => reference.published(name)))
  const operations = published.flatMap((each) => each.operations)
  const client = new ServiceClient({
    service: demo.service,
    budget: Infinity,
    intervalMs: 0,
    mayWrite: false,
  })
  const crawled = await crawl({
    client,
    operations,
    known: { ...demoValues(operations), account_id: String(demo.accountId) },
    probesAuth: true,
  })
  const { observed } = options
  const baseline: Baseline = {
    reference,
    observed,
    calibration: calibrate(crawled, published, { followsOverlay: observed !== undefined }),
    start: (own) => start({ ...options, ...own }),
    mustStart: async (overlay) => {
      const server = await start({ ...options, observed: overlay })
      await server.close()
    },
    following: (overlay, name) => prepare(start, { ...options, observed: overlay }, [name]),
  }
  for (const each of published) {
    const { differences } = await compareInterface({
      published: each,
      crawled,
      client,
      baseline,
      choices: [],
      timezone: demo.timezone,
      isCaptured: false,
    })
    const [first] = differences
    if (!first) continue
    const { interface: name, place, message } = first
    throw new SelfCheckError(
      `The simulator differs from itself, so a comparison would mean nothing: ${name} ${place}: ${message}`,
    )
  }
  await reference.delete(demo)
  return baseline
}
