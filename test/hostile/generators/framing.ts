/** Bytes that are not HTTP, or almost: each is everything that a connection sends before it ends. */
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import { bytesOf, latin1, type Header, type HostileRequest } from '../request.ts'
import type { Operation } from '../surface.ts'
import { validRequest } from './valid.ts'

const HOST = '127.0.0.1'

type Wire = (valid: HostileRequest) => Buffer

const withHeaders =
  (...headers: Header[]): Wire =>
  (valid) =>
    bytesOf({ ...valid, headers: [...valid.headers, ...headers] }, HOST)

const withBody =
  (body: string, ...headers: Header[]): Wire =>
  (valid) => {
    const head = bytesOf({ ...valid, headers: [...valid.headers, ...headers], body: null }, HOST)
    return Buffer.concat([head, latin1(body)])
  }

const CHUNKED: Header = ['transfer-encoding', 'chunked']

/** Replaces the request line. */
const withLine =
  (line: (valid: HostileRequest) => string): Wire =>
  (valid) => {
    const bytes = bytesOf(valid, HOST)
    return Buffer.concat([latin1(line(valid)), bytes.subarray(bytes.indexOf('\r\n'))])
  }

/** Inserts a line at the end of the header. */
const withHeadLine =
  (line: string): Wire =>
  (valid) => {
    const bytes = bytesOf(valid, HOST)
    const end = bytes.indexOf('\r\n\r\n')
    return Buffer.concat([bytes.subarray(0, end), latin1(`\r\n${line}`), bytes.subarray(end)])
  }

const WIRES: readonly Wire[] = [
  ...['5', '999999999', '0', '-1', '1e3', '0x10', 'abc', '', '18446744073709551616', '4, 4', '+4', '4 4'].map(
    (length) => withHeaders(['content-length', length]),
  ),
  withHeaders(['content-length', '3'], ['content-length', '4']),
  withHeaders(['content-length', '5'], CHUNKED),
  withHeaders(CHUNKED),
  ...[
    '0\r\n\r\n',
    '5\r\n{"a":',
    'zz\r\n{}\r\n0\r\n\r\n',
    '-1\r\n{}\r\n0\r\n\r\n',
    'FFFFFFFFFFFFFFFFFF\r\n{}\r\n',
    '7fffffffffffffff\r\n{}',
    '2\r\n{}xx\r\n0\r\n\r\n',
    '2;a=b\r\n{}\r\n0\r\n\r\n',
    '2\n{}\n0\n\n',
    '2\r\n{}\r\n0\r\nX: y\r\n\r\n',
    '2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n',
    '0x2\r\n{}\r\n0\r\n\r\n',
    ' 2\r\n{}\r\n0\r\n\r\n',
  ].map((body) => withBody(body, CHUNKED)),
  withBody(`2;${'x'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`, CHUNKED),
  withBody(`${'1\r\n \r\n'.repeat(20_000)}2\r\n{}\r\n0\r\n\r\n`, CHUNKED),
  withBody('0\r\n\r\nGET /_sim/health HTTP/1.1\r\nHost: x\r\n\r\n', [
    'transfer-encoding',
    'chunked, identity',
  ]),
  withBody('0\r\n\r\n', ['transfer-encoding', 'gzip, chunked']),
  withBody('0\r\n\r\n', ['transfer-encoding', 'xchunked']),
  withBody('0\r\n\r\n', ['transfer-encoding', ' chunked'], CHUNKED),
  withHeaders(['upgrade', 'websocket'], ['connection', 'upgrade']),
  withHeaders(['upgrade', 'h2c'], ['connection', 'Upgrade, HTTP2-Settings']),
  withHeaders(['expect', '100-continue']),
  withHeaders(['expect', 'nonsense']),
  withHeaders(['host', 'a'], ['host', 'b']),
  withLine(({ method, target }) => `${method} ${target} HTTP/0.9`),
  withLine(({ method, target }) => `${method} ${target} HTTP/1.0`),
  withLine(({ method, target }) => `${method} ${target} HTTP/2.0`),
  withLine(({ method, target }) => `${method} ${target} HTTP/9.9`),
  withLine(({ method, target }) => `${method} ${target}`),
  withLine(({ method, target }) => `${method.toLowerCase()} ${target} HTTP/1.1`),
  withLine(({ target }) => `NONSENSE ${target} HTTP/1.1`),
  withLine(({ method, target }) => `${method}  ${target} HTTP/1.1`),
  withLine(({ method, target }) => `${method} http://evil.invalid${target} HTTP/1.1`),
  withLine(({ method, target }) => `${method} //evil.invalid${target} HTTP/1.1`),
  withLine(({ method, target }) => `${method} ${target}?${'x'.repeat(100_000)} HTTP/1.1`),
  withLine(({ method, target }) => `${method} ${target}#fragment HTTP/1.1`),
  withLine(({ method, target }) => `${method} ${target} \xff\xfe HTTP/1.1`),
  withLine(({ method, target }) => `${method} ${target}\x00 HTTP/1.1`),
  withLine(({ method }) => `${method} * HTTP/1.1`),
  withLine(() => 'OPTIONS * HTTP/1.1'),
  withLine(() => 'CONNECT evil.invalid:443 HTTP/1.1'),
  withLine(() => ''),
  ...[
    'no colon',
    ': no name',
    ' folded: x',
    'na me: x',
    'name : x',
    'x: a\x00b',
    'x: a\x01b',
    'x: a\rb',
    'x: a\nb: c',
    'x\xff: y',
    '\tx: y',
    'x: y\r\n folded',
    '__proto__: x',
  ].map(withHeadLine),
  withHeadLine(`x: ${'y'.repeat(20_000)}`),
  withHeadLine(`x: ${'y'.repeat(1_000_000)}`),
  withHeadLine(Array.from({ length: 2500 }, (_, at) => `x-${String(at)}: y`).join('\r\n')),
  withHeadLine(Array.from({ length: 20_000 }, () => 'x: y').join('\r\n')),
  (valid) => latin1(bytesOf(valid, HOST).toString('latin1').replaceAll('\r\n', '\n')),
  (valid) => latin1(bytesOf(valid, HOST).toString('latin1').replaceAll('\r\n', '\r')),
  (valid) => Buffer.concat([latin1('\r\n\r\n\r\n'), bytesOf(valid, HOST)]),
  (valid) => Buffer.concat(Array<Buffer>(50).fill(bytesOf(valid, HOST))),
  (valid) => Buffer.concat([bytesOf(valid, HOST), latin1('garbage\r\n\r\n')]),
  () => latin1('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  () => latin1('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  () => latin1('\x00'.repeat(1000)),
  () => latin1('SSH-2.0-x\r\n'),
  () => Buffer.alloc(0),
]

export function framingAttacks(operation: Operation, prey: AttackedWorkspace): Arbitrary<HostileRequest> {
  const valid = validRequest(operation, prey)
  const whole = bytesOf(valid, HOST)
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.constantFrom(...WIRES).map((wire) => wire(valid)) },
      { weight: 1, arbitrary: fc.nat(whole.length).map((length) => whole.subarray(0, length)) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
          const copy = Buffer.from(whole)
          copy[at] = byte
          return copy
        }),
      },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    )
    .map((wire) => ({ ...valid, wire }))
}
