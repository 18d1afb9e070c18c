/** Uploads to a running server: memory, disk space and blocked calls. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request, type ClientRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { serverWithoutBlocking } from '../support/loopDelay.ts'
import { build, scratchFolder, start, type Server } from '../support/process.ts'
import { firstOf } from '../support/sockets.ts'
import { sparseXlsx, xlsx } from '../support/xlsx.ts'

beforeAll(build)

const MB = 1024 * 1024
const BOUNDARY = 'b'

/** A server with a database file, and the folder of its uploads. */
async function serving() {
  const folder = scratchFolder()
  const db = join(folder, 'suite.sqlite')
  const server = await start(['--port', '0', '--db', db], { folder, probe: true })
  const uploads = join(folder, 'files/suite.sqlite/incoming')
  return { server, db, folder, onDisk: () => (existsSync(uploads) ? readdirSync(uploads) : []) }
}

const head = (name: string, filename: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n`
const END = `\r\n--${BOUNDARY}--\r\n`

/** Opens an import request without sending its body. */
const opened = ({ url }: Server, headers: Record<string, string> = {}): ClientRequest =>
  request(`${url}/crm/v1/contacts/import`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer demo-key',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
  })

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

async function answerOf(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }]
  let text = ''
  for await (const piece of response) text += String(piece)
  return { status: response.statusCode, body: JSON.parse(text) as Record<string, unknown> }
}

async function imported(server: Server, filename: string, content: Buffer | string): Promise<Answer> {
  const sent = opened(server)
  sent.on('error', () => undefined)
  sent.end(Buffer.concat([Buffer.from(head('file', filename)), Buffer.from(content), Buffer.from(END)]))
  return answerOf(sent)
}

const memoryMb = ({ pid }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'latin1'))?.[1]) / 1024

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await nextTurn()
}

/** Sends this many megabytes unless the connection is cut. */
async function pour(sent: ClientRequest, megabytes: number): Promise<void> {
  const piece = Buffer.alloc(MB, 'x')
  for (let count = 0; count < megabytes && !sent.destroyed; count++) {
    // An error arrives with the end of the connection, which the loop checks.
    if (!sent.write(piece)) await firstOf(sent, 'drain', 'close')
  }
}

describe('file', () => {
  test('is on disk during the upload, and is removed after the response', async () => {
    const { server, onDisk } = await serving()
    const sent = opened(server)
    sent.write(head('file', 'a.csv') + 'name\nAna\n')
    sent.write('\n'.repeat(200_000))
    await until(() => onDisk().length === 1)
    sent.end(END)
    expect(await answerOf(sent)).toMatchObject({ status: 200, body: { created: 1 } })
    expect(onDisk()).toEqual([])
  })

  test('leaves nothing after an aborted upload', async () => {
    const { server, onDisk } = await serving()
    const sent = opened(server)
    sent.on('error', () => undefined)
    sent.write(head('file', 'a.csv') + '\n'.repeat(200_000))
    await until(() => onDisk().length === 1)
    sent.destroy()
    await until(() => onDisk().length === 0)
    expect(await server.stop('SIGTERM')).toBe(0)
    expect(server.stderr()).toBe('')
  })

  test('of a crash is removed at the next start', async () => {
    const { server, db, folder, onDisk } = await serving()
    const sent = opened(server)
    sent.on('error', () => undefined)
    sent.write(head('file', 'a.csv') + '\n'.repeat(200_000))
    await until(() => onDisk().length === 1)
    await server.stop('SIGKILL')
    expect(onDisk()).toHaveLength(1)
    await start(['--port', '0', '--db', db], { folder })
    expect(onDisk()).toEqual([])
  })

  test('of another database next to it is kept', async () => {
    const folder = scratchFolder()
    const uploads = join(folder, 'files/other.sqlite/incoming')
    mkdirSync(uploads, { recursive: true })
    writeFileSync(join(uploads, '1'), '')
    await start(['--port', '0', '--db', join(folder, 'suite.sqlite')], { folder })
    expect(readdirSync(uploads)).toEqual(['1'])
  })
})

describe('form', () => {
  test('without expected parts stores nothing', async () => {
    const { server, onDisk } = await serving()
    await imported(server, 'a.csv', 'name\nAna\n')
    const before = memoryMb(server)
    const sent = opened(server)
    sent.write(head('other', 'a.csv'))
    await pour(sent, 50)
    expect(onDisk()).toEqual([])
    expect(memoryMb(server) - before).toBeLessThan(45)
    sent.end(`\r\n${head('file', 'a.csv')}name\nBen\n${END}`)
    expect(await answerOf(sent)).toMatchObject({ status: 200, body: { created: 1 } })
  })

  const TOO_LARGE = { status: 413, body: { error: { code: 'payload_too_large' } } }

  test('that declares a size above the limit is refused before its body', async () => {
    const { server } = await serving()
    const sent = opened(server, { 'content-length': String(4096 * MB) })
    sent.on('error', () => undefined)
    sent.write(head('file', 'a.csv'))
    expect(await answerOf(sent)).toMatchObject(TOO_LARGE)
    sent.destroy()
  })

  test('that exceeds the limit is refused after all of it is read, and leaves nothing', async () => {
    const { server, onDisk } = await serving()
    const line = await connected(server)
    await line.pour(head('other', 'a.csv'), 60)
    expect(await line.status).toBe('413')
    expect(onDisk()).toEqual([])
    // The connection can be used again.
    await line.end()
    expect(await line.next).toBe('200')
  })

  test('that was refused and never ends is cut off', async () => {
    const { server } = await serving()
    const line = await connected(server)
    await line.pour(head('__proto__', 'a.csv'), 200)
    expect(await line.status).toBe('400')
    await line.cut
  })
})

/** A connection that sends a form without waiting for a response. */
async function connected({ url }: Server) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const first = deferred<string>()
  const second = deferred<string>()
  let text = ''
  socket.on('data', (piece) => {
    text += String(piece)
    const [one, another] = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    if (one?.[1]) first.settle(one[1])
    if (another?.[1]) second.settle(another[1])
  })
  const cut = new Promise((resolve) => socket.once('close', resolve))
  const chunk = (content: string | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`${content.length.toString(16)}\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const write = async (bytes: Buffer | string): Promise<void> => {
    if (!socket.destroyed && !socket.write(bytes)) await firstOf(socket, 'drain', 'close')
  }
  return {
    /** The statuses of the first and of the second response. */
    status: first.promise,
    next: second.promise,
    cut,
    async pour(start: string, megabytes: number) {
      await write(
        `POST /crm/v1/contacts/import HTTP/1.1\r\nhost: a\r\nauthorization: Bearer demo-key\r\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\r\ntransfer-encoding: chunked\r\n\r\n`,
      )
      await write(chunk(start))
      const piece = chunk(Buffer.alloc(MB, 'x'))
      for (let count = 0; count < megabytes && !socket.destroyed; count++) await write(piece)
    },
    /** Ends the form and sends another request. */
    end: () =>
      write('0\r\n\r\nGET /crm/v1/pipelines HTTP/1.1\r\nhost: a\r\nauthorization: Bearer demo-key\r\n\r\n'),
  }
}

function deferred<Value>() {
  let settle: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolve) => {
    settle = resolve
  })
  return {
    promise,
    settle: (value: Value) => {
      settle(value)
    },
  }
}

const cell = (place: string, text: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
const NAME = `<row r="1">${cell('A1', 'name')}</row>`
const rowsOf = (count: number, cells: (row: number) => string): string =>
  Array.from({ length: count }, (_, place) => `<row r="${String(place + 2)}">${cells(place + 2)}</row>`).join(
    '',
  )

describe('import without blocking other calls', () => {
  const columns = Array.from({ length: 999 }, (_, place) => `column ${String(place)}`)
  const shared = `<sst><si><t>name</t></si><si><t>${'x'.repeat(30_000)}</t></si></sst>`

  test.each<[string, string, () => Buffer | string, object]>([
    ['five million empty rows', 'a.csv', () => `name\nAna\n${'\n'.repeat(5_000_000)}`, { created: 1 }],
    ['250,000 rows of empty cells', 'a.csv', () => `name,email\n${',\n'.repeat(250_000)}`, { total_rows: 0 }],
    [
      '1,000 columns',
      'a.csv',
      () => `name,${columns.join(',')}\n${`Ana,${columns.join(',')}\n`.repeat(50)}`,
      { created: 50 },
    ],
    ['a quote without an end', 'a.csv', () => `name\n"${'x'.repeat(5_000_000)}`, {}],
    ['a row of delimiters', 'a.csv', () => `name\n${','.repeat(5_000_000)}`, {}],
    ['a million empty objects', 'a.json', () => `[${'{},'.repeat(1_000_000)}{}]`, {}],
    ['endless brackets', 'a.json', () => `[${'['.repeat(2_000_000)}`, {}],
    [
      'a sheet of 300,000 rows',
      'a.xlsx',
      () => sparseXlsx(NAME + rowsOf(300_000, (row) => cell(`A${String(row)}`, 'x'))),
      {},
    ],
    [
      'a text that is referenced very often',
      'a.xlsx',
      () =>
        sparseXlsx(NAME + rowsOf(20_000, (row) => `<c r="A${String(row)}" t="s"><v>1</v></c>`), {
          sharedStrings: shared,
        }),
      {},
    ],
    ['a tag of ten megabytes', 'a.xlsx', () => sparseXlsx(`${NAME}<row r="2" ${'x'.repeat(10 * MB)}`), {}],
    [
      'a cell address of 250,000 blanks',
      'a.xlsx',
      () => sparseXlsx(`${NAME}<row r="2"><c r="${' '.repeat(250_000)}!"><v>1</v></c></row>`),
      {},
    ],
    ['endless elements', 'a.xlsx', () => sparseXlsx(NAME + '<x>'.repeat(1_000_000)), {}],
  ])('handles %s', async (_what, filename, make, expected) => {
    const content = make()
    const { server } = await serving()
    await imported(server, 'a.xlsx', xlsx([['name']]))
    const before = memoryMb(server)
    const answer = await serverWithoutBlocking(server, () => imported(server, filename, content))
    if (Object.keys(expected).length > 0) expect(answer).toMatchObject({ status: 200, body: expected })
    else expect([413, 422]).toContain(answer.status)
    expect(memoryMb(server) - before).toBeLessThan(200)
  })

  test('handles an import of thousands of rows', async () => {
    const { server } = await serving()
    const rows = Array.from(
      { length: 3000 },
      (_, row) => `Person ${String(row)},p${String(row)}@example.com\n`,
    )
    await serverWithoutBlocking(server, async () => {
      expect(await imported(server, 'a.csv', `name,email\n${rows.join('')}`)).toMatchObject({
        status: 200,
        body: { total_rows: 3000, failed: 0 },
      })
    })
  })
})
