/** The formats of a report: what they contain, and that the values of a foreign server change nothing in them. */
import sax from 'sax'
import { describe, expect, test } from 'vitest'
import { REPORT_FORMATS } from '../../src/report/formats.ts'
import type { Report } from '../../src/report/report.ts'
import { renderReport } from '../../src/report/render.ts'
import { comparedWith, parseReport } from '../../src/report/since.ts'
import { claimWith, differenceWith, HOSTILE, reportWith } from '../../../../test/support/verifyReport.ts'

const hostile = (): Report =>
  reportWith({
    run: { baseUrl: `https://suite.example.com/${HOSTILE}`, endedEarly: HOSTILE },
    notChecked: [{ interface: 'crm', what: HOSTILE, why: HOSTILE, claims: 2 }],
    claims: [claimWith({ claim: `field ${HOSTILE}`, verdict: 'differs' })],
    differences: [
      differenceWith({
        claim: `field ${HOSTILE}`,
        aspect: HOSTILE,
        operation: HOSTILE,
        place: HOSTILE,
        message: HOSTILE,
        expected: HOSTILE,
        actual: { [HOSTILE]: HOSTILE },
        followedBy: HOSTILE,
        reading: { name: 'scopes.unlisted', value: HOSTILE },
        evidence: [{ har: { [HOSTILE]: HOSTILE }, curl: HOSTILE }],
      }),
    ],
    since: { report: HOSTILE, gone: [HOSTILE], added: [HOSTILE], notChecked: [HOSTILE] },
  })

/** Values that nest deeper than JSON.stringify goes. */
const nested = (): unknown => JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)

describe.each(REPORT_FORMATS)('a report as %s', (format) => {
  test('contains no control character, even if the service sends one', () => {
    // oxlint-disable-next-line no-control-regex -- they are what must not be there.
    expect(renderReport(hostile(), format)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(renderReport(hostile(), format).isWellFormed()).toBe(true)
  })

  test('shortens long values', () => {
    const long = 'x'.repeat(100_000)
    const differences = [differenceWith({ expected: long, actual: [long], message: long })]
    expect(renderReport(reportWith({ differences, notChecked: [] }), format).length).toBeLessThan(
      format === 'json' ? 120_000 : 12_000,
    )
  })

  test('takes values that are nested too deeply, and none', () => {
    const differences = [differenceWith({ expected: undefined, actual: nested() })]
    expect(renderReport(reportWith({ differences }), format)).toContain('nested too deeply')
  })

  test('names what was not checked before the differences', () => {
    const text = renderReport(reportWith(), format)
    const [first, second] = ['only write mode makes such calls', 'name is a number'].map((words) =>
      text.indexOf(words),
    )
    expect(first).toBeGreaterThan(-1)
    // The failure of a test case is before the output of its suite.
    if (format !== 'junit') expect(second).toBeGreaterThan(first ?? 0)
  })

  test('says what the run left on the other side, and what else it caused', () => {
    const written = {
      ledger: `data/verify/${HOSTILE}.jsonl`,
      deleted: 4711,
      remaining: [{ record: `crm deals ${HOSTILE} deal_9`, why: 'no call deletes it' }],
    }
    const text = renderReport({ ...reportWith(), written, notes: [`${HOSTILE} automations ran`] }, format)
    for (const part of ['data/verify/', '4711', 'deal_9', 'no call deletes it', 'automations ran'])
      expect(text.replaceAll('4,711', '4711'), part).toContain(part)
    // oxlint-disable-next-line no-control-regex -- a terminal would follow them.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('can be empty', () => {
    const empty = reportWith({ claims: [], differences: [], notChecked: [], run: { interfaces: [] } })
    expect(renderReport(empty, format)).not.toBe('')
  })
})

describe('a report as text', () => {
  test('has the coverage, both values, the samples, the instants, and the call of each difference', () => {
    const text = renderReport(reportWith(), 'text')
    for (const words of [
      'Not checked: 2 of 4 claims',
      '3 checkable with reads',
      '2 checked, 66.6 % of those that are checkable',
      'simulator  "a string"',
      'service    7',
      '3 of 12 samples, first seen 2026-11-26T10:00:00.000Z, last seen 2026-11-26T10:00:02.000Z',
      'at GET /contacts 200.data[].name (contract: type)',
      `-H 'authorization: Bearer '"$SIM_VERIFY_KEY"`,
      'no entry of an overlay can follow it',
    ]) {
      expect(text).toContain(words)
    }
    expect(text.indexOf('Differences: 1')).toBeLessThan(text.indexOf('Summary'))
  })

  test('groups differences by operation, flaky ones last', () => {
    const text = renderReport(
      reportWith({
        differences: [
          differenceWith({ status: 'flaky', place: 'GET /deals 200', claim: 'status GET /deals 200' }),
          differenceWith(),
          differenceWith({ aspect: 'null', claim: 'field Contact.email' }),
        ],
      }),
      'text',
    )
    expect(text.match(/crm GET \/contacts/g)).toHaveLength(1)
    expect(text.indexOf('crm GET /contacts')).toBeLessThan(text.indexOf('crm GET /deals'))
    expect(text).toContain('flaky status GET /deals 200')
    // The second difference of an operation shows its call only if it is another one.
    expect(text.match(/the same call/g)).toHaveLength(1)
    expect(text.match(/curl -X/g)).toHaveLength(2)
  })

  test('names the reading and the kind of entry that follow a difference', () => {
    const differences = [
      differenceWith({ followedBy: 'reading', reading: { name: 'scopes.unlisted', value: 'any' } }),
    ]
    const text = renderReport(reportWith({ differences }), 'text')
    expect(text).toContain('the value any of the reading scopes.unlisted explains it')
    expect(text).toContain('an overlay follows it: reading')
  })

  test('names interfaces together that lack the same claims', () => {
    const why = 'the service sends events only to receivers that it knows'
    const notChecked = (['crm', 'pos', 'forms'] as const).flatMap((name) => [
      { interface: name, what: 'claims of the kind event', why, claims: 3 },
      ...(name === 'forms' ? [{ interface: name, what: 'claims of the kind field', why, claims: 1 }] : []),
    ])
    expect(renderReport(reportWith({ notChecked }), 'text')).toContain(
      `  ${why} (10 claims)\n    crm, pos: event\n    forms: event, field\n`,
    )
  })

  test('is colored only by its caller', () => {
    expect(renderReport(reportWith(), 'text', (color, text) => `<${color}>${text}`)).toContain('<red>differs')
  })
})

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** Parses XML; throws if it is not well-formed. */
function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = sax.parser(true)
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  }
  parser.onclosetag = () => void open.pop()
  parser.ontext = (piece) => {
    const element = open.at(-1)
    if (element) element.text += piece
  }
  parser.write(text).close()
  return root.children[0] ?? root
}

/** The schema of Ant: required attributes, others, and the children in their order. */
const SCHEMA: Readonly<Record<string, readonly [required: string, optional: string, children: RegExp]>> = {
  testsuites: ['', '', /^(testsuite )*$/],
  testsuite: [
    'name timestamp hostname tests failures errors time package id',
    'skipped',
    /^properties (testcase )*system-out system-err $/,
  ],
  properties: ['', '', /^(property )*$/],
  property: ['name value', '', /^$/],
  testcase: ['name classname time', '', /^((skipped|error|failure) )?$/],
  skipped: ['', 'message', /^$/],
  failure: ['type', 'message', /^$/],
  'system-out': ['', '', /^$/],
  'system-err': ['', '', /^$/],
}

function checkElement({ name, attributes, children }: Element): void {
  const [required = '', optional = '', order = /^never$/] = SCHEMA[name] ?? []
  const names = Object.keys(attributes)
  expect(names, name).toEqual(expect.arrayContaining(required.split(' ').filter(Boolean)))
  expect([...required.split(' '), ...optional.split(' ')], name).toEqual(expect.arrayContaining(names))
  expect(children.map((child) => `${child.name} `).join(''), name).toMatch(order)
  for (const child of children) checkElement(child)
}

describe('a report as JUnit', () => {
  test.each([
    ['usual values', reportWith()],
    ['hostile values', hostile()],
    ['no claims', reportWith({ claims: [], differences: [], notChecked: [] })],
    ['no interfaces', reportWith({ run: { interfaces: [] } })],
  ])('fits the schema with %s', (_what, report) => {
    const root = parseXml(renderReport(report, 'junit'))
    checkElement(root)
    for (const { attributes } of root.children) {
      expect(attributes['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
      expect(attributes['time']).toMatch(/^\d+(\.\d+)?$/)
      expect(attributes['hostname']).not.toBe('')
    }
  })

  test('has a suite for each interface, and a case for each operation: failed, passed or skipped', () => {
    const [crm, pos] = parseXml(renderReport(reportWith(), 'junit')).children
    expect(crm?.attributes).toMatchObject({
      name: 'verify.crm',
      tests: '3',
      failures: '2',
      skipped: '1',
      errors: '0',
      time: '62.500',
    })
    expect(pos?.attributes).toMatchObject({ name: 'verify.pos', tests: '1', failures: '0', skipped: '1' })
    const cases = crm?.children.filter(({ name }) => name === 'testcase') ?? []
    expect(cases.map(({ attributes, children }) => [attributes['name'], children[0]?.name])).toEqual([
      ['GET /contacts', 'failure'],
      ['POST /contacts', 'skipped'],
      ['schema Contact', 'failure'],
    ])
    expect(cases[1]?.children[0]?.attributes['message']).toBe('only write mode makes such calls')
    const failure = cases[0]?.children[0]
    expect(failure?.attributes).toEqual({
      message: 'field Contact.name: name is a number',
      type: 'contract.type',
    })
    expect(failure?.text).toContain('simulator: "a string"')
    expect(failure?.text).toContain('3 of 12 samples')
    expect(failure?.text).toContain('$SIM_VERIFY_KEY')
  })

  test('groups claims without an operation by schema, status, event and machine', () => {
    const claims = [
      claimWith({ claim: 'bound Link.amount minimum 1', kind: 'bound' }),
      claimWith({ claim: 'field Link.items[].id' }),
      claimWith({ claim: 'status 404', kind: 'status' }),
      claimWith({ claim: 'event sale.completed', kind: 'event' }),
      claimWith({ claim: 'field sale.completed.data.id' }),
      claimWith({ claim: 'move payments.link pay', kind: 'move' }),
      claimWith({ claim: 'default GET /links ?limit 20', kind: 'default' }),
    ]
    const [crm] = parseXml(renderReport(reportWith({ claims, differences: [] }), 'junit')).children
    const names = crm?.children.flatMap(({ attributes }) =>
      attributes['classname'] === undefined ? [] : [attributes['name']],
    )
    expect(names).toEqual([
      'GET /links',
      'schema Link',
      'status 404',
      'event sale.completed',
      'machine payments.link',
    ])
  })

  test('fails no case because of flaky differences', () => {
    const differences = [differenceWith({ status: 'flaky' })]
    const [crm] = parseXml(renderReport(reportWith({ differences, claims: [claimWith()] }), 'junit')).children
    expect(crm?.attributes['failures']).toBe('0')
    expect(crm?.children.find(({ name }) => name === 'system-out')?.text).toContain(
      'Flaky: field Contact.name',
    )
  })

  test('keeps hostile text as text', () => {
    const text = renderReport(hostile(), 'junit')
    expect(text).not.toContain('<script')
    expect(JSON.stringify(parseXml(text))).toContain('<script>alert')
  })
})

interface Sarif {
  readonly version: string
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
    readonly invocations: readonly {
      readonly executionSuccessful: boolean
      readonly toolExecutionNotifications: readonly { readonly message: { readonly text: string } }[]
    }[]
    readonly results: readonly {
      readonly ruleId: string
      readonly ruleIndex: number
      readonly level: string
      readonly message: { readonly text: string }
      readonly baselineState?: string
      readonly partialFingerprints: Readonly<Record<string, string>>
      readonly locations: readonly { readonly logicalLocations: readonly object[] }[]
    }[]
  }[]
}

const sarifOf = (report: Report) => {
  const { version, runs } = JSON.parse(renderReport(report, 'sarif')) as Sarif
  const [run] = runs
  if (!run) throw new Error('no run')
  return { version, ...run }
}

describe('a report as SARIF', () => {
  test('has a rule for each aspect, and results with logical locations', () => {
    const differences = [
      differenceWith(),
      differenceWith({ aspect: 'status', oracle: 'errors', fidelity: 'assumed' }),
      differenceWith({ status: 'flaky', place: 'GET /contacts 200.data[].email' }),
    ]
    const { version, tool, results, invocations } = sarifOf(reportWith({ differences }))
    expect(version).toBe('2.1.0')
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(['contract/type', 'errors/status'])
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['contract/type', 'error'],
      ['errors/status', 'warning'],
      ['contract/type', 'note'],
    ])
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
    expect(results[0]?.locations[0]?.logicalLocations).toEqual([
      { name: 'GET /contacts', fullyQualifiedName: 'crm GET /contacts 200.data[].name', kind: 'resource' },
    ])
    expect(invocations[0]?.executionSuccessful).toBe(true)
    expect(invocations[0]?.toolExecutionNotifications[0]?.message.text).toMatch(/^Not checked: /)
  })

  test('has fingerprints that depend on the place of a difference, and not on the run or its values', () => {
    const fingerprint = (changed: Parameters<typeof differenceWith>[0], run = {}): unknown =>
      sarifOf(reportWith({ differences: [differenceWith(changed)], run })).results[0]?.partialFingerprints
    const first = fingerprint({})
    expect(
      fingerprint({ actual: 8, message: 'other', firstSeen: '2026-12-01T00:00:00.000Z' }, { id: 'run_2' }),
    ).toEqual(first)
    for (const changed of [
      { place: 'GET /contacts 200.data[].email' },
      { claim: 'field Contact.email' },
      { aspect: 'null' },
      { interface: 'pos' as const },
    ]) {
      expect(fingerprint(changed)).not.toEqual(first)
    }
  })

  test('says which results are new since an earlier report', () => {
    const before = reportWith()
    const now = reportWith({ differences: [differenceWith(), differenceWith({ aspect: 'null' })] })
    const { results } = sarifOf(comparedWith(now, before))
    expect(results.map(({ baselineState }) => baselineState)).toEqual(['unchanged', 'new'])
  })

  test('escapes placeholders and links', () => {
    expect(sarifOf(hostile()).results[0]?.message.text).toContain(String.raw`{{0}} \[a\](1)`)
  })
})

describe('a report as Markdown', () => {
  test('has a table with claims, checkable and checked', () => {
    const text = renderReport(reportWith(), 'markdown')
    expect(text).toContain('| crm | 3 | 2 | 2 | 1 |')
    expect(text).toContain('| pos | 1 | 1 | 0 | 0 |')
    expect(text).toContain('| all | 4 | 3 | 2 | 1 |')
  })

  test('has all foreign text in code', () => {
    const text = renderReport(hostile(), 'markdown')
    // What remains without blocks and spans of code is written by the program.
    const outside = text
      .replaceAll(/^ *(`{3,})$[\s\S]*?^ *\1$/gm, '')
      .replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')
    expect(outside).not.toMatch(/script|someone|title|\[a\]/)
    expect(outside).toContain('Not checked')
  })

  test('fits a comment of GitHub, and says how many differences it leaves out', () => {
    const differences = Array.from({ length: 500 }, (_, index) =>
      differenceWith({ place: `GET /contacts 200.data[].f${String(index)}`, actual: 'x'.repeat(1000) }),
    )
    const text = renderReport(reportWith({ differences }), 'markdown')
    expect(text.length).toBeLessThan(65_536)
    const [, left = ''] = /^(\d+) more differences: see the report in JSON\.$/m.exec(text) ?? []
    expect(text.match(/<details>/g)).toHaveLength(500 - Number(left))
    expect(text).toContain('### Summary')
  })
})

describe('a report as JSON', () => {
  test('has a line for each claim', () => {
    const text = renderReport(reportWith(), 'json')
    expect(text.match(/^ {4}\{"interface":.*\},?$/gm)).toHaveLength(reportWith().claims.length)
    expect(JSON.parse(renderReport(reportWith({ claims: [] }), 'json'))).toMatchObject({ claims: [] })
  })

  test('is what --since reads', () => {
    const report = reportWith()
    expect(parseReport(renderReport(report, 'json'))).toEqual(report)
  })
})
