/** The files of fixtures/demo. `npm run demo` writes them; a test compares them with the files. */
import { buildApp } from '../../src/app.ts'
import { company } from '../../test/support/company/index.ts'

/** Returns the text of each file, by its name in fixtures/demo. */
export async function generatedDemo(): Promise<ReadonlyMap<string, string>> {
  const app = await buildApp({ seed: 'the company of the demo', rateLimits: false })
  try {
    await app.fastify.ready()
    return await company(app)
  } finally {
    await app.close()
  }
}
