/**
 * Gives the package its command while npm packs it (`prepack`), and takes it away again (`postpack` with --undo). A clone has
 * the command from packages/cli: with a command of its own, npx would install the clone into its cache first.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// npm runs scripts in the folder of the package.
const file = join(process.cwd(), 'package.json')
const { bin: _bin, ...description } = JSON.parse(readFileSync(file, 'utf8'))
const written = process.argv.includes('--undo')
  ? description
  : { ...description, bin: { 'suite-sim': 'dist/main.js' } }
writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
