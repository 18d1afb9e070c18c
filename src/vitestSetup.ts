/**
 * Starts one simulator for a whole run of Vitest, before its first test and outside the timeout of any:
 *
 * ```ts
 * export default defineConfig({ test: { globalSetup: 'suite-simulator/vitest/setup' } })
 * ```
 *
 * Where SUITE_SIM_URL is set, none is started.
 */
import { startSimulator, type SimulatorOptions } from './index.ts'

/** What `globalSetup` is given, as far as it is needed here: a TestProject of Vitest. */
export interface Providing {
  provide(key: never, value: never): void
}

/** Stops what was started; null where nothing was. */
export type Teardown = () => Promise<void>

/** A global setup that starts the simulator with options: `export default setupWith({ seed: 'ci' })`. */
export const setupWith =
  (options: SimulatorOptions = {}): ((project: Providing) => Promise<Teardown | undefined>) =>
  async (project) => {
    if (process.env['SUITE_SIM_URL']) return undefined
    const { url, adminToken, close } = await startSimulator(options)
    project.provide('suiteSimulator' as never, { url, adminToken } as never)
    return close
  }

const setup: (project: Providing) => Promise<Teardown | undefined> = setupWith()

export default setup
