/** Runs before each file of tests: files share a process and its modules, and nothing else. */
import { afterAll, vi } from 'vitest'
import { endFile } from './endOfFile.ts'

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await endFile()
})
