/**
 * Starts one simulator for a whole Jest run, and sets SUITE_SIM_URL for its workers:
 *
 * ```js
 * module.exports = {
 *   globalSetup: 'suite-simulator/jest/setup',
 *   globalTeardown: 'suite-simulator/jest/teardown',
 * }
 * ```
 *
 * If SUITE_SIM_URL is set, it starts none.
 */
import { startSimulator, type SimulatorOptions } from '../index.ts'
import { removeReport } from './goingLive.ts'
import { removeAllFiles } from './report.ts'
import { setStarted } from './jestStarted.ts'

/** Returns a global setup that starts the simulator with options: `module.exports = setupWith({ seed: 'ci' })`. */
export const setupWith =
  (options: SimulatorOptions = {}): (() => Promise<void>) =>
  async () => {
    removeAllFiles()
    await removeReport()
    if (process.env['SUITE_SIM_URL']) return
    const simulator = await startSimulator(options)
    setStarted(simulator)
    process.env['SUITE_SIM_URL'] = simulator.url
    if (simulator.adminToken !== null) process.env['SIM_ADMIN_TOKEN'] = simulator.adminToken
  }

const setup: () => Promise<void> = setupWith()

export default setup
