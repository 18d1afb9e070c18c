/** The simulator as its users meet it: dist/main.js in a process of its own. */
import { copyFileSync, writeFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { BINARY, launch, scratch, stop } from './processes.ts'
import { KEY, snapshot, WORKSPACE } from './records.ts'

export const PRODUCTS = '/workspace/public/v1/products'

export class Simulator {
  readonly child: ChildProcess
  readonly url: string

  private constructor(child: ChildProcess, url: string) {
    this.child = child
    this.url = url
  }

  /** On this database, which starts with this fixture when it is new. */
  static async start(database: string, fixtures = 'none'): Promise<Simulator> {
    const { child, url } = await launch(BINARY, ['--port', '0', '--db', database, '--fixtures', fixtures])
    const simulator = new Simulator(child, url)
    await simulator.call('GET', '/_sim/health')
    return simulator
  }

  /** The body of the answer, which has to be a 2xx. */
  async call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${String(answer.status)}: ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Body
  }

  /** Has every event of the catalog sent to `url`. */
  async subscribe(url: string): Promise<void> {
    await this.call('POST', `/_sim/workspaces/${WORKSPACE}/subscriptions`, { interface: 'catalog', url })
  }

  /** In good order, so that all that it knows is in its file. */
  async stop(): Promise<void> {
    await stop(this.child)
    if (this.child.exitCode !== 0) throw new Error('the simulator did not end in good order')
  }
}

/** A fixture file with so many products. */
export function fixtureFile(products: number): string {
  const file = scratch(`fixture-${String(products)}.json`)
  writeFileSync(file, JSON.stringify(snapshot(products)))
  return file
}

const made = new Map<number, Promise<string>>()

/** A database file with so many products, made once in a run; to be copied by whoever changes it. */
export function databaseOf(products: number): Promise<string> {
  let file = made.get(products)
  if (!file) made.set(products, (file = makeDatabase(products)))
  return file
}

async function makeDatabase(products: number): Promise<string> {
  const file = scratch(`products-${String(products)}.sqlite`)
  const simulator = await Simulator.start(file, fixtureFile(products))
  await simulator.stop()
  return file
}

/** A copy of a database that nobody has open. */
export function copyOf(database: string, name: string): string {
  const file = scratch(name)
  copyFileSync(database, file)
  return file
}
