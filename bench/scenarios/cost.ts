/**
 * What a test costs the server: a workspace, 35 calls, a week on its clock, and its deletion. The CPU time
 * comes from /proc, so this scenario needs Linux. Each kind of fixtures has a server of its own, because the
 * garbage of one hides the memory of the next.
 */
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BareAnswer, BareQuestion } from '../companions/bare-answers.ts'
import { BINARY, Companion, launch, residentMemory, scratch, stop } from '../processes.ts'
import type { Row } from '../report.ts'
import { alternate, median } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { call } from '../simulator.ts'

const CALLS = 35
/** Tests that run at once. */
const AT_ONCE = 10
/** Tests before the first measurement, which load and compile code. */
const BEFORE = 20
/** The kernel's unit of CPU time in /proc. */
const TICK_MS = 10

const TARGETS: Readonly<Record<string, number | null>> = { none: 15, small: null, demo: 22 }

/** A server that takes tests, with the CPU time of its process. */
interface Server {
  readonly child: ChildProcess
  readonly url: string
}

export async function cost(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  if (!existsSync('/proc/self/stat')) {
    note('cost is left out: it needs /proc of Linux.')
    return []
  }
  const bare = await bareServer()
  const rows: Row[] = []
  for (const [fixtures, target] of Object.entries(TARGETS)) {
    const folder = scratch(`cost-${fixtures}`)
    mkdirSync(folder)
    const server = await launch(BINARY, [
      ...['--port', '0', '--db', join(folder, 'a.sqlite'), '--rate-limits', 'off'],
    ])
    await tests(server, BEFORE, fixtures, false)
    note(await staying(server, settings.workspaces, fixtures, folder))
    const cpuEach = (of: Server) => async (): Promise<number> => {
      const before = cpuMs(of.child)
      await tests(of, settings.workspaces, fixtures)
      return (cpuMs(of.child) - before) / settings.workspaces
    }
    const sides = { ours: cpuEach(server), theirs: cpuEach(bare) }
    await alternate(sides, 1)
    const figures = await alternate(sides, settings.rounds)
    rows.push({
      what: `CPU time of a test, fixtures ${fixtures}`,
      unit: 'ms',
      ...figures,
      beside: 'bare Fastify, the same calls',
      ...(target !== null && { target: { of: 'figure', limit: 'at most', value: target } }),
    })
    const perHour = Math.round(3_600_000 / median(figures.ours)).toLocaleString('en')
    note(
      `cost, fixtures ${fixtures}: a core serves ${perHour} tests in an hour; resident memory at the end is ${residentMemory(server.child).toFixed(0)} MB.`,
    )
    await stop(server.child)
  }
  await stop(bare.child)
  return rows
}

/** Starts bare Fastify with a fixed response to each call. */
async function bareServer(): Promise<Server> {
  const bare = new Companion<BareQuestion, BareAnswer>('bare-answers')
  const body = { workspace: { id: 'bare' }, key: 'bare' }
  const url = await bare.ask({
    answers: (['GET', 'POST', 'PUT', 'DELETE'] as const).map((method) => ({
      ...{ method, route: '/*', status: 200, body },
    })),
  })
  return { child: bare.child, url }
}

/** Leaves workspaces behind; returns what each takes. */
async function staying(server: Server, count: number, fixtures: string, folder: string): Promise<string> {
  const [memory, disk] = [residentMemory(server.child), diskKB(folder)]
  await tests(server, count, fixtures, false)
  const kB = [(1024 * (residentMemory(server.child) - memory)) / count, (diskKB(folder) - disk) / count]
  const [inMemory = '', onDisk = ''] = kB.map((each) => each.toFixed(0))
  return `cost, fixtures ${fixtures}: the server takes ${memory.toFixed(0)} MB after ${String(BEFORE)} tests; a workspace that stays takes ${onDisk} kB of disk and ${inMemory} kB of memory.`
}

/** Runs tests, some at once. */
async function tests(server: Server, count: number, fixtures: string, areDeleted = true): Promise<void> {
  let left = count
  const worker = async (): Promise<void> => {
    while (left-- > 0) await test(server.url, fixtures, areDeleted)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function test(url: string, fixtures: string, isDeleted: boolean): Promise<void> {
  const made = await call<{ workspace: { id: string }; key: string }>(url, 'POST', '/_sim/workspaces', {
    name: 'test',
    fixtures,
  })
  const path = `/_sim/workspaces/${made.workspace.id}`
  for (let index = 0; index < CALLS; index++) {
    const [method, target, body] = callOf(index)
    await call(url, method, target, body, made.key)
  }
  await call(url, 'POST', `${path}/clock/advance`, { duration: 'P7D' })
  if (isDeleted) await call(url, 'DELETE', path)
}

function callOf(index: number): [method: string, path: string, body?: object] {
  const number = String(index)
  switch (index % 5) {
    case 0:
      return ['POST', '/crm/v1/contacts', { name: `Contact ${number}`, email: `c${number}@example.com` }]
    case 1:
      return ['GET', '/pay/v1/payment-links']
    case 2:
      return ['GET', '/crm/v1/contacts']
    case 3:
      return ['GET', '/workspace/public/v1/products']
    default:
      return ['POST', '/workspace/public/v1/products', { name: `Product ${number}`, type: 'service' }]
  }
}

/** Returns the CPU time of a process, user and system, in ms. */
function cpuMs({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const diskKB = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)).size)
    .reduce((sum, size) => sum + size, 0) / 1024
