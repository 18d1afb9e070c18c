/** Values for a field of a body: of every wrong type, on both sides of each limit, too many, too deep, too long. */
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import type { Schema } from '../surface.ts'
import { PROTOTYPE_NAMES, texts } from './texts.ts'

/** JSON text that no JavaScript value represents. */
export class Raw {
  readonly bytes: Buffer

  constructor(json: string | Buffer) {
    this.bytes = Buffer.from(json)
  }
}

const OF_EACH_TYPE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  12.5,
  0.1 + 0.2,
  -0.001,
  1e21,
  1e308,
  5e-324,
  -0,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  '',
  'text',
  '0',
  [],
  ['text'],
  [null],
  [[]],
  {},
  { a: 1 },
  { length: 1e9 },
  { toString: 'x' },
  { toJSON: 'x' },
]

const nested = (depth: number, open: string, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth)

const RAW: readonly Raw[] = [
  '1e400',
  '-1e400',
  '1e-9999',
  '9'.repeat(400),
  `0.${'1'.repeat(5000)}`,
  '-0',
  '01',
  '1.',
  '+1',
  'NaN',
  'Infinity',
  'undefined',
  "'text'",
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\x41"',
  '"\n"',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,}',
  '[1,]',
  '/*a*/1',
  '1//a',
  nested(63, '[', '1', ']'),
  nested(64, '{"a":', '1', '}'),
  nested(65, '[', '', ']'),
  nested(10_000, '[', '', ']'),
  nested(10_000, '{"a":', '1', '}'),
  '['.repeat(100_000),
  Buffer.from([0x22, 0xff, 0xfe, 0x22]),
  Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]),
  Buffer.from([0x22, 0x61, 0xe2, 0x82, 0x22]),
].map((json) => new Raw(json))

/** The maximum length of one value in a body of 1 MiB. */
const LONGEST = 900_000

/** Both sides of each limit of the schema, and each of its enum values. */
export function boundariesOf(schema: Schema): unknown[] {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const around = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((each) => each !== undefined)
  const lengths = [minLength, maxLength].filter((each) => each !== undefined)
  const counts = [schema.minItems, schema.maxItems].filter((each) => each !== undefined)
  const widths = [schema.minProperties, schema.maxProperties].filter((each) => each !== undefined)
  const item = schema.items?.examples?.[0] ?? schema.items?.enum?.[0] ?? 'text'
  const both = (limit: number): number[] =>
    [limit - 1, limit, limit + 1].filter((each) => each >= 0 && each < 1e5)
  return [
    ...around.flatMap((limit) => [limit - 1, limit - 0.01, limit, limit + 0.01, limit + 1]),
    ...lengths
      .flatMap(both)
      .flatMap((length) => ['x'.repeat(length), '\ud83d\ude00'.repeat(length / 2), ' '.repeat(length)]),
    ...counts.flatMap(both).map((count) => Array.from({ length: count }, () => item)),
    ...widths
      .flatMap(both)
      .map((count) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${String(at)}`, 'x'])),
      ),
    ...(schema.enum ?? []).flatMap((each) => [each, typeof each === 'string' ? each.toUpperCase() : each]),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.examples ?? []),
  ]
}

/** Many items or fields, which multiply their cost. */
const many: Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom(100, 1000, 10_000, 100_000),
    fc.constantFrom<unknown>(0, '', 'x', null, {}, [], { id: 'x', type: 'x', name: 'x' }),
    fc.constantFrom('same', 'different', 'fields'),
  )
  .map(([count, item, kind]) => {
    if (kind === 'fields')
      return Object.fromEntries(
        Array.from({ length: Math.min(count, 50_000) }, (_, at) => [`f${String(at)}`, item]),
      )
    const fits = Math.min(count, Math.floor(LONGEST / (JSON.stringify(item).length + 8)))
    return Array.from({ length: fits }, (_, at) =>
      kind === 'different' && typeof item === 'string' ? item + String(at) : item,
    )
  })

const protoNamed: Arbitrary<unknown> = fc
  .constantFrom(...PROTOTYPE_NAMES)
  .map((name) => new Raw(`{${JSON.stringify(name)}:{"polluted":true}}`))

// Created once, because creation takes longer than a draw.
const ANY_JSON = fc.jsonValue({ maxDepth: 4 })

/** Values that replace one described by the schema. */
export function values(
  schema: Schema,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<unknown> {
  const boundaries = boundariesOf(schema)
  const own = schema.pattern === undefined ? patterns : [schema.pattern]
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...OF_EACH_TYPE) },
    ...(boundaries.length > 0 ? [{ weight: 5, arbitrary: fc.constantFrom(...boundaries) }] : []),
    { weight: 6, arbitrary: texts(prey, own, LONGEST) },
    { weight: 3, arbitrary: fc.constantFrom(...RAW) },
    { weight: 2, arbitrary: ANY_JSON },
    { weight: 1, arbitrary: many },
    { weight: 1, arbitrary: protoNamed },
  )
}

const TOKEN = '\u0001raw\u0001'

/** The bytes of a value including raw JSON text. */
export function written(value: unknown): Buffer {
  const raws: Raw[] = []
  const json = JSON.stringify(value, (_name, each: unknown) => {
    if (!(each instanceof Raw)) return each
    raws.push(each)
    return TOKEN
  })
  const [first = '', ...rest] = (json as string | undefined)?.split(JSON.stringify(TOKEN)) ?? []
  return Buffer.concat([
    Buffer.from(first),
    ...rest.flatMap((text, at) => [raws[at]?.bytes ?? Buffer.alloc(0), Buffer.from(text)]),
  ])
}
