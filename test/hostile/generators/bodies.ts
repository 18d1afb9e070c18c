/** JSON bodies with one or a few errors. */
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import type { HostileRequest } from '../request.ts'
import type { Operation, Schema } from '../surface.ts'
import { PROTOTYPE_NAMES } from './texts.ts'
import { exampleBody, validRequest } from './valid.ts'
import { Raw, values, written } from './values.ts'

/** A value at a path in a body. */
interface Place {
  readonly path: readonly string[]
  readonly schema: Schema
}

/** The maximum depth of a path. */
const DEEPEST = 4

/** Every path that the schema describes; lists are represented by their first item. */
export function placesOf(schema: Schema, path: readonly string[] = []): Place[] {
  if (path.length > DEEPEST) return []
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => [
      { path: [...path, name], schema: each },
      ...placesOf(each, [...path, name]),
    ]),
    ...(schema.items
      ? [{ path: [...path, '0'], schema: schema.items }, ...placesOf(schema.items, [...path, '0'])]
      : []),
    ...variants.flatMap((each) => placesOf(each, path)),
  ]
}

/** A copy with `value` at the path, or without it if `value` is LEFT_OUT. Creates missing parents. */
function withAt(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const isObject = typeof body === 'object' && body !== null && !(body instanceof Raw)
  if (Array.isArray(body) || (name === '0' && !isObject)) {
    const [first, ...others] = (Array.isArray(body) ? body : []) as unknown[]
    return [withAt(first, rest, value), ...others].filter((each) => each !== LEFT_OUT)
  }
  const { [name]: old, ...others } = (isObject ? body : {}) as Record<string, unknown>
  const changed = withAt(old, rest, value)
  return changed === LEFT_OUT ? others : { ...others, [name]: changed }
}

const LEFT_OUT = Symbol('left out')

/** Bodies with one to three replaced values. */
function changedBodies(
  operation: Operation,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<Buffer> | null {
  const { takes } = operation
  if (!takes || takes.isForm) return null
  const example = exampleBody(operation, prey)
  const places = placesOf(takes.schema)
  if (places.length === 0) return null
  const change = fc
    .constantFrom(...places)
    .chain(({ path, schema }) =>
      fc
        .oneof(
          { weight: 9, arbitrary: values(schema, prey, patterns) },
          { weight: 1, arbitrary: fc.constant<unknown>(LEFT_OUT) },
        )
        .map((value) => ({ path, value })),
    )
  return fc
    .array(change, { minLength: 1, maxLength: 3, size: 'max' })
    .map((changes) => written(changes.reduce((body, { path, value }) => withAt(body, path, value), example)))
}

const EXTRA: readonly (readonly [string, unknown])[] = [
  ...PROTOTYPE_NAMES.map((name) => [name, new Raw('{"polluted":true}')] as const),
  ['id', 'mine'],
  ['workspace', 1],
  ['workspace_id', 'demo'],
  ['created_at', '1970-01-01T00:00:00Z'],
  ['status', 'deleted'],
  ['', 'no name'],
  ['a'.repeat(10_000), 1],
  ['a\u0000b', 1],
  ['\ud800', 1],
  ['$ref', '#/'],
  ['$where', 'sleep(1000)'],
]

/** The example with unknown or duplicate fields. */
function overfullBodies(operation: Operation, prey: AttackedWorkspace): Arbitrary<Buffer> {
  const example = exampleBody(operation, prey) ?? {}
  const text = JSON.stringify(example)
  const fields = Object.entries(example as Record<string, unknown>)
  const twice = fc
    .constantFrom(...(fields.length > 0 ? fields : [['a', 1] as const]), ...EXTRA)
    .chain(([name, first]) =>
      fc.constantFrom<unknown>(null, 'other', 1, {}, first).map((second) => {
        const pair = written({ [name]: second })
        const inner = text.slice(1, -1)
        return Buffer.concat([Buffer.from(`{${inner}${inner === '' ? '' : ','}`), pair.subarray(1)])
      }),
    )
  const extra = fc
    .uniqueArray(fc.constantFrom(...EXTRA), { minLength: 1, maxLength: 4, selector: ([name]) => name })
    .map((more) => {
      const inner = text.slice(1, -1)
      const added = more.map(([name, value]) =>
        Buffer.concat([written(name), Buffer.from(':'), written(value), Buffer.from(',')]),
      )
      return Buffer.concat([
        Buffer.from('{'),
        ...added,
        Buffer.from(`"a":1${inner === '' ? '' : ','}${inner}}`),
      ])
    })
  return fc.oneof(twice, extra)
}

const MEBIBYTE = 1_048_576

/** Bodies that are invalid JSON, not an object, or too large. */
function brokenBodies(
  operation: Operation,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<Buffer> {
  const text = Buffer.from(JSON.stringify(exampleBody(operation, prey) ?? {}))
  const padded = (length: number): Buffer =>
    Buffer.concat([text, Buffer.alloc(Math.max(0, length - text.length), ' ')])
  return fc.oneof(
    values({}, prey, patterns).map(written),
    fc.nat(text.length).map((length) => text.subarray(0, length)),
    fc
      .tuple(fc.nat(text.length), fc.uint8Array({ minLength: 1, maxLength: 4 }))
      .map(([at, bytes]) => Buffer.concat([text.subarray(0, at), bytes, text.subarray(at)])),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 2 * MEBIBYTE).map(padded),
    fc
      .constantFrom('\ufeff{}', '', ' ', '{}{}', '{}\u0000', '[]', 'null', '"{}"')
      .map((each) => Buffer.from(each)),
    fc.constant(Buffer.concat([Buffer.from('\xff\xfe', 'latin1'), Buffer.from(text.toString(), 'utf16le')])),
  )
}

/** Requests of the operation with a hostile body, also for operations that take none. */
export function bodyAttacks(
  operation: Operation,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<HostileRequest> {
  const valid = validRequest(operation, prey)
  const headers = valid.headers.filter(([name]) => name !== 'content-type')
  const changed = changedBodies(operation, prey, patterns)
  return fc
    .oneof(
      ...(changed ? [{ weight: 6, arbitrary: changed }] : []),
      { weight: 1, arbitrary: overfullBodies(operation, prey) },
      { weight: 2, arbitrary: brokenBodies(operation, prey, patterns) },
    )
    .map((body) => ({ ...valid, headers: [...headers, ['content-type', 'application/json'] as const], body }))
}
