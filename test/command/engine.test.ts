/** What the engine is told while the server starts. Its flags show in the tag of what it would keep of a program. */
import { cachedDataVersionTag } from 'node:v8'
import { afterEach, expect, test } from 'vitest'
import { startingUp } from '../../src/command/engine.ts'

const usual = cachedDataVersionTag()
const { execArgv } = process

afterEach(() => {
  process.execArgv = execArgv
})

test('the engine puts its long-term work off while something starts, and takes it up again', async () => {
  expect(await startingUp(() => Promise.resolve(cachedDataVersionTag()))).not.toBe(usual)
  expect(cachedDataVersionTag()).toBe(usual)
})

test('the engine takes its work up again after a start that failed', async () => {
  await expect(startingUp(() => Promise.reject(new Error('the port is in use')))).rejects.toThrow('in use')
  expect(cachedDataVersionTag()).toBe(usual)
})

test.each([
  '--jitless',
  '--single-threaded',
  '--no-incremental-marking',
  '--incremental_marking',
  '--max-optimized-bytecode-size=9',
])('who starts Node with %s is not overruled', async (flag) => {
  process.execArgv = [...execArgv, flag]
  expect(await startingUp(() => Promise.resolve(cachedDataVersionTag()))).toBe(usual)
})
