/** Runs before each file of tests: files share a process, and nothing else. */
import { afterAll } from 'vitest'
import { closeSharedApps } from './app.ts'

afterAll(closeSharedApps)
