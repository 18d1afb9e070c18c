/** `npm run dev` bundles and starts the server, and repeats this after each change that builds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkout } from './checkout.ts'

const SOURCE = 'src/state/model/clock.ts'

/** What the development server needs. It works in a copy, so that other builds are not disturbed. */
const COPIED = ['src', 'packages', 'scripts', 'fixtures', 'tasks', 'docs', 'package.json', 'tsconfig.json']

function startDev(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(folder, 'scripts/dev.mjs'), ...args], { cwd: folder })
  let printed = ''
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      for (const look of waiting) look()
    })
  }
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    /** Resolves with the match when the output since the last match matches. */
    prints: (expression: RegExp) =>
      new Promise<RegExpExecArray>((resolve) => {
        const look = () => {
          const match = expression.exec(printed)
          if (!match) return
          waiting.delete(look)
          printed = printed.slice(match.index + match[0].length)
          resolve(match)
        }
        waiting.add(look)
        look()
      }),
  }
}

test('starts, prints build errors, restarts after the next valid change, and stops', async () => {
  const folder = checkout(COPIED)
  const { child, prints } = startDev(folder, '--port', '0', '--db', ':memory:')
  const READY = /"pid":(\d+).*?"url":"([^"]+)".*"msg":"ready"/
  const [, firstPid, firstUrl] = await prints(READY)
  const isUp = async (url = '') => (await fetch(new URL('/_sim/health', url))).ok
  expect(await isUp(firstUrl)).toBe(true)
  // These bundles do not count as a complete build.
  expect(statSync(join(folder, 'dist/main.js')).mtimeMs).toBe(0)

  const good = readFileSync(join(folder, SOURCE), 'utf8')
  appendFileSync(join(folder, SOURCE), 'export const = 1\n')
  await prints(/ERROR.*/)
  expect(await isUp(firstUrl)).toBe(true)

  writeFileSync(join(folder, SOURCE), `${good}export const changed = 'in development'\n`)
  const [, secondPid, secondUrl] = await prints(READY)
  expect(secondPid).not.toBe(firstPid)
  expect(await isUp(secondUrl)).toBe(true)
  expect(() => process.kill(Number(firstPid), 0)).toThrow('ESRCH')

  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  await expect(isUp(secondUrl)).rejects.toThrow('fetch failed')
})
