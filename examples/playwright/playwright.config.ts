import { defineConfig } from '@playwright/test'

export default defineConfig({
  fullyParallel: true,
  expect: { timeout: 15_000 },
  // Each worker starts a simulator, unless SUITE_SIM_URL names one.
  use: {
    // The Chromium of this machine, where Playwright is not to bring its own.
    launchOptions: process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {},
  },
})
