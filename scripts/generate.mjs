/**
 * `npm run generate`: writes a migration for changed tables, the generated documentation, and, after a new
 * migration, the demo. Arguments go to drizzle-kit.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'src/state/storage/migrations')
const migrations = () => readdirSync(folder).join()

/** Leaves the snapshot of the newest migration. drizzle-kit compares the tables with it, and reads no older one. */
function removeOldSnapshots() {
  const meta = join(folder, 'meta')
  const snapshots = readdirSync(meta).filter((name) => name.endsWith('_snapshot.json'))
  for (const name of snapshots.toSorted().slice(0, -1)) rmSync(join(meta, name))
}

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const before = migrations()
run('node_modules/drizzle-kit/bin.cjs', 'generate', ...process.argv.slice(2))
removeOldSnapshots()
run('scripts/docs.mjs')
if (migrations() !== before) run('scripts/demo.mjs')
