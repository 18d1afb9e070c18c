/** The overlay file: what it accepts, and what it says about one that is wrong. */
import { describe, expect, test } from 'vitest'
import { MAX_ENTRIES, MAX_OVERLAY_BYTES, type Entry } from '../../src/observed/format.ts'
import { ObservedError, parseOverlay } from '../../src/observed/parse.ts'
import { ofKind, overlayOf } from './overlays.ts'

const ENTRIES: readonly Entry[] = [
  ofKind('refusal', {
    interface: 'payments',
    operation: 'getPaymentLink',
    when: { status: 404, code: 'not_found' },
    status: 410,
    body: [
      { path: '/error/code', value: 'gone' },
      { path: '/error/details', remove: true },
    ],
  }),
  ofKind('field', {
    interface: 'payments',
    operations: ['listPaymentLinks'],
    path: '/data/*/legacy_id',
    source: { copy: '/data/*/id' },
  }),
  ofKind('nullability', { interface: 'crm', component: 'Contact', path: '/phone', is: 'empty' }),
  ofKind('order', {
    interface: 'crm',
    operation: 'listContacts',
    sort: [{ field: 'name', direction: 'asc' }],
  }),
  ofKind('page', { interface: 'crm', operation: 'listContacts', default: 10, maximum: 10 }),
  ofKind('header', { interface: 'crm', name: 'x-powered-by', value: 'Suite 5' }),
  ofKind('precision', { interface: 'crm', fraction: 0, zone: '+00:00' }),
  ofKind('precision', { interface: 'crm', path: '/data/*/total', decimals: 2 }),
  ofKind('rateLimit', { interface: 'crm', limit: 1, windowSeconds: 1 }),
  ofKind('eventField', {
    interface: 'crm',
    event: 'contact.created',
    path: '/source',
    source: { constant: { a: [1] } },
  }),
  ofKind('reading', { interface: 'payments', name: 'payments.refund_event', value: 'refunded' }),
]

const parse = (value: unknown): string => {
  try {
    parseOverlay(typeof value === 'string' ? value : JSON.stringify(value), 'o.json')
    return 'accepted'
  } catch (error) {
    expect(error).toBeInstanceOf(ObservedError)
    return (error as Error).message
  }
}

const parseEntry = (entry: unknown): string => parse({ ...overlayOf(), entries: [ENTRIES[0], entry] })

const FIELD = ENTRIES[1]

describe('an overlay', () => {
  test('may have entries of all kinds', () => {
    expect(parseOverlay(JSON.stringify(overlayOf(...ENTRIES)), 'o.json').entries).toEqual(ENTRIES)
  })

  test.each<[unknown, string | RegExp]>([
    ['[]', 'o.json: an overlay must be an object with format, measured and entries'],
    ['{', /^o\.json: an overlay must be JSON, but it is not valid JSON: [^\n]+$/],
    ['', 'o.json: an overlay must be an object with format, measured and entries'],
    ['['.repeat(3_000_000), /^o\.json: an overlay must be JSON, but it .*$/],
    [`{"a":${'['.repeat(65)}${']'.repeat(65)}}`, /nested deeper than 64 levels/],
    [
      '{"__proto__":{"format":"suite-simulator-observed/1"},"entries":[]}',
      'o.json: an overlay must be JSON, but it has a field named __proto__',
    ],
    [
      JSON.stringify(overlayOf()) + ' '.repeat(MAX_OVERLAY_BYTES),
      `o.json: an overlay must have at most ${String(MAX_OVERLAY_BYTES)} bytes`,
    ],
    [{ ...overlayOf(), format: 'suite-simulator-observed/2' }, /^o\.json: format must be suite-simulator/],
    [{ ...overlayOf(), measured: {} }, 'o.json: measured.target is required'],
    [{ ...overlayOf(), entires: [] }, 'o.json: entires is not a known field'],
    [{ ...overlayOf(), entries: {} }, 'o.json: entries must be a list'],
    [
      { ...overlayOf(), entries: Array.from({ length: MAX_ENTRIES + 1 }, () => null) },
      `o.json: entries must have at most ${String(MAX_ENTRIES)} entries`,
    ],
  ])('is refused, case %#', (value, message) => {
    expect(parse(value)).toMatch(message)
  })

  test('with as many entries as allowed is accepted', () => {
    expect(parse({ ...overlayOf(), entries: Array.from({ length: MAX_ENTRIES }, () => ENTRIES[8]) })).toBe(
      'accepted',
    )
  })
})

describe('all entries of an interface together', () => {
  const constants = (sum: number) =>
    [1, 2, 3].map((_, index) => ({
      ...FIELD,
      path: `/data/*/x${String(index)}`,
      // Two quotes belong to the JSON of a text.
      source: { constant: 'x'.repeat((index < 2 ? 1900 : sum - 3800) - 2) },
    }))
  const many = (sum: number) => [
    ...Array.from({ length: 16 }, (_, index) => ({
      ...FIELD,
      path: `/data/*/y${String(index)}`,
      source: { constant: 'y'.repeat(1798) },
    })),
    ...constants(sum - 16 * 1800),
  ]
  const headers = (sum: number) =>
    Array.from({ length: 9 }, (_, index) => ({
      ...ENTRIES[5],
      name: `x-${String(index)}`,
      value: 'v'.repeat(index < 8 ? 997 : sum - 8003),
    }))

  test('have at most 32,768 characters of constants', () => {
    const parsed = (sum: number) => parse({ ...overlayOf(), entries: many(sum) })
    expect(parsed(32_768)).toBe('accepted')
    expect(parsed(32_769)).toContain(
      'entries[18] must be left out: the constants of payments must have at most 32768 characters together',
    )
  })

  test('have at most 8,192 characters of headers', () => {
    const parsed = (sum: number) => parse({ ...overlayOf(), entries: headers(sum) })
    expect(parsed(8192)).toBe('accepted')
    expect(parsed(8193)).toContain(
      'entries[8] must be left out: the headers of crm must have at most 8192 characters together',
    )
  })
})

describe('an entry', () => {
  const WRONG: readonly (readonly [object | null, string])[] = [
    [null, 'entries[1] must be an object with kind'],
    [{ ...FIELD, kind: 'feild' }, 'entries[1].kind must be one of refusal, field'],
    [{ ...FIELD, kind: 'feild' }, 'did you mean field?'],
    [{ ...FIELD, evidence: [] }, 'entries[1].evidence must have at least one answer of the service'],
    [{ ...FIELD, evidence: undefined }, 'entries[1].evidence must have at least one answer of the service'],
    [{ ...FIELD, evidence: [{ request: 'GET /' }] }, 'entries[1].evidence.0.status is required'],
    [{ ...FIELD, interface: 'crn' }, 'entries[1].interface must be one of catalog, crm'],
    [{ ...FIELD, observedAt: 'yesterday' }, 'entries[1].observedAt must be a date-time'],
    [{ ...FIELD, claim: 'field Link.amount' }, 'entries[1].fidelity must be the label of the claim'],
    [{ ...FIELD, samples: { deviating: 3, total: 2 } }, 'entries[1].samples.deviating must be at most'],
    [{ ...FIELD, samples: { deviating: 0, total: 2 } }, 'entries[1].samples.deviating must be at least 1'],
    [{ ...FIELD, sauce: 1 }, 'entries[1].sauce is not a known field; did you mean source?'],
    [{ ...FIELD, path: 'data' }, 'entries[1].path must be a path of names, such as /data/*/legacy_id'],
    [{ ...FIELD, path: '/a'.repeat(17) }, 'entries[1].path must have at most 16 names'],
    [{ ...FIELD, path: '/data/__proto__/x' }, 'entries[1].path must not contain the name __proto__'],
    [{ ...FIELD, path: '/constructor/x' }, 'entries[1].path must not contain the name constructor'],
    [
      { ...FIELD, source: { copy: '/a/prototype' } },
      'entries[1].source.copy must not contain the name prototype',
    ],
    [{ ...FIELD, source: {} }, 'entries[1].source.constant is required'],
    [{ ...FIELD, source: { constant: 'x'.repeat(2001) } }, 'entries[1].source'],
    [{ ...FIELD, operations: undefined }, 'entries[1] must have either operations or component'],
    [{ ...FIELD, component: 'Link' }, 'entries[1] must have either operations or component'],
    [{ ...ENTRIES[0], status: 200 }, 'entries[1].status must be at least 400'],
    [{ ...ENTRIES[0], status: undefined, body: undefined }, 'entries[1] must have status, body or both'],
    [{ ...ENTRIES[0], body: [{ path: '/a' }] }, 'entries[1].body[0] must have either value or remove'],
    [{ ...ENTRIES[2], path: '/tags/*', is: 'absent' }, 'entries[1].path must end with the name of a field'],
    [{ ...ENTRIES[4], default: 11 }, 'entries[1].default must be at most maximum'],
    [{ ...ENTRIES[4], default: undefined, maximum: undefined }, 'entries[1] must have default, maximum'],
    [{ ...ENTRIES[5], name: 'a b' }, 'entries[1].name must be the name of a header'],
    [{ ...ENTRIES[5], name: 'Content-Length' }, 'entries[1].name must not be Content-Length'],
    [{ ...ENTRIES[5], value: 'a\r\nb: c' }, 'entries[1].value must be printable ASCII'],
    [{ ...ENTRIES[6], decimals: 2 }, 'entries[1] must have either decimals, or fraction, zone or both'],
    [{ ...ENTRIES[6], fraction: 2 }, 'entries[1].fraction must be one of 0, 3, 6'],
    [{ ...ENTRIES[7], path: undefined }, 'entries[1].path must name the place of the decimals'],
    [{ ...ENTRIES[8], limit: 0 }, 'entries[1].limit must be at least 1'],
  ]

  test.each(WRONG.map(([entry, message]) => [message, entry] as const))(
    'is refused: %s',
    (message, entry) => {
      const found = parseEntry(entry)
      expect(found).toContain(message)
      expect(found).toMatch(/^o\.json: entries\[1\][^\n]+$/)
    },
  )

  test.each(ENTRIES.map((entry) => [entry.kind, entry] as const))(
    'of the kind %s is accepted',
    (_, entry) => {
      expect(parseEntry(entry)).toBe('accepted')
    },
  )
})
