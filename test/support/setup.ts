/** Runs before each file of tests: files share a process and its modules, and nothing else. */
import { afterAll } from 'vitest'
import { endFile } from './endOfFile.ts'

afterAll(endFile)
