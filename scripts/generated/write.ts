/** Writes the texts that differ from their files, and prints the paths of those files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function write(folder: string, texts: ReadonlyMap<string, string>): void {
  const changed = [...texts].filter(([name, text]) => textOf(join(folder, name)) !== text)
  for (const [name, text] of changed) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const names = changed.map(([name]) => join(folder, name))
  process.stdout.write(names.length > 0 ? `Written: ${names.join(', ')}\n` : 'Nothing changed.\n')
}

const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)
