/**
 * Starts one simulator for a whole Vitest run, before the first test and outside its timeout:
 *
 * ```ts
 * export default defineConfig({ test: { globalSetup: 'suite-simulator/vitest/setup' } })
 * ```
 *
 * If SUITE_SIM_URL is set, it starts none.
 */
import { startSimulator, type SimulatorOptions } from '../index.ts'
import { removeReport } from './goingLive.ts'
import { removeAllFiles } from './report.ts'

/** The part of Vitest's TestProject that the setup uses. */
export interface Providing {
  provide(key: never, value: never): void
}

/** Stops the simulator. */
export type Teardown = () => Promise<void>

/** Returns a global setup that starts the simulator with options: `export default setupWith({ seed: 'ci' })`. */
export const setupWith =
  (options: SimulatorOptions = {}): ((project: Providing) => Promise<Teardown | undefined>) =>
  async (project) => {
    removeAllFiles()
    await removeReport()
    if (process.env['SUITE_SIM_URL']) return undefined
    const { url, adminToken, close } = await startSimulator(options)
    project.provide('suiteSimulator' as never, { url, adminToken } as never)
    return close
  }

const setup: (project: Providing) => Promise<Teardown | undefined> = setupWith()

export default setup
