/** Builds the guide of a clone when it is first opened: its installation leaves it out, because it takes as long as the rest. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs the script that builds the guide; rejects with its last words if it fails. */
export async function buildGuide(script: string): Promise<void> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2000)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(words.trim() || `The build of the guide ended with ${String(code)}.`)
}
