/** A lock that several processes share as a file. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** No work takes that long: the process id in an older lock may belong to another program by now. */
const ABANDONED_MS = 600_000

/** Does the work while no other process does work with the same lock. */
export async function alone(lock, work) {
  mkdirSync(dirname(lock), { recursive: true })
  while (!take(lock)) await setTimeout(100)
  const release = () => rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned(lock)) rmSync(lock, { force: true })
    return false
  }
}

/** A process that was killed leaves its lock behind. */
function isAbandoned(lock) {
  try {
    // Between its creation and its first byte, the file names no process.
    const pid = Number(readFileSync(lock, 'utf8'))
    return Date.now() - statSync(lock).mtimeMs > ABANDONED_MS || (pid !== 0 && !isRunning(pid))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return false
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
