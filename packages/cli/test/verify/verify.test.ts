/** `suite-sim verify`: flags, reports, exit codes and interruption. The comparison itself is replaced. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { comparison } from '../../src/verify/verify.ts'
import type { VerifyOptions } from '@suite-sim/verify/options'
import { VerifyOptionsError } from '@suite-sim/verify/options'
import type { Report } from '@suite-sim/verify/report/report'
import { runHere, startHere, type RunningHere } from '../../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../../test/support/process.ts'
import { claimWith, differenceWith, reportWith } from '../../../../test/support/verifyReport.ts'

type Run = typeof comparison.verify

const replaced = { verify: vi.spyOn(comparison, 'verify'), cleanUp: vi.spyOn(comparison, 'cleanUp') }

const overlay = { format: 'suite-simulator-observed/1', entries: [] }

/** A report without differences that checked two of three checkable claims. */
const agreeing = (changed: Partial<Report['run']> = {}): Report =>
  reportWith({
    claims: [
      claimWith(),
      claimWith({ claim: 'field Contact.email' }),
      claimWith({ claim: 'field Contact.phone', verdict: 'not_checked', samples: 0 }),
    ],
    differences: [],
    run: changed,
  })

beforeEach(() => {
  replaced.verify.mockReset().mockResolvedValue({ report: agreeing(), overlay })
  replaced.cleanUp.mockReset().mockResolvedValue({ run: 'run_1', deleted: [], remaining: [] })
})

const TARGET = ['--base-url', 'https://suite.example.com/', '--key', 'k3y']

function simIn(folder = scratchFolder(), variables: Record<string, string> = {}) {
  return (...args: string[]) => runHere(['verify', ...args], { folder, variables })
}

const optionsGiven = (): VerifyOptions | undefined => replaced.verify.mock.lastCall?.[0]

describe('verify passes on', () => {
  test('the defaults', async () => {
    expect(await simIn()(...TARGET)).toMatchObject({ code: 0, stderr: '' })
    expect(optionsGiven()).toEqual({
      baseUrl: 'https://suite.example.com',
      key: 'k3y',
      budget: 400,
      rate: { calls: 5, seconds: 1 },
    })
  })

  test('all flags', async () => {
    const folder = scratchFolder()
    const flags = [
      '--interface',
      'crm',
      'pos',
      '--interface',
      'forms,crm',
      '--account',
      '7',
      '--budget',
      '100000',
    ]
    const more = [
      '--timezone',
      'America/Panama',
      '--rate',
      '100/m',
      '--probe-auth',
      '--at',
      'crm=https://crm.example.com/v1/',
    ]
    const values = ['--with', 'meetings.publicMeetingId=a=b', '--with', 'crm.id=4 5']
    const write = ['--write', '--allow', 'deals', 'invoices,receipts', '--live', '--ledger', 'ledgers']
    expect((await simIn(folder)(...TARGET, ...flags, ...more, ...values, ...write)).code).toBe(0)
    expect(optionsGiven()).toEqual({
      baseUrl: 'https://suite.example.com',
      key: 'k3y',
      interfaces: ['crm', 'pos', 'forms'],
      account: 7,
      timezone: 'America/Panama',
      budget: 100_000,
      rate: { calls: 100, seconds: 60 },
      probeAuth: true,
      at: { crm: 'https://crm.example.com/v1' },
      values: { 'meetings.publicMeetingId': 'a=b', 'crm.id': '4 5' },
      write: { allow: ['deals', 'invoices', 'receipts'], isLive: true, ledgers: 'ledgers' },
    })
  })

  test('no rate with --rate off, and a HAR file without a key', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'calls.har'), '{"log":{"entries":[]}}')
    const { code } = await simIn(folder)('--base-url', 'http://x', '--rate', 'off', '--replay', 'calls.har')
    expect(code).toBe(0)
    expect(optionsGiven()).toEqual({
      baseUrl: 'http://x',
      key: '',
      budget: 400,
      rate: null,
      replay: { log: { entries: [] } },
    })
  })

  test('the URL and the key of variables, and a key in a file', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'key'), 'from-file\n')
    const url = { SIM_VERIFY_BASE_URL: 'https://env.example.com' }
    for (const [variables, flags, key] of [
      [{ ...url, SIM_VERIFY_KEY: 'from-env' }, [], 'from-env'],
      [{ ...url, SIM_VERIFY_KEY: 'from-env' }, ['--key', 'from-flag'], 'from-flag'],
      [{ ...url, SIM_VERIFY_KEY: 'from-env' }, ['--key-file', 'key'], 'from-file'],
      [{ ...url, SIM_VERIFY_KEY_FILE: 'key' }, [], 'from-file'],
      [{ ...url, SIM_VERIFY_KEY: '', SIM_VERIFY_KEY_FILE: 'key' }, [], 'from-file'],
    ] as const) {
      expect(await simIn(folder, variables)(...flags)).toMatchObject({ code: 0, stderr: '' })
      expect(optionsGiven()).toMatchObject({ baseUrl: 'https://env.example.com', key })
    }
  })
})

describe('verify refuses', () => {
  test.each([
    [[], '--base-url or SIM_VERIFY_BASE_URL must be the URL of the service'],
    [['--base-url', 'http://x'], '--key-file, --key or SIM_VERIFY_KEY must be the key for the service'],
    [['--base-url', 'ftp://x'], 'It must be a URL that starts with http:// or https://.'],
    [[...TARGET, '--key-file', 'key'], '--key and --key-file are both given'],
    [
      ['--base-url', 'http://x', '--key-file', 'none'],
      '--key-file: cannot read none: the file does not exist',
    ],
    [[...TARGET, '--interface', 'cmr'], 'No interface is called cmr. Did you mean crm?'],
    [[...TARGET, '--interface', 'billing'], 'It must be names of interfaces: catalog, crm'],
    [[...TARGET, '--account', 'x'], 'It must be a whole number.'],
    [[...TARGET, '--timezone', 'Panama City'], 'It must be an IANA time zone'],
    [[...TARGET, '--budget', '0'], 'It must be a whole number from 1 to 100000.'],
    [[...TARGET, '--budget', '100001'], 'It must be a whole number from 1 to 100000.'],
    [[...TARGET, '--rate', '5'], 'such as 5/s or 100/m, or "off"'],
    [[...TARGET, '--rate', '0/s'], 'It must be 1 to 1000 calls'],
    [[...TARGET, '--rate', '1001/s'], 'It must be 1 to 1000 calls'],
    [[...TARGET, '--rate', '5/d'], 'It must be 1 to 1000 calls'],
    [[...TARGET, '--min-coverage', '101%'], 'It must be a percentage from 0% to 100%'],
    [[...TARGET, '--min-coverage', 'most'], 'It must be a percentage'],
    [[...TARGET, '--report', 'html'], 'It must be text, json, junit, sarif, markdown'],
    [[...TARGET, '--report', 'junit='], 'The file must have a name'],
    [[...TARGET, '--report', 'junit', '--report', 'json'], 'only one --report can have no file of its own'],
    [[...TARGET, '--report', 'junit=a.xml', '--out', 'b'], '--out needs a --report without a file'],
    [[...TARGET, '--report', 'junit=a', '--report', 'json=./a'], 'must be different files, not ./a'],
    [[...TARGET, '--out', 'a', '--observed', 'a'], '--report and --observed must be different files'],
    [[...TARGET, '--out', 'none/a'], 'cannot write none/a: the folder does not exist'],
    [[...TARGET, '--observed', 'folder'], '--observed: cannot read folder: it is a folder'],
    [[...TARGET, '--out', 'folder'], '--report: cannot write folder: it is a folder'],
    [[...TARGET, '--observed', 'none/o'], '--observed: cannot write none/o: the folder does not exist'],
    [[...TARGET, '--observed', 'key'], '--observed: key must be JSON'],
    [[...TARGET, '--since', 'none'], '--since: cannot read none: the file does not exist'],
    [[...TARGET, '--since', 'key'], '--since: key: must be JSON'],
    [[...TARGET, '--since', 'other.json'], '--since: other.json: must be a report of suite-sim verify'],
    [[...TARGET, '--replay', 'key'], '--replay: key must be JSON'],
    [
      [...TARGET, '--replay', 'other.json', '--write'],
      '--replay sends nothing, so it must be without --write',
    ],
    [[...TARGET, '--replay', 'other.json', '--probe-auth'], 'it must be without --probe-auth'],
    [[...TARGET, '--allow', 'deals'], '--allow has an effect only with --write'],
    [[...TARGET, '--live'], '--live has an effect only with --write'],
    [[...TARGET, '--confirm', 'pay'], '--confirm has an effect only with --write'],
    [[...TARGET, '--write', '--confirm', 'pray'], 'It must be stamp, pay, send'],
    [[...TARGET, '--write', '--allow', '../x'], 'It must be names of resources'],
    [[...TARGET, '--at', 'crm'], 'It must be INTERFACE=URL'],
    [[...TARGET, '--at', 'cmr=http://x'], 'Did you mean crm?'],
    [[...TARGET, '--at', 'crm=x'], 'It must be a URL'],
    [[...TARGET, '--at', 'crm=http://x', '--at', 'crm=http://y'], 'It must contain each interface once.'],
    [[...TARGET, '--with', 'publicMeetingId=x'], 'It must be INTERFACE.PARAMETER=VALUE'],
    [[...TARGET, '--with', 'meetings.publicMeetingId='], 'It must be INTERFACE.PARAMETER=VALUE'],
    [[...TARGET, '--with', 'crm.id=1', '--with', 'crm.id=2'], 'It must contain each parameter once.'],
    [['clean', ...TARGET], "there is no command 'verify clean'; did you mean verify cleanup?"],
    [['cleanup', ...TARGET], "required option '--run <id>' not specified"],
    [['cleanup', ...TARGET, '--run', '../x'], 'It must be the id of a run'],
    [[...TARGET, '--writ'], 'Did you mean --write?'],
  ])('%j', async (args, words) => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'folder'))
    writeFileSync(join(folder, 'key'), 'from-file')
    writeFileSync(join(folder, 'other.json'), '{}')
    const { code, stdout, stderr } = await simIn(folder)(...args)
    expect(stderr).toMatch(/^suite-sim: .+\n$/)
    expect(stderr).toContain(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(replaced.verify).not.toHaveBeenCalled()
  })

  test('a wrong key without showing it', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'key'), 'wr0ng key')
    for (const flags of [
      ['--key', 'wr0ng key'],
      ['--key-file', 'key'],
    ]) {
      const { code, stderr } = await simIn(folder)('--base-url', 'http://x', ...flags)
      expect(code).toBe(2)
      expect(stderr).toContain('must be visible ASCII characters without spaces')
      expect(stderr).not.toContain('wr0ng')
    }
  })

  test('options that the run refuses', async () => {
    replaced.verify.mockRejectedValue(new VerifyOptionsError('--account must be the account of the key'))
    expect(await simIn()(...TARGET)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'suite-sim: --account must be the account of the key\n',
    })
  })
})

describe('verify exits with', () => {
  const withReport = (report: Report) => replaced.verify.mockResolvedValue({ report, overlay })

  test('0 if the service agrees, and one line beside a report as text', async () => {
    expect((await simIn()(...TARGET)).code).toBe(0)
    expect(await simIn()(...TARGET, '--report', 'text')).toEqual({
      code: 0,
      stdout: expect.stringContaining('Not checked: 1 of 3 claims'),
      stderr: 'suite-sim: 312 requests; 2 of 3 checkable claims checked; none differs\n',
    })
  })

  test('1 if it differs, also if too little was checked', async () => {
    withReport(reportWith())
    const { code, stderr } = await simIn()(...TARGET, '--min-coverage', '100')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'suite-sim: 1 claim differs; 2 of 3 checkable claims checked\n',
    })
  })

  test('0 if only flakes differ', async () => {
    withReport({ ...agreeing(), differences: [differenceWith({ status: 'flaky' })] })
    expect((await simIn()(...TARGET)).code).toBe(0)
  })

  test.each([
    ['66%', 0],
    ['67%', 3],
    ['100%', 3],
    ['0%', 0],
  ])('3 if fewer than %s of the checkable claims were checked: %i', async (share, expected) => {
    const { code, stderr } = await simIn()(...TARGET, '--min-coverage', share)
    expect(code).toBe(expected)
    if (expected === 3) {
      expect(stderr).toContain('too little could be checked: 66.6 % of the checkable claims')
    }
  })

  test('3 if the service stopped to respond, although nothing differed until then', async () => {
    const endedEarly = 'https://suite.example.com does not respond: timeout'
    withReport(agreeing({ endedEarly }))
    expect(await simIn()(...TARGET)).toMatchObject({
      code: 3,
      stderr: `suite-sim: the run ended early: ${endedEarly}; nothing differed until then\n`,
    })
    withReport(agreeing({ endedEarly: 'the budget was spent' }))
    expect((await simIn()(...TARGET)).code).toBe(0)
  })

  test('3 if nothing was checked, with the reason', async () => {
    const claims = [claimWith({ verdict: 'not_checked' })]
    withReport(reportWith({ claims, differences: [], run: { endedEarly: 'the service refuses the key' } }))
    const { code, stdout, stderr } = await simIn()(...TARGET)
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'suite-sim: nothing could be checked: the service refuses the key\n',
    })
    expect(JSON.parse(stdout)).toMatchObject({ summary: { checked: 0 } })
  })
})

describe('verify writes', () => {
  test('an overlay in which no character changes the direction of text', async () => {
    replaced.verify.mockResolvedValue({
      report: agreeing(),
      overlay: { ...overlay, entries: [{ value: '\u202e\u009b2J' }] },
    })
    const folder = scratchFolder()
    expect((await simIn(folder)(...TARGET, '--observed', 'o.json')).code).toBe(0)
    const text = readFileSync(join(folder, 'o.json'), 'utf8')
    expect(text).not.toMatch(/[\u0080-\uffff]/)
    expect(JSON.parse(text)).toMatchObject({ entries: [{ value: '\u202e\u009b2J' }] })
  })

  test('JSON in a pipe, in which the key is nowhere', async () => {
    replaced.verify.mockResolvedValue({
      report: reportWith({
        differences: [differenceWith({ message: 'got long-k3y', actual: ['long-k3y'] })],
      }),
      overlay,
    })
    const { stdout } = await simIn()('--base-url', 'http://x', '--key', 'long-k3y')
    expect(JSON.parse(stdout)).toMatchObject({ format: 'suite-simulator-verify/1' })
    expect(stdout).not.toContain('long-k3y')
  })

  test('several reports and the overlay', async () => {
    const folder = scratchFolder()
    const reports = ['--report', 'junit=verify.xml', '--report', 'markdown', '--report', 'json=a.json']
    const { code, stdout, stderr } = await simIn(folder)(
      ...TARGET,
      ...reports,
      '--observed',
      'o.json',
      '--out',
      'b.md',
    )
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'suite-sim: 312 requests; 2 of 3 checkable claims checked; none differs\n',
    })
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
    expect(read('verify.xml')).toContain('<testsuites>')
    expect(read('b.md')).toContain('## suite-sim verify')
    expect(JSON.parse(read('a.json'))).toMatchObject({ format: 'suite-simulator-verify/1' })
    expect(JSON.parse(read('o.json'))).toEqual(overlay)
  })

  test('JSON to --out by default, and reads it with --since', async () => {
    const folder = scratchFolder()
    replaced.verify.mockResolvedValue({ report: reportWith({ run: { id: 'run_0' } }), overlay })
    await simIn(folder)(...TARGET, '--out', 'before.json')
    replaced.verify.mockResolvedValue({
      report: reportWith({ claims: [claimWith()], differences: [] }),
      overlay,
    })
    const { code, stdout } = await simIn(folder)(...TARGET, '--since', 'before.json', '--report', 'text')
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Since the run run_0\n  0 new\n  1 gone\n    crm | field Contact.name | type | GET',
    )
  })

  test('an existing overlay anew, which the run follows', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'o.json'), '{"format":"suite-simulator-observed/1","entries":[1]}')
    expect((await simIn(folder)(...TARGET, '--observed', 'o.json')).code).toBe(0)
    expect(optionsGiven()?.observed).toEqual({ ...overlay, entries: [1] })
    expect(JSON.parse(readFileSync(join(folder, 'o.json'), 'utf8'))).toEqual(overlay)
  })

  test('nothing if the run fails', async () => {
    const folder = scratchFolder()
    replaced.verify.mockRejectedValue(new VerifyOptionsError('no'))
    await simIn(folder)(...TARGET, '--out', 'a.json', '--observed', 'o.json')
    expect(existsSync(join(folder, 'a.json')) || existsSync(join(folder, 'o.json'))).toBe(false)
  })
})

describe('Ctrl-C', () => {
  /** Starts `verify`, and runs `act` before it is stopped. */
  function running(act: (started: RunningHere) => void): RunningHere {
    const verify: Run = (_options, _start, { signal, onProgress } = {}) =>
      new Promise((resolve) => {
        onProgress?.({ stage: 'reads crm', requests: 1, budget: 400, differences: 0 })
        signal?.addEventListener('abort', () => {
          resolve({ report: agreeing({ endedEarly: 'the run was stopped' }), overlay })
        })
        act(started)
      })
    replaced.verify.mockImplementation(verify)
    const started = startHere(['verify', ...TARGET], { folder: scratchFolder() })
    return started
  }

  test('prints the report so far and exits with 3', async () => {
    const { code, stdout, stderr } = await running((started) => {
      started.signal('SIGINT')
    }).ended
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'suite-sim: the run was stopped; nothing differed until then\n',
    })
    expect(JSON.parse(stdout)).toMatchObject({ run: { endedEarly: 'the run was stopped' } })
  })

  test('ends the program at the second time', async () => {
    const { ended } = running((started) => {
      started.signal('SIGINT')
      started.signal('SIGINT')
    })
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: '' })
  })

  test('is the default again after the run', async () => {
    const handled: boolean[] = []
    const { ended, handles } = running((started) => {
      handled.push(started.handles('SIGINT'))
      started.signal('SIGINT')
    })
    await ended
    expect([...handled, handles('SIGINT')]).toEqual([true, false])
  })
})

describe('confirmation in a pipe', () => {
  const confirming =
    (answers: boolean[]): Run =>
    async (_options, _start, { confirm } = {}) => {
      for (const word of ['stamp', 'pay', 'send'] as const)
        answers.push((await confirm?.('Do it?', word)) === true)
      return { report: agreeing(), overlay }
    }

  test.each([
    [[], [false, false, false]],
    [
      ['--confirm', 'pay'],
      [false, true, false],
    ],
    [
      ['--confirm', 'stamp,pay', '--confirm', 'send'],
      [true, true, true],
    ],
  ])('is refused unless --confirm names the action: %j', async (flags, expected) => {
    const answers: boolean[] = []
    replaced.verify.mockImplementation(confirming(answers))
    expect((await simIn()(...TARGET, '--write', ...flags)).code).toBe(0)
    expect(answers).toEqual(expected)
  })
})

describe('verify cleanup', () => {
  test('passes on its flags and prints what it deleted', async () => {
    const result = { run: 'run_1', deleted: ['crm contacts 4711'], remaining: [] }
    replaced.cleanUp.mockResolvedValue(result)
    const { code, stdout, stderr } = await simIn()('cleanup', ...TARGET, '--run', 'run_1')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(result)
    expect(replaced.cleanUp.mock.lastCall?.[0]).toEqual({
      baseUrl: 'https://suite.example.com',
      key: 'k3y',
      budget: 400,
      rate: { calls: 5, seconds: 1 },
      run: 'run_1',
      ledgers: 'data/verify',
    })
  })

  test('exits with 1 if records remain, and with 2 for an unknown run', async () => {
    const remaining = [{ record: 'crm deals 1', why: 'no call deletes it' }]
    replaced.cleanUp.mockResolvedValue({ run: 'run_1', deleted: [], remaining })
    expect(await simIn()('cleanup', ...TARGET, '--run', 'run_1')).toMatchObject({
      code: 1,
      stderr: 'suite-sim: 1 record remains\n',
    })
    replaced.cleanUp.mockRejectedValue(new VerifyOptionsError('no ledger has the run run_2'))
    expect(await simIn()('cleanup', ...TARGET, '--run', 'run_2')).toMatchObject({
      code: 2,
      stderr: 'suite-sim: no ledger has the run run_2\n',
    })
  })
})

describe('help', () => {
  test('lists all flags of the run', async () => {
    const { stdout, code } = await simIn()('--help')
    expect(code).toBe(0)
    for (const flag of ['--base-url', '--min-coverage', '--observed', '--confirm', 'cleanup']) {
      expect(stdout).toContain(flag)
    }
  })
})
