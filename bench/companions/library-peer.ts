/**
 * Starts a peer through its library: emulate, whose command needs a newer Node than this project, and
 * stripe-stateful-mock, whose command listens on all addresses.
 */
import type { Server } from 'node:http'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

interface Emulate {
  readonly createEmulator: (options: { service: string; port: number; seed: object }) => Promise<unknown>
}

interface StripeStatefulMock {
  readonly createExpressApp: () => { listen: (port: number, host: string) => Server }
}

const [module = '', port = '', seed] = process.argv.slice(2)
const library = (await import(pathToFileURL(module).href)) as Emulate | StripeStatefulMock

if ('createEmulator' in library) {
  const products = JSON.parse(readFileSync(seed ?? '', 'utf8')) as unknown
  await library.createEmulator({ service: 'stripe', port: Number(port), seed: { stripe: { products } } })
} else library.createExpressApp().listen(Number(port), '127.0.0.1')
