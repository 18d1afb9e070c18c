/** Reads the log of an undisturbed run, with the documents of this version. */
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { OpenApiDocument } from '../../../src/published.ts'
import { metOf, type MetInterface } from './met.ts'
import type { LogLine } from './mutation.ts'

/** Returns what was met of the interfaces. */
export async function readMet(
  lines: readonly LogLine[],
  wanted: readonly InterfaceName[] = INTERFACE_NAMES,
): Promise<MetInterface[]> {
  const names = wanted.filter((name) =>
    lines.some((line) => line.met !== 'change' && line.interface === name),
  )
  const { buildApp } = await import('../../../src/index.ts')
  const app = await buildApp({ fixtures: 'none' })
  try {
    const met: MetInterface[] = []
    for (const name of names.toSorted()) {
      const { payload } = await app.fastify.inject({ method: 'GET', url: `/_sim/openapi/${name}.json` })
      met.push(metOf(name, JSON.parse(payload) as OpenApiDocument, lines))
    }
    return met
  } finally {
    await app.close()
  }
}
