/**
 * Start, reads, creates and memory beside programs that simulate or mock HTTP interfaces too. They are
 * installed from the npm registry into node_modules/.cache, without their install scripts.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Messages } from '../framing.ts'
import { Client } from '../load.ts'
import {
  PEERS,
  SIMULATOR,
  SIMULATOR_WITH_DEMO,
  SIMULATOR_WITH_WORKSPACE,
  type Peer,
  type Program,
} from '../peers.ts'
import { residentMemory, ROOT, scratch, track } from '../processes.ts'
import type { Row, Unit } from '../report.ts'
import { alternate, pause } from '../rounds.ts'
import { CONNECTIONS, type Settings } from '../settings.ts'

const CACHE = join(ROOT, 'node_modules/.cache/suite-simulator-peers')

const INSTALL_MS = 300_000
/** The longest time until a peer answers with all its products. */
const START_MS = 120_000
/** Ms between two attempts to connect to a process that starts. */
const POLL_MS = 5
/** By then V8 has freed the memory of a start, which takes about 8 s. */
const REST_MS = 12_000

/** The end of a peer's error output that a note repeats. */
const ERROR_CHARACTERS = 500

/** Answers that another attempt does not change. A program that starts may answer 404 or 503. */
const REFUSED = /^HTTP\/1\.1 4(?!04)/

const DEMO = 'demo'

/** Number of products of creates: few, because some peers write or search all of them. */
const FEW = 100
/** Number of products of a peer that can't hold those of the settings. */
const FEWER = 1000
/** Number of creates in a round: the same for all sides, and in all below the 10,000 that MockServer takes. */
const CREATES = 1500

/** A peer or the simulator. */
interface Side {
  readonly name: string
  readonly program: Program
  readonly installed: string
}

const SIMULATOR_SIDE: Side = { name: 'simulator', program: SIMULATOR, installed: ROOT }

export async function peers(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  const usable: Peer[] = []
  for (const peer of PEERS) {
    const reason = await whyUnusable(peer)
    if (reason === null) usable.push(peer)
    else note(`${titleOf(peer)} is left out: ${reason}`)
  }
  const sides = [SIMULATOR_SIDE, ...usable.map(sideOf)]
  const starts = await measureStarts(settings, sides.slice(1))
  const few = await measureLoads(settings, sides, FEW, {
    create: {
      requests: ({ side }) => Array.from({ length: CREATES }, (_, index) => side.program.create(index)),
      count: CREATES,
    },
  })
  const most = await measureLoads(settings, sides, settings.records, {
    get: {
      requests: ({ side, products }) =>
        Array.from({ length: products }, (_, index) => side.program.one(index)),
    },
    pages: { requests: ({ side, products, url }) => side.program.pages(products, url) },
  })

  const rowsOf = (what: string, unit: Unit, figures: Figures, smaller = NONE): Row[] =>
    usable.map((peer) => {
      const among = smaller.has(peer.name) ? `, with ${FEWER.toLocaleString('en')} products` : ''
      return {
        what,
        unit,
        ours: figures[SIMULATOR_SIDE.name] ?? [],
        beside: `${titleOf(peer)}${among} (${peer.lacks})`,
        theirs: figures[peer.name] ?? [],
      }
    })
  const many = settings.records.toLocaleString('en')
  return [
    ...rowsOf('start to the first page of one product', 'ms', starts.figures),
    {
      what: 'start to the first page of the demo',
      unit: 'ms',
      ours: starts.demo,
      beside: 'the simulator with a new workspace and one product',
      theirs: starts.figures[SIMULATOR_SIDE.name] ?? [],
    },
    ...rowsOf(`get one of ${many}`, '/s', most.figures.get, most.smaller),
    ...rowsOf(`list 25 of ${many}, pages anywhere`, '/s', most.figures.pages, most.smaller),
    ...rowsOf('create, in memory, no subscription', '/s', few.figures.create),
    ...rowsOf(`resident memory with ${String(FEW)} products`, 'MB', few.memory),
    ...rowsOf(`resident memory with ${many} products`, 'MB', most.memory, most.smaller),
  ]
}

type Figures = Readonly<Record<string, number[]>>

const NONE: ReadonlySet<string> = new Set()

const titleOf = ({ name, version }: Peer): string => `${name} ${version}`
const sideOf = (peer: Peer): Side => ({ name: peer.name, program: peer, installed: folderOf(peer) })
const prefixOf = (peer: Peer): string => join(CACHE, `${peer.name}-${peer.version}`)
const folderOf = (peer: Peer): string => join(prefixOf(peer), 'node_modules', peer.package)

/** Installs a peer unless it is installed; returns why it can't be used, or null. */
async function whyUnusable(peer: Peer): Promise<string | null> {
  if (peer.isJava && spawnSync('java', ['-version']).status !== 0) {
    return 'it needs a Java runtime (Debian: default-jre-headless)'
  }
  if (versionOf(peer) !== peer.version) {
    mkdirSync(prefixOf(peer), { recursive: true })
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const args = ['install', ...flags, '--prefix', prefixOf(peer), `${peer.package}@${peer.version}`]
    const { status, stderr, error } = spawnSync('npm', args, { timeout: INSTALL_MS, encoding: 'utf8' })
    if (status !== 0) return `npm can't install it: ${error?.message ?? stderr.trim().split('\n')[0] ?? ''}`
  }
  try {
    const running = await startSide(sideOf(peer), 1)
    running.child.kill('SIGKILL')
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function versionOf(peer: Peer): string | null {
  try {
    const { version } = JSON.parse(readFileSync(join(folderOf(peer), 'package.json'), 'utf8')) as {
      version: string
    }
    return version
  } catch {
    return null
  }
}

interface Running {
  readonly side: Side
  readonly child: ChildProcess
  readonly url: string
  readonly products: number
}

/**
 * Starts a program, adds its products, and waits for its first page. Without `client`, it adds them one by
 * one.
 */
async function startSide(side: Side, products: number, client?: Client): Promise<Running> {
  const { name, program, installed } = side
  const port = await freePort()
  const url = `http://127.0.0.1:${String(port)}`
  const folder = scratch('peers')
  mkdirSync(folder, { recursive: true })
  const child = track(
    spawn(program.isJava ? 'java' : process.execPath, program.command(installed, port, products), {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Some write files where they run, or into the home of the user.
      cwd: folder,
      env: { ...process.env, HOME: folder },
    }),
  )
  let errorOutput = ''
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-ERROR_CHARACTERS)))
  const deadline = performance.now() + START_MS
  const untilAnswered = async (request: string): Promise<void> => {
    for (;;) {
      const answer = await ask(port, request)
      if (answer.startsWith('HTTP/1.1 2')) return
      const hasEnded = child.exitCode !== null
      if (hasEnded || REFUSED.test(answer) || performance.now() > deadline) {
        child.kill('SIGKILL')
        const state = hasEnded ? 'ended' : 'did not answer with its products'
        throw new Error(`${name} ${state}: ${answer.split('\r\n')[0] ?? ''} ${errorOutput}`.trim())
      }
      await pause(POLL_MS)
    }
  }
  const [first, ...others] = program.fill?.(products) ?? []
  if (first !== undefined) await untilAnswered(first)
  if (!client) for (const request of others) await untilAnswered(request)
  else if (others.length > 0) {
    await client.prepare(`fill ${name}`, others)
    await client.secondsFor(url, `fill ${name}`, others.length, CONNECTIONS)
  }
  await untilAnswered(program.firstPage)
  return { side, child, url, products }
}

/** Returns the head of the response, or the error of the connection. */
function ask(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const messages = new Messages()
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, timeout: START_MS })
    const end = (text: string): void => {
      socket.destroy()
      resolve(text)
    }
    socket.on('connect', () => socket.write(request))
    socket.on('data', (data) => {
      messages.feed(data, end)
    })
    socket.on('timeout', () => {
      end('no answer')
    })
    socket.on('error', ({ message }) => {
      end(message)
    })
    socket.on('close', () => {
      end('closed')
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function stopAll(running: readonly Running[]): Promise<void> {
  for (const { child } of running) {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

async function measureStarts(
  { rounds }: Settings,
  peers: readonly Side[],
): Promise<{ figures: Figures; demo: number[] }> {
  const sides = [{ ...SIMULATOR_SIDE, program: SIMULATOR_WITH_WORKSPACE }, ...peers]
  const timed = (side: Side, products: number) => async (): Promise<number> => {
    const began = performance.now()
    const running = await startSide(side, products)
    const took = performance.now() - began
    await stopAll([running])
    return took
  }
  const { [DEMO]: demo = [], ...figures } = await alternate<string>(
    {
      ...Object.fromEntries(sides.map((side) => [side.name, timed(side, 1)])),
      [DEMO]: timed({ ...SIMULATOR_SIDE, program: SIMULATOR_WITH_DEMO }, 1),
    },
    rounds,
  )
  return { figures, demo }
}

interface Load {
  readonly requests: (running: Running) => string[] | Promise<string[]>
  /** The number of requests in a round; else it takes the seconds of the settings. */
  readonly count?: number
}

interface Measured<Name extends string> {
  readonly figures: Readonly<Record<Name, Figures>>
  readonly memory: Figures
  /** The sides that hold fewer products than asked. */
  readonly smaller: ReadonlySet<string>
}

/** Starts all sides with some products, and sends each load in alternation. */
async function measureLoads<Name extends string>(
  { rounds, seconds, warmUp }: Settings,
  sides: readonly Side[],
  products: number,
  loads: Readonly<Record<Name, Load>>,
): Promise<Measured<Name>> {
  const client = new Client()
  const running: Running[] = []
  for (const side of sides) running.push(await startWithMost(side, products, client))
  await pause(REST_MS)
  const memory = Object.fromEntries(running.map(({ side, child }) => [side.name, [residentMemory(child)]]))
  const figures: [name: string, figures: Figures][] = []
  for (const [name, { requests, count }] of Object.entries<Load>(loads)) {
    for (const each of running) await client.prepare(`${name} ${each.side.name}`, await requests(each))
    const measures = (duration: number): Readonly<Record<string, () => Promise<number>>> =>
      Object.fromEntries(
        running.map(({ side, url }) => {
          const load = `${name} ${side.name}`
          const measure =
            count === undefined
              ? () => client.perSecond(url, load, duration)
              : async () => count / (await client.secondsFor(url, load, count, CONNECTIONS))
          return [side.name, measure]
        }),
      )
    await alternate(measures(warmUp), 1)
    figures.push([name, await alternate(measures(seconds), rounds)])
  }
  await stopAll(running)
  await client.stop()
  const smaller = running.filter((each) => each.products < products).map(({ side }) => side.name)
  const byName = Object.fromEntries(figures) as Record<Name, Figures>
  return { figures: byName, memory, smaller: new Set(smaller) }
}

/** Starts a side with the products, or with fewer if it can't hold them. */
async function startWithMost(side: Side, products: number, client: Client): Promise<Running> {
  try {
    return await startSide(side, products, client)
  } catch (error) {
    if (products <= FEWER) throw error
    return startSide(side, FEWER, client)
  }
}
