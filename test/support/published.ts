/** Every interface with its routes, and the control plane with its own, for tests of invariants. */
import { buildApp, INTERFACES } from './subject.ts'

const app = await buildApp()

/** In the order of OPERATING.md. */
export const PUBLISHED = await Promise.all(INTERFACES.map(({ name }) => app.published(name)))

export const CONTROL = await app.published('control')

await app.close()

export function publishedOf(name: string) {
  const found = PUBLISHED.find(({ definition }) => definition.name === name)
  if (!found) throw new Error(`There is no interface ${name}.`)
  return found
}
