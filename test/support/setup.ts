/** Runs before each file of tests: files share a process and its modules, and nothing else. */
import { afterAll, expect, vi } from 'vitest'
import { endFile } from './endOfFile.ts'

/** What Node warns of: something that was left open, that is listened to without end, or that is going away. */
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
