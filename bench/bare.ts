/** Bare Fastify with the responses of the simulator. */
import type { ChildProcess } from 'node:child_process'
import type { FixedAnswers } from './companions/bare-fastify.ts'
import { Companion } from './processes.ts'
import { KEY, newProduct, productId } from './records.ts'
import { PRODUCTS, type Simulator } from './simulator.ts'

export interface BareFastify {
  readonly child: ChildProcess
  readonly url: string
  stop(): Promise<void>
}

/** Starts it with fixed responses from a simulator with products. */
export async function bareFastify(simulator: Simulator): Promise<BareFastify> {
  const answers: FixedAnswers = {
    created: await simulator.call('POST', PRODUCTS, newProduct(0)),
    workspace: await simulator.call('POST', '/_sim/workspaces', {}),
    product: await simulator.call('GET', `${PRODUCTS}/${productId(0)}`),
    page: await simulator.call('GET', PRODUCTS),
  }
  const companion = new Companion<FixedAnswers, string>('bare-fastify')
  const url = await companion.ask(answers)
  for (const path of [PRODUCTS, `${PRODUCTS}/${productId(0)}`]) await mustMatch(simulator, url, path)
  return { child: companion.child, url, stop: () => companion.stop() }
}

/** A baseline with smaller responses would be unfair. */
async function mustMatch(simulator: Simulator, bare: string, path: string): Promise<void> {
  const [expected, answered] = await Promise.all([textAt(simulator.url + path), textAt(bare + path)])
  if (answered !== expected)
    throw new Error(`bare Fastify responds to ${path} with ${answered}, not ${expected}`)
}

async function textAt(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } })
  return answer.text()
}
