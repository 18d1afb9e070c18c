/** Installs the programs of others that check what is published, in a folder of their own, if its lock file has changed. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../conformance', import.meta.url))
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json')

export default function setup(): void {
  const changed = statSync(join(FOLDER, 'package-lock.json')).mtimeMs
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= changed) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: 'inherit',
  })
}
