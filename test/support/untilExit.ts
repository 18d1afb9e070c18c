/** Folders and processes of a script, which end with it, also when it is interrupted. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const children = new Set<ChildProcess>()
const folders: string[] = []

/** Returns a new folder. */
export function folderUntilExit(name: string): string {
  endWithScript()
  const folder = mkdtempSync(join(tmpdir(), `suite-sim-${name}-`))
  folders.push(folder)
  return folder
}

/** Kills a process when the script ends. */
export function killAtExit(child: ChildProcess): void {
  endWithScript()
  children.add(child)
  child.once('exit', () => children.delete(child))
}

let isPrepared = false

function endWithScript(): void {
  if (isPrepared) return
  isPrepared = true
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}
