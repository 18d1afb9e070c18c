/** Reports of `verify` for tests, with hostile values. */
import { evidenceOf } from '@suite-sim/verify/exchanges/evidence'
import type { Exchange, Purpose } from '@suite-sim/verify/exchanges/exchange'
import type { Operation } from '@suite-sim/verify/model/operation'
import {
  REPORT_FORMAT,
  type ClaimVerdict,
  type Difference,
  type Report,
} from '@suite-sim/verify/report/report'

export const AT = '2026-11-26T10:00:00.000Z'

/** Markup, Markdown, escapes of terminals, surrogates, and placeholders of SARIF. */
export const HOSTILE =
  '<script>alert("1")</script> ]]> & \' ``` ` | **x** @someone \u001b[31m\u009b2J \u202e \ud800 \u0000 {0} [a](1)\n# title'

const operation = {
  interface: 'crm',
  id: 'listContacts',
  method: 'GET',
  path: '/contacts',
  address: 'GET /contacts',
} as unknown as Operation

export const exchangeWith = (
  changed: Partial<Exchange> & {
    readonly purpose?: Purpose
    readonly method?: string
    readonly sent?: unknown
  } = {},
): Exchange => {
  const { purpose = { kind: 'plain' }, method = 'GET', sent, ...rest } = changed
  return {
    number: 1,
    probe: {
      operation: { ...operation, method },
      path: {},
      query: {},
      purpose,
      ...(sent !== undefined && { body: sent }),
    },
    at: AT,
    durationMs: 12,
    url: 'https://suite.example.com/crm/v1/contacts?limit=2',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { data: [] },
    text: '{"data":[]}',
    ...rest,
  }
}

export const differenceWith = (changed: Partial<Difference> = {}): Difference => ({
  interface: 'crm',
  claim: 'field Contact.name',
  fidelity: 'documented',
  status: 'differs',
  oracle: 'contract',
  aspect: 'type',
  operation: 'GET /contacts',
  place: 'GET /contacts 200.data[].name',
  message: 'name is a number',
  expected: 'a string',
  actual: 7,
  samples: { total: 12, deviating: 3 },
  firstSeen: AT,
  lastSeen: '2026-11-26T10:00:02.000Z',
  followedBy: null,
  evidence: [
    evidenceOf(exchangeWith(), { authorization: 'Bearer k3y-of-the-service' }, ['k3y-of-the-service']),
  ],
  ...changed,
})

export const claimWith = (changed: Partial<ClaimVerdict> = {}): ClaimVerdict => ({
  interface: 'crm',
  claim: 'field Contact.name',
  kind: 'field',
  fidelity: 'documented',
  isCheckable: true,
  verdict: 'agrees',
  samples: 4,
  ...changed,
})

/** Returns a report of two interfaces. The summary follows from the claims. */
export function reportWith(
  changed: Partial<Omit<Report, 'summary' | 'run'>> & { readonly run?: Partial<Report['run']> } = {},
): Report {
  const { run, ...rest } = changed
  const claims = rest.claims ?? [
    claimWith({ claim: 'operation GET /contacts', kind: 'operation' }),
    claimWith({ verdict: 'differs' }),
    claimWith({
      claim: 'operation POST /contacts',
      kind: 'operation',
      isCheckable: false,
      verdict: 'not_checked',
      why: 'only write mode makes such calls',
      samples: 0,
    }),
    claimWith({
      interface: 'pos',
      claim: 'status GET /webhooks 200',
      kind: 'status',
      verdict: 'not_checked',
      why: 'the budget was spent',
      samples: 0,
    }),
  ]
  const differences = rest.differences ?? [differenceWith()]
  const count = (test: (claim: ClaimVerdict) => boolean): number => claims.filter(test).length
  const checkable = count(({ isCheckable }) => isCheckable)
  const checked = count(({ verdict }) => verdict !== 'not_checked')
  return {
    format: REPORT_FORMAT,
    version: '0.2.0',
    summary: {
      claims: claims.length,
      checkable,
      checked,
      agrees: count(({ verdict }) => verdict === 'agrees'),
      differs: count(({ verdict }) => verdict === 'differs'),
      flaky: differences.filter(({ status }) => status === 'flaky').length,
      coverage: checkable === 0 ? 0 : checked / checkable,
    },
    notChecked: [
      { interface: 'crm', what: 'POST /contacts', why: 'only write mode makes such calls', claims: 1 },
      { interface: 'pos', what: 'GET /webhooks', why: 'the budget was spent', claims: 1 },
    ],
    ...rest,
    claims,
    differences,
    run: {
      id: 'run_1',
      mode: 'read',
      startedAt: AT,
      endedAt: '2026-11-26T10:01:02.500Z',
      baseUrl: 'https://suite.example.com',
      at: {},
      interfaces: ['crm', 'pos'],
      requests: 312,
      budget: 400,
      endedEarly: null,
      ...run,
    },
  }
}
