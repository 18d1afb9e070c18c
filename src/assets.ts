/** Files that are next to the program: next to the bundle, or in the sources when it runs from them. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const MIGRATIONS: string = fileURLToPath(new URL('./state/storage/migrations', import.meta.url))

const DEMO_IMAGE = join(fileURLToPath(new URL('.', import.meta.url)), 'demo.sqlite')

/** Returns the file of the image of the demo, written by the build; null in the sources, which have none. */
export const demoImage = (): string | null => (existsSync(DEMO_IMAGE) ? DEMO_IMAGE : null)

/** The guide, written by `npm run docs:build`. The build checks literal paths, and this folder may not exist yet. */
export const GUIDE: string = join(fileURLToPath(new URL('../dist', import.meta.url)), 'guide')

/** The dashboard's browser files, written by the build. */
const DASHBOARD = fileURLToPath(new URL('../dist/dashboard', import.meta.url))

/** The files of the API reference. They are next to the bundle; when run from source, they are in their package. */
const DOCS = fileURLToPath(new URL('./reference', import.meta.url))
const DOCS_SOURCE = fileURLToPath(new URL('../node_modules/swagger-ui-dist', import.meta.url))

/** Returns a browser file of the program that renders the documentation (Swagger UI). */
export const docsFile = (name: string): Promise<Buffer> =>
  readFile(join(existsSync(DOCS) ? DOCS : DOCS_SOURCE, name))

/** Returns a built file of the dashboard. */
export const dashboardFile = (name: string): Promise<Buffer> => readFile(join(DASHBOARD, name))

/** Returns a file, or null if the path is not that of a file in the folder. */
export async function readWithin(folder: string, path: string): Promise<Buffer | null> {
  const isInside = path.split('/').every((part) => !/^\.{0,2}$|[\\\0]/.test(part))
  return isInside ? await readFile(join(folder, path)).catch(() => null) : null
}
