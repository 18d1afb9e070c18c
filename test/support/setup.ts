/** Runs before each test file. Files share a process and its modules, and nothing else. */
import { afterAll, expect, vi } from 'vitest'
import { endFile } from './endOfFile.ts'

/** Warnings of Node.js: open resources, listener leaks and deprecations. */
const warnings: string[] = []
const warned = ({ message }: Error): void => void warnings.push(message)
process.on('warning', warned)

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await endFile()
  process.off('warning', warned)
  expect(warnings).toEqual([])
})
