/** A run in write mode as a process of its own, which a test can kill. Its arguments are JSON. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { Reference } from '../../src/reference.ts'
import { write } from '../../src/write/write.ts'

interface Arguments {
  readonly run: string
  readonly baseUrl: string
  readonly reference: string
  readonly ledgers: string
  readonly interfaces: readonly InterfaceName[]
  readonly allow: readonly string[]
}

const {
  run,
  baseUrl,
  reference: url,
  ledgers,
  interfaces,
  allow,
} = JSON.parse(process.argv[2] ?? '') as Arguments

const reference = await Reference.start(() => Promise.resolve({ url, close: () => Promise.resolve() }))
const published = await Promise.all(interfaces.map((name) => reference.published(name)))
const { remaining, endedEarly } = await write({
  run,
  options: { baseUrl, key: 'demo-key', account: 1, write: { ledgers, allow } },
  published,
  reference,
  budget: Infinity,
  intervalMs: 0,
  hooks: { confirm: () => Promise.resolve(true) },
  onStage: () => undefined,
  onSent: () => undefined,
})
if (endedEarly !== null) throw new Error(endedEarly)
process.stdout.write(`${JSON.stringify(remaining)}\n`)
