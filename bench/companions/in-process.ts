/**
 * Measures a start in this fresh process, as a test file does it: `startSimulator()` of the module given, with an
 * empty workspace, or without a module a node:http server. Prints the ms since the import and since the start.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { startSimulator } from '@suite-sim/library/index'

const [module] = process.argv.slice(2)
const began = performance.now()
let started = began

if (module === undefined) {
  const server = createServer((_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await mustBeOk(await fetch(`http://127.0.0.1:${String(port)}/`))
} else {
  const library = (await import(pathToFileURL(module).href)) as { startSimulator: typeof startSimulator }
  started = performance.now()
  const simulator = await library.startSimulator({ fixtures: 'none' })
  const workspace = await simulator.workspaces.create()
  await mustBeOk(await workspace.fetch('catalog', '/products'))
}
const ended = performance.now()
process.stdout.write(`${JSON.stringify({ imported: ended - began, started: ended - started })}\n`)
process.exit()

async function mustBeOk(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`the first answer has the status ${String(response.status)}`)
  await response.text()
}
