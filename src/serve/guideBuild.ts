/** Builds the guide of a clone when it is first opened: its installation leaves it out, because it takes as long as the rest. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside dist/, and only in a clone. */
const SCRIPT = fileURLToPath(new URL('../scripts/guide.mjs', import.meta.url))

/** Returns the function that builds the guide, or rejects with its last words; null where the program can't build it. */
export function guideBuild(): (() => Promise<void>) | null {
  return existsSync(SCRIPT) ? build : null
}

async function build(): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2000)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(words.trim() || `The build of the guide ended with ${String(code)}.`)
}
