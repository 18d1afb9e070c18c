/** Bundles a source of the tests or the program into a file that a child process can run. */
import { symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './process.ts'

/** Returns the path of the file in `folder`. */
export async function bundle(source: string, folder: string): Promise<string> {
  const outfile = join(folder, basename(source).replace(/\.ts$/, '.mjs'))
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
    logLevel: 'error',
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return outfile
}
