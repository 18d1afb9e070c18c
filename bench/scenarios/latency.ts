/**
 * The time from the response of a create to the arrival of its webhook, at a steady rate. The calls and the receiver are in
 * this process, so that one clock times both. The baseline answers, and then sends the body that it got.
 */
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { BUNDLES, launch, scratch, stop } from '../processes.ts'
import { KEY, newProduct } from '../records.ts'
import type { Row } from '../report.ts'
import { pause } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { fixtureFile, PRODUCTS, Simulator } from '../simulator.ts'

const PER_SECOND = 500
/** The pauses between calls; several calls follow one that was too long. */
const STEP_MS = 4

export async function latency({ rounds, seconds }: Settings): Promise<Row[]> {
  const arrivals = new Map<string, number>()
  const receiver = createServer((incoming, response) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    incoming.on('end', () => {
      arrivals.set(/"name":"([^"]+)"/.exec(text)?.[1] ?? '', performance.now())
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/`
  const simulator = await Simulator.start(scratch('latency.sqlite'), fixtureFile(10))
  await simulator.subscribe(url)
  const bare = await launch(join(BUNDLES, 'bare-forwarder.mjs'), [url])

  const agent = new Agent({ keepAlive: true })
  let made = 0
  /** Creates products at the rate; returns the sorted ms between responses and arrivals. */
  const measure = async (base: string): Promise<number[]> => {
    const answered = new Map<string, number>()
    const calls: Promise<void>[] = []
    const began = performance.now()
    let sent = 0
    while (performance.now() - began < seconds * 1000) {
      await pause(STEP_MS)
      const due = Math.floor(((performance.now() - began) / 1000) * PER_SECOND)
      for (; sent < due; sent++) {
        const name = `Latency ${String(made++)}`
        calls.push(
          create(agent, base + PRODUCTS, name).then(() => void answered.set(name, performance.now())),
        )
      }
    }
    await Promise.all(calls)
    const end = performance.now() + 5000
    while ([...answered.keys()].some((name) => !arrivals.has(name)) && performance.now() < end)
      await pause(STEP_MS)
    const times = [...answered].map(([name, at]) => Math.max(0, (arrivals.get(name) ?? Infinity) - at))
    return times.toSorted((a, b) => a - b)
  }

  const [ours, theirs]: [number[][], number[][]] = [[], []]
  for (const each of [simulator.url, bare.url]) await measure(each)
  for (let round = 0; round < rounds; round++) {
    ours.push(await measure(simulator.url))
    theirs.push(await measure(bare.url))
  }
  agent.destroy()
  receiver.close()
  await Promise.all([simulator.stop(), stop(bare.child)])
  const row = (share: number, limit: number): Row => ({
    what: `from the response to its webhook at ${String(PER_SECOND)}/s, p${String(share * 100)}`,
    unit: 'ms',
    ours: ours.map((times) => at(times, share)),
    beside: 'bare node:http that sends after it answers',
    theirs: theirs.map((times) => at(times, share)),
    target: { of: 'figure', limit: 'at most', value: limit },
  })
  return [row(0.5, 2), row(0.99, 15)]
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN

function create(agent: Agent, url: string, name: string): Promise<void> {
  const body = JSON.stringify({ ...newProduct(0), name })
  const headers = {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        if (answer.statusCode === 201) resolve()
        else reject(new Error(`a create got ${String(answer.statusCode)}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
