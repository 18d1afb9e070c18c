import { defineConfig } from '@playwright/test'

const url = process.env['SUITE_SIM_URL'] ?? 'http://127.0.0.1:4012'

export default defineConfig({
  fullyParallel: true,
  expect: { timeout: 15_000 },
  // Started before the tests and stopped after them; one that runs already is used as it is.
  webServer: {
    command: `npx suite-sim serve --db :memory: --port ${new URL(url).port}`,
    url: `${url}/_sim/health`,
    reuseExistingServer: true,
  },
  use: {
    // The Chromium of this machine, where Playwright is not to bring its own.
    launchOptions: process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {},
  },
})
