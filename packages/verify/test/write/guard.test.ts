/** What keeps a run from writing, and cleanup from deleting at the wrong service. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanUp, verify, VerifyOptionsError, type VerifyOptions } from '../../src/index.ts'
import { looksLive } from '../../src/write/guard.ts'
import { continueLedger, createLedger, ledgerFile, readLedger } from '../../src/write/ledger.ts'
import { scratchFolder } from '../../../../test/support/process.ts'

const neverStarts = (): never => {
  throw new Error('a run that must not write started a simulator')
}

const refusal = async (options: Partial<VerifyOptions>): Promise<string> => {
  const whole = { baseUrl: 'https://suite.example.com', key: 'key', write: {}, ...options }
  const error: unknown = await verify(whole, neverStarts).catch((caught: unknown) => caught)
  if (!(error instanceof VerifyOptionsError)) return 'none'
  return error.message
}

test.each([
  ['sk_live_4242', true],
  ['LIVE-4242', true],
  ['sk_test_4242', false],
  ['live_demo_4242', false],
  ['sim_live_4242', false],
  ['4242', false],
])('the key %s is a live one: %s', async (key, isLive) => {
  expect(looksLive(key)).toBe(isLive)
  expect(await refusal({ key })).toBe(
    isLive
      ? 'the key looks like a live one; --live allows --write with it, and a test key needs no flag'
      : 'none',
  )
  expect(await refusal({ key, write: { isLive: true } })).toBe('none')
})

test.each([
  ['http://suite.example.com', false],
  ['http://10.0.0.4:4010', false],
  ['http://localhost.example.com', false],
  ['https://suite.example.com', true],
  ['http://127.0.0.1:4010', true],
  ['http://localhost:4010', true],
  ['http://[::1]:4010', true],
])('writing to %s is allowed: %s', async (baseUrl, isAllowed) => {
  const message = `--write needs https: http://${baseUrl.slice(7)} would send the key in clear text`
  expect(await refusal({ baseUrl })).toBe(isAllowed ? 'none' : message)
  expect(await refusal({ at: { crm: baseUrl } })).toBe(isAllowed ? 'none' : message)
})

test.each([
  [['deals'], 'none'],
  [['crm.deals', 'tax-invoicing.invoices'], 'none'],
  [['contacts'], 'none'],
  [['deal'], '--allow: no resource is called deal. Did you mean deals?'],
  [['deals', 'invoces'], '--allow: no resource is called invoces. Did you mean invoices?'],
])('--allow %s: %s', async (allow, message) => {
  expect(await refusal({ write: { allow } })).toBe(message)
})

test('an unknown resource without a near name is refused with all names', async () => {
  expect(await refusal({ write: { allow: ['zzzzzzzzzzzz'] } })).toMatch(
    /^--allow: no resource is called zzzzzzzzzzzz; there are products, activities, contacts, .*meetings$/,
  )
})

test('a capture cannot be written', async () => {
  expect(await refusal({ replay: { log: { entries: [] } } })).toBe(
    'a capture sends nothing, so it must be checked without write',
  )
})

const RUN = { id: 'run-1', baseUrl: 'https://suite.example.com/', at: {} }
const INTENT = {
  n: 1,
  interface: 'crm',
  resource: 'contacts',
  operation: 'createContact',
  path: {},
  creates: true,
} as const
const CREATED = {
  n: 1,
  interface: 'crm',
  resource: 'contacts',
  id: 'con_1',
  undo: { operation: 'deleteContact', path: { contact_id: 'con_1' } },
} as const

const cleaned = async (ledgers: string, baseUrl = 'https://suite.example.com', run = 'run-1') =>
  cleanUp({ run, baseUrl, key: 'key', ledgers, rate: null }, neverStarts).catch((error: unknown) =>
    String(error),
  )

test('a ledger lists what exists and what is unknown', () => {
  const folder = scratchFolder()
  const ledger = createLedger(folder, RUN)
  ledger.intend(INTENT)
  expect(readLedger(folder, 'run-1')).toMatchObject({ created: [], unanswered: [INTENT] })
  ledger.created(CREATED)
  expect(readLedger(folder, 'run-1')).toMatchObject({ run: RUN, created: [CREATED], unanswered: [] })
  ledger.intend({ ...INTENT, n: 2, operation: 'updateContact', creates: false })
  ledger.intend({ ...INTENT, n: 3 })
  ledger.answered(3, 422)
  expect(readLedger(folder, 'run-1')).toMatchObject({ created: [CREATED], unanswered: [] })
  ledger.undone(1)
  ledger.close()
  expect(readLedger(folder, 'run-1')).toMatchObject({ created: [], unanswered: [] })
})

test('a line that a crash cut is left out, and the ledger can be continued', () => {
  const folder = scratchFolder()
  const first = createLedger(folder, RUN)
  first.intend(INTENT)
  first.close()
  appendFileSync(ledgerFile(folder, 'run-1'), '{"at":"2026-11-26T12:00:00.000Z","created":{"n":1,"id":"con_ü')
  expect(readLedger(folder, 'run-1').unanswered).toEqual([INTENT])
  const second = continueLedger(folder, 'run-1')
  second.undone(1)
  second.close()
  expect(readLedger(folder, 'run-1').unanswered).toEqual([])
  expect(readFileSync(ledgerFile(folder, 'run-1'), 'utf8').trim().split('\n')).toHaveLength(3)
})

test('a run has one ledger, and a folder that cannot be written is refused before the first call', () => {
  const folder = scratchFolder()
  createLedger(folder, RUN).close()
  expect(() => createLedger(folder, RUN)).toThrow(/the ledger .*run-1\.jsonl cannot be written: EEXIST/)
  writeFileSync(join(folder, 'file'), '')
  expect(() => createLedger(join(folder, 'file'), RUN)).toThrow(/the ledger .* cannot be written: /)
})

test('cleanup refuses another service, an unknown run and a file that is no ledger', async () => {
  const ledgers = scratchFolder()
  const ledger = createLedger(ledgers, RUN)
  ledger.intend(INTENT)
  ledger.created(CREATED)
  ledger.close()
  expect(await cleaned(ledgers, 'https://other.example.com')).toBe(
    'VerifyOptionsError: the run run-1 wrote to https://suite.example.com/; --base-url must be the same URL',
  )
  expect(await cleaned(ledgers, 'http://suite.example.com')).toMatch(/needs https/)
  expect(await cleaned(ledgers, undefined, 'run-2')).toMatch(
    /there is no ledger of the run run-2: .*run-2\.jsonl does not exist; --ledger must be the folder of the run/,
  )
  writeFileSync(ledgerFile(ledgers, 'run-3'), '{"run":{}}\nno JSON\n{}\n')
  expect(await cleaned(ledgers, undefined, 'run-3')).toMatch(/run-3\.jsonl:2 must be a JSON object/)
  writeFileSync(ledgerFile(ledgers, 'run-4'), '')
  expect(await cleaned(ledgers, undefined, 'run-4')).toMatch(/must begin with the run/)
})

test('cleanup of a finished run does nothing', async () => {
  const ledgers = scratchFolder()
  createLedger(ledgers, RUN).close()
  expect(await cleaned(ledgers)).toEqual({ run: 'run-1', deleted: [], remaining: [] })
})
