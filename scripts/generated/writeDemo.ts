/** Writes the demo, and deletes the files that it no longer has. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO } from '../../test/support/company/index.ts'
import { generatedDemo } from './demo.ts'
import { write } from './write.ts'

const files = await generatedDemo()
for (const name of readdirSync(DEMO)) if (!files.has(name)) rmSync(join(DEMO, name))
write(DEMO, files)
