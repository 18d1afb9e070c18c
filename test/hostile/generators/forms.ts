/** Multipart forms with all kinds of invalid parts, and files with wrong content types. */
import fc, { type Arbitrary } from 'fast-check'
import { xlsx } from '../../support/xlsx.ts'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import type { HostileRequest } from '../request.ts'
import type { Operation } from '../surface.ts'
import { exampleParts, formBytes, isFile, partOf, type Part } from './parts.ts'
import { PROTOTYPE_NAMES, texts } from './texts.ts'
import { credentialHeaders, validRequest } from './valid.ts'

const COLUMNS = (count: number): string =>
  Array.from({ length: count }, (_, at) => `c${String(at)}`).join(',')

/** Tables of all invalid shapes, with many rows or many columns, because the cost may be their product. */
const TABLES: Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(
    '',
    '\n',
    '\ufeff',
    'name',
    'name\n',
    'name,name\na,b\n',
    'name\n"unclosed',
    'name\n"a""b"c\n',
    'name\n=1+1\n@a\n',
    `${PROTOTYPE_NAMES.join(',')}\n${'x,'.repeat(PROTOTYPE_NAMES.length)}\n`,
    'name;email\na;b\n',
    'name\r\na\r\rb\n',
    'name\na\u0000b\n',
    `name\n${'\n'.repeat(500_000)}`,
    `name,email\n${',\n'.repeat(100_000)}`,
    `name\n${'a\n'.repeat(20_000)}`,
    `${COLUMNS(1000)}\n${`${','.repeat(999)}\n`.repeat(50)}`,
    `${COLUMNS(20_000)}\n`,
    ','.repeat(500_000),
    '"'.repeat(300_001),
    `name\n"${'x'.repeat(900_000)}"\n`,
    `name,tags\na,"${'t,'.repeat(50_000)}"\n`,
    `name\n${'é'.repeat(20_000)}\n`,
  ),
  fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from('name\n\xff\xfe\xc0\n', 'latin1')),
  fc.constant(Buffer.from('\xff\xfen\x00a\x00m\x00e\x00\n\x00', 'latin1')),
)

const BOOK = xlsx([
  ['name', 'email'],
  ['Ana Castillo', 'ana@example.test'],
  ['A', 1],
])

/** Spreadsheets with changed bytes, truncated ones, and ones with a valid beginning only. */
const BOOKS: Arbitrary<Buffer> = fc.oneof(
  fc.constant(BOOK),
  fc.nat(BOOK.length).map((length) => BOOK.subarray(0, length)),
  fc.array(fc.tuple(fc.nat(BOOK.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }).map((changes) => {
    const copy = Buffer.from(BOOK)
    for (const [at, byte] of changes) copy[at] = byte
    return copy
  }),
  fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.concat([Buffer.from('PK\u0003\u0004'), bytes])),
  fc.constant(xlsx(Array.from({ length: 3000 }, (_, at) => [`name ${String(at)}`, at]))),
)

const HEADS: readonly (readonly string[])[] = [
  [],
  [''],
  ['Content-Disposition: form-data'],
  ['Content-Disposition: form-data; name='],
  ['Content-Disposition: form-data; name=""'],
  ['Content-Disposition: form-data; filename="a.csv"'],
  ['Content-Disposition: form-data; name="__proto__"'],
  ['Content-Disposition: form-data; name="constructor"'],
  ['Content-Disposition: form-data; name="file"; filename="../../../../tmp/x"'],
  ['Content-Disposition: form-data; name="file"; filename=""'],
  ['Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%ff%00'],
  [`Content-Disposition: form-data; name="${'n'.repeat(20_000)}"`],
  [`Content-Disposition: form-data; ${'a=b; '.repeat(2000)}`],
  ['Content-Disposition: attachment; name="file"'],
  ['Content-Type: multipart/mixed; boundary=y', 'Content-Disposition: form-data; name="file"'],
  ['Content-Transfer-Encoding: base64', 'Content-Disposition: form-data; name="file"; filename="a"'],
  Array.from({ length: 3000 }, (_, at) => `X-${String(at)}: y`),
  ['no colon'],
  ['\xff\xfe: \xff'],
]

const ENDINGS = [
  '',
  '--',
  '--hostile-form',
  '--hostile-form-',
  '--hostile-form--',
  '\r\n--hostile-form--\r\ntrailing',
  '--other--\r\n',
]

export function formAttacks(
  operation: Operation,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<HostileRequest> {
  const valid = validRequest(operation, prey)
  const { takes } = operation
  const exampleForm = takes?.isForm ? exampleParts(takes) : [partOf('file', 'name\nx\n', 'example.csv')]
  const fileNames = Object.entries(takes?.schema.properties ?? {})
    .filter(([, each]) => isFile(each))
    .map(([name]) => name)
  const fieldNames = Object.keys(takes?.schema.properties ?? {}).filter((name) => !fileNames.includes(name))
  const files = fc
    .tuple(
      fc.constantFrom(...(fileNames.length > 0 ? fileNames : ['file'])),
      fc.oneof<Arbitrary<string | Buffer>[]>(TABLES, BOOKS),
      fc.constantFrom('a.csv', 'a.xlsx', 'a', '', '.csv', 'a.CSV', 'a.xls', "../'a.csv"),
    )
    .map(([name, content, filename]): Part[] => [
      ...exampleForm.filter((part) => !part.head[0]?.includes(`name="${name}"`)),
      partOf(name, content, filename),
    ])
  const fields = fc
    .tuple(fc.constantFrom(...(fieldNames.length > 0 ? fieldNames : ['a'])), texts(prey, patterns, 100_000))
    .map(([name, text]): Part[] => [
      ...exampleForm.filter((part) => !part.head[0]?.includes(`name="${name}"`)),
      partOf(name, text),
    ])
  const odd = fc
    .constantFrom(...HEADS)
    .map((head): Part[] => [...exampleForm, { head, content: Buffer.from('x') }])
  const numerous = fc
    .tuple(
      fc.constantFrom(10, 200, 5000),
      fc.constantFrom('file', 'a', '', '__proto__', ...fieldNames),
      fc.constantFrom(undefined, 'a.csv'),
    )
    .map(([count, name, filename]): Part[] =>
      Array.from({ length: count }, () => partOf(name, 'x', filename)),
    )
  const parts = fc.oneof(
    { weight: 5, arbitrary: files },
    { weight: 2, arbitrary: fields },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: numerous },
    { weight: 1, arbitrary: fc.constant<Part[]>([]) },
  )
  return fc
    .tuple(parts, fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.constantFrom(...ENDINGS)))
    .map(([each, ending]) => {
      const { type, bytes } = formBytes(each, ending)
      return {
        ...valid,
        headers: [...credentialHeaders(operation, prey), ['content-type', type] as const],
        body: bytes,
      }
    })
}
