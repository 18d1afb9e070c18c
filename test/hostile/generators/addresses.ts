/** Hostile paths and queries. */
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import { encodedLoosely, type HostileRequest } from '../request.ts'
import type { Operation, Parameter } from '../surface.ts'
import { PROTOTYPE_NAMES, texts } from './texts.ts'
import { pathOf, requiredQuery, validRequest, exampleOf } from './valid.ts'
import { boundariesOf } from './values.ts'

/** Node reads headers of up to 16 KiB; the rest is for other headers. */
const LONGEST = 14_000

const MALFORMED = [
  '%',
  '%zz',
  '%00',
  'a%00b',
  '%E0%A4',
  '%ff',
  '%ED%A0%80',
  '%C0%AF',
  '%F4%90%80%80',
  '%u0041',
  '\xff\xfe',
  '%2e%2e',
  '%2E%2E%2F',
  '..',
  '.',
  '%252e',
  ';a=b',
  '%0d%0aX:y',
]

const written = (value: unknown): string =>
  encodedLoosely(typeof value === 'string' ? value : JSON.stringify(value))

const cut = (text: string): string => text.slice(0, LONGEST)

/** Ids that are unknown, of another workspace, or that have a special meaning. */
export function pathAttacks(
  operation: Operation,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<HostileRequest> | null {
  const names = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)
  if (names.length === 0) return null
  const valid = validRequest(operation, prey)
  return fc
    .tuple(
      fc.constantFrom(...names),
      fc.oneof(
        texts(prey, patterns, LONGEST).map((text) => cut(encodedLoosely(text))),
        fc.constantFrom(...MALFORMED),
        fc.constantFrom(...prey.foreignIds).map(encodedLoosely),
      ),
    )
    .map(([name, text]) => ({
      ...valid,
      target: pathOf(operation, prey, { [name]: text }) + requiredQuery(operation, prey),
    }))
}

function valuesOf(
  parameter: Parameter,
  operation: Operation,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<string> {
  const { schema } = parameter
  const boundaries = [...boundariesOf(schema), exampleOf(operation, prey, parameter)].map(written)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...boundaries) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '',
        '0',
        '-1',
        '1e3',
        '1.5',
        '1e400',
        '0x1',
        'NaN',
        '9007199254740993',
        '9'.repeat(400),
        'true',
        'null',
        '[]',
        '{}',
        '+',
        '%20',
        '01',
      ),
    },
    {
      weight: 4,
      arbitrary: texts(prey, schema.pattern === undefined ? patterns : [schema.pattern], LONGEST).map(
        encodedLoosely,
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...MALFORMED) },
  )
}

/** Parameters with any value, repeated, as lists and objects, unknown, and very many. */
export function queryAttacks(
  operation: Operation,
  prey: AttackedWorkspace,
  patterns: readonly string[],
): Arbitrary<HostileRequest> {
  const valid = validRequest(operation, prey)
  const path = pathOf(operation, prey)
  const known = operation.parameters.filter((each) => each.in === 'query')
  const unknown = fc.constantFrom(
    ...PROTOTYPE_NAMES,
    'unknown',
    'a[b]',
    'a[]',
    'a[__proto__][b]',
    '',
    '%00',
    '$where',
  )
  const pair = fc.oneof(
    ...known.map((each) => ({
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom('', '', '', '', '', '[]', '[0]', '[a]', '.a'),
          valuesOf(each, operation, prey, patterns),
        )
        .map(([suffix, value]) => `${each.name}${suffix}=${value}`),
    })),
    {
      weight: 1,
      arbitrary: fc
        .tuple(unknown, texts(prey, patterns, 200))
        .map(([name, value]) => `${name}=${encodedLoosely(value)}`),
    },
  )
  const pairs = fc.oneof(
    { weight: 12, arbitrary: fc.array(pair, { minLength: 1, maxLength: 4, size: 'max' }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(pair, fc.constantFrom(2, 100, 2000))
        .map(([each, times]) => Array<string>(times).fill(each)),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(100, 3000)
        .map((count) => Array.from({ length: count }, (_, at) => `${String(at)}=`)),
    },
  )
  const required = requiredQuery(operation, prey)
  return fc.tuple(pairs, fc.boolean()).map(([each, keeps]) => {
    const query = cut(each.join('&'))
    return { ...valid, target: keeps && required !== '' ? `${path}${required}&${query}` : `${path}?${query}` }
  })
}
