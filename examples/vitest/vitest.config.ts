import { defineConfig } from 'vitest/config'

/** One simulator for the whole run, started before the first test. */
export default defineConfig({ test: { globalSetup: 'suite-simulator/vitest/setup' } })
