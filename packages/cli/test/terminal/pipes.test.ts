/** A slow reader gets all that a command prints, with any exit code; a reader that leaves ends it silently. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startHere } from '../../../../test/support/commandLine.ts'
import { BINARY, build, scratchFolder, stopAfterTest } from '../../../../test/support/process.ts'
import { fileWith } from '../../../../test/support/recordings.ts'
import { ROOT } from '../../../../test/support/root.ts'

beforeAll(build)

const MEGABYTE = 1_048_576
const LONG = 'ñ'.repeat(MEGABYTE)

const CHANGES = Array.from({ length: 4000 }, (_, index) => ({
  section: 'crm.contacts',
  id: `contact-${String(index)}`,
  change: 'added',
  fields: [],
  causes: [{ kind: 'call', id: 'c', title: 'x'.repeat(300) }],
}))

/** Answers every call of the control plane with more than a megabyte, as far as its form allows. */
function answerOf(path: string): object | string {
  if (path === '/_sim/health') return { error: { code: 'unhealthy', message: LONG } }
  if (path.endsWith('/clock')) return { now: '2026-11-23T00:00:00.000Z' }
  if (path.includes('/diff?')) return { summary: {}, data: CHANGES, nextCursor: null }
  if (path.endsWith('/records')) return { data: [{ section: 'catalog.products', count: 0, title: LONG }] }
  if (path.includes('/requests?limit=1000') || path.includes('/emails?limit=1000')) return { data: [] }
  if (path.includes('as=curl')) return LONG
  return { workspaceId: null, labels: {}, data: [{ id: LONG, section: 'crm.contacts' }], nextCursor: null }
}

/** Answers calls to the control plane, and deliveries with a body that the report of the exam contains. */
async function serveLong(): Promise<string> {
  const server = createServer((request, response) => {
    const { url = '/' } = request
    request.resume().on('end', () => {
      const body = url.startsWith('/_sim') ? answerOf(url) : '\u0001'.repeat(200)
      const status = url === '/_sim/health' || !url.startsWith('/_sim') ? 503 : 200
      const type = { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }
      response.writeHead(status, type).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

/** A HAR file whose answer is not what a simulator answers. */
const har = (): string =>
  fileWith(
    {
      log: {
        version: '1.2',
        entries: [
          {
            request: {
              method: 'GET',
              url: 'https://suite.example/workspace/public/v1/products',
              headers: [],
            },
            response: {
              status: 200,
              headers: [],
              content: { mimeType: 'application/json', text: JSON.stringify({ data: LONG }) },
            },
          },
        ],
      },
    },
    'session.har',
  )

interface Piped {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs a command into a pipe of the system, which takes 64 KiB at a time, with this program as its reader. */
async function into(reader: string, { args, isLocal = false }: Command): Promise<Piped> {
  const url = await serveLong()
  const script = `{ "$@"; echo "code $?" >&2; } | ${reader}`
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, BINARY, ...args(url)], {
    cwd: scratchFolder(),
    env: { PATH: process.env['PATH'], ...(!isLocal && { SIM_URL: url }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stopAfterTest(child)
  const written = { output: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.errors += text))
  await once(child, 'close')
  const [, code = ''] = /^code (\d+)$/m.exec(written.errors) ?? []
  return { code: Number(code), ...written }
}

/** Reads a little at a time. */
const SLOW = 'dd bs=2048 status=none'

const TASK = join(ROOT, 'tasks/raise-furniture-prices.yaml')

interface Command {
  readonly args: (url: string) => readonly string[]
  readonly code: number
  /** Without a server, it starts its own. */
  readonly isLocal?: boolean
  /** The report of an exam is bounded. */
  readonly bytes?: number
}

const COMMANDS = {
  verify: {
    args: () => [
      ...['verify', '--base-url', 'http://127.0.0.1:9', '--key', 'k', '--interface', 'conversations'],
      ...['--budget', '1', '--rate', 'off', '--report', 'json'],
    ],
    code: 3,
  },
  'grade, text': { args: () => ['grade', TASK, '--workspace', 'w', '--report', 'text'], code: 1 },
  'grade, JSON': { args: () => ['grade', TASK, '--workspace', 'w'], code: 1 },
  exam: { args: (url: string) => ['exam', '--receiver', url, '--interface', 'pos'], code: 1, bytes: 20_000 },
  replay: { args: () => ['replay', har()], code: 1, isLocal: true },
  'can-i-upgrade': { args: () => ['can-i-upgrade', dirname(har())], code: 1, isLocal: true },
  doctor: { args: () => ['doctor', '--db', ':memory:'], code: 1 },
  diff: { args: () => ['diff', '--workspace', 'w'], code: 0 },
  coverage: { args: () => ['coverage', '--workspace', 'w'], code: 0 },
  openapi: { args: () => ['openapi'], code: 0 },
  'requests list': { args: () => ['requests', 'list'], code: 0 },
  'requests show': { args: () => ['requests', 'show', '1', '--as', 'curl'], code: 0 },
  'records list': { args: () => ['records', 'list', 'crm.contacts'], code: 0 },
  'emails list': { args: () => ['emails', 'list'], code: 0 },
}

type Name = keyof typeof COMMANDS

/** Runs a command in this process. */
async function here({ args, isLocal = false }: Command, isClosed: boolean): Promise<Piped> {
  const url = await serveLong()
  const running = startHere(args(url), {
    folder: scratchFolder(),
    variables: isLocal ? {} : { SIM_URL: url },
    isRead: 'slowly',
  })
  if (isClosed) running.closePipe()
  const { code, stdout, stderr } = await running.ended
  return { code: Number(code), output: stdout, errors: stderr }
}

function expectAll(name: Name, { code, output, errors }: Piped): void {
  const expected: Command = COMMANDS[name]
  expect(code, errors.slice(0, 500)).toBe(expected.code)
  expect(Buffer.byteLength(output), errors.slice(0, 500)).toBeGreaterThan(expected.bytes ?? MEGABYTE)
  if (/^\s*[[{]/.test(output)) JSON.parse(output)
  else expect(output).toMatch(/[\nñ]$/)
}

test.each(Object.keys(COMMANDS) as Name[])(
  '%s ends when a slow reader has all of its output',
  async (name) => {
    expectAll(name, await here(COMMANDS[name], false))
  },
)

test.each(['requests list', 'replay'] as const)(
  '%s ends when a slow reader at a pipe has all of its output',
  async (name) => {
    expectAll(name, await into(SLOW, COMMANDS[name]))
  },
)

const QUIET = /EPIPE|at .*\.[cm]?js:/

test.each(['doctor', 'replay', 'openapi', 'requests list', 'grade, text'] as const)(
  '%s ends silently if its reader has left',
  async (name) => {
    const ended = await here(COMMANDS[name], true)
    expect({ ...ended, errors: QUIET.exec(ended.errors)?.[0] }).toEqual({
      code: COMMANDS[name].code,
      output: '',
    })
  },
)

test.each(['doctor', 'openapi'] as const)('%s ends silently if the reader leaves early', async (name) => {
  const ended = await into('head -c 10', COMMANDS[name])
  expect(ended.output).toHaveLength(10)
  expect(ended.code).toBe(COMMANDS[name].code)
  // The line of the error stays: it goes to another reader.
  expect(ended.errors).not.toMatch(QUIET)
})

test('an error message of more than a pipe takes reaches its reader', async () => {
  const url = await serveLong()
  const script = `{ "$@" 2>&1 >/dev/null; } | ${SLOW}`
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, BINARY, 'doctor', '--db', ':memory:'], {
    cwd: scratchFolder(),
    env: { PATH: process.env['PATH'], SIM_URL: url },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  stopAfterTest(child)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (each: string) => (text += each))
  await once(child, 'close')
  expect(text).toBe(`suite-sim: ${LONG}\n`)
})
