/** The simulator as users run it: dist/main.js in its own process. */
import { copyFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { BINARY, launch, scratch, stop } from './processes.ts'
import { KEY, WORKSPACE, writeSnapshot } from './records.ts'

export const PRODUCTS = '/workspace/public/v1/products'

export class Simulator {
  readonly child: ChildProcess
  readonly url: string

  private constructor(child: ChildProcess, url: string) {
    this.child = child
    this.url = url
  }

  /** Starts it on this database; a new one gets this fixture. */
  static async start(database: string, fixtures = 'none'): Promise<Simulator> {
    const { child, url } = await launch(BINARY, ['--port', '0', '--db', database, '--fixtures', fixtures])
    const simulator = new Simulator(child, url)
    await simulator.call('GET', '/_sim/health')
    return simulator
  }

  /** Calls it; returns the body of a 2xx response. */
  call<Body>(method: string, path: string, body?: object): Promise<Body> {
    return call(this.url, method, path, body)
  }

  /** Subscribes `url` to all catalog events. */
  async subscribe(url: string): Promise<void> {
    await this.call('POST', `/_sim/workspaces/${WORKSPACE}/subscriptions`, { interface: 'catalog', url })
  }

  /** Stops it cleanly, so that all data are in its file. */
  async stop(): Promise<void> {
    await stop(this.child)
    if (this.child.exitCode !== 0) throw new Error('the simulator did not exit cleanly')
  }
}

/** Calls a simulator; returns the body of a 2xx response. */
export async function call<Body>(
  url: string,
  method: string,
  path: string,
  body?: object,
  key = KEY,
): Promise<Body> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} got ${String(answer.status)}: ${text}`)
  return (text === '' ? null : JSON.parse(text)) as Body
}

/** Writes a fixture file with `count` products. */
export function fixtureFile(products: number): string {
  const file = scratch(`fixture-${String(products)}.json`)
  writeSnapshot(file, products)
  return file
}

const databases = new Map<number, Promise<string>>()

/** Returns a database file with `count` products, created once per run. Copy it before you change it. */
export function databaseOf(products: number): Promise<string> {
  let file = databases.get(products)
  if (!file) databases.set(products, (file = makeDatabase(products)))
  return file
}

async function makeDatabase(products: number): Promise<string> {
  const file = scratch(`products-${String(products)}.sqlite`)
  const simulator = await Simulator.start(file, fixtureFile(products))
  await simulator.stop()
  return file
}

/** Copies a database that no process has open. */
export function copyOf(database: string, name: string): string {
  const file = scratch(name)
  copyFileSync(database, file)
  return file
}
