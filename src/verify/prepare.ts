/** Starts the simulator that a service is measured by: calibrates it, and compares it with itself first. */
import type { InterfaceName } from '../state/model/interfaceNames.ts'
import { calibrate } from './calibration.ts'
import { measure } from './measure.ts'
import { ALL_INTERFACES, Reference, type ServerOptions, type StartServer } from './reference.ts'
import { demoValues } from './walk/demoValues.ts'
import type { Yardstick } from './yardstick.ts'

/** The comparison of the simulator with itself found a difference, so no other comparison means anything. */
export class SelfCheckError extends Error {
  override readonly name = 'SelfCheckError'
}

/**
 * Starts a reference, calibrates it, and compares it with itself. Throws a SelfCheckError if that shows a difference.
 */
export async function prepare(
  start: StartServer,
  options: ServerOptions = {},
  interfaces: readonly InterfaceName[] = ALL_INTERFACES,
): Promise<Yardstick> {
  const reference = await Reference.start(start, options)
  try {
    const yardstick = { reference, start, calibration: await calibrate(reference, interfaces) }
    await mustAgreeWithItself(yardstick, interfaces)
    return yardstick
  } catch (error) {
    await reference.close()
    throw error
  }
}

async function mustAgreeWithItself(
  yardstick: Yardstick,
  interfaces: readonly InterfaceName[],
): Promise<void> {
  const { reference } = yardstick
  const demo = await reference.scratch('demo')
  const published = await Promise.all(interfaces.map((name) => reference.published(name)))
  const { report } = await measure(
    {
      ...demo.service,
      account: demo.accountId,
      timezone: demo.timezone,
      budget: Infinity,
      rate: null,
      probeAuth: true,
      values: demoValues(published.flatMap(({ operations }) => operations)),
      interfaces,
    },
    yardstick,
  )
  await reference.delete(demo)
  const [first] = report.differences
  if (!first) return
  throw new SelfCheckError(
    `The simulator differs from itself, so a comparison would mean nothing: ${first.interface} ${first.place}: ${first.message}`,
  )
}
