import { expect, test } from 'vitest'
import { fidelityPage } from '../../../src/http/openapi/fidelity.ts'
import { PUBLISHED } from '../../support/published.ts'
import { MACHINES } from '../../support/subject.ts'

const page = fidelityPage(PUBLISHED, MACHINES)

test('lists every operation, move and event on the page', () => {
  for (const { routes } of PUBLISHED) {
    for (const { method, path } of routes) expect(page).toContain(`| \`${method} ${path}\` |`)
  }
  for (const machine of MACHINES) {
    for (const move of Object.keys(machine.moves))
      expect(page).toContain(`| ${machine.title} | \`${move}\` |`)
  }
  for (const { definition } of PUBLISHED) {
    for (const { name } of definition.events ?? []) expect(page).toContain(`| \`${name}\` |`)
  }
})

test('shows an assumed field with its reason on the page', () => {
  expect(page).toMatch(/^\| `Error`.* \| The specification \w+ the statuses.* no error body\. \|$/m)
})

/** The moves that the state tables and the text of the specification show. All others are "not shown". */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'catalog.activity': ['complete'],
  'signage.pairing_code': ['use'],
  'crm.deal': ['move', 'win', 'lose'],
  'recruiting.vacancy': ['pause', 'close', 'archive'],
  'recruiting.application': ['start_over', 'review', 'shortlist', 'interview', 'offer', 'hire', 'reject'],
  'recruiting.interview': ['cancel'],
  'payments.link': ['disable'],
  'integration-payments.link': ['complete', 'cancel'],
  'tax-invoicing.invoice': ['request_cancellation', 'cancel', 'accept_cancellation'],
  'tax-invoicing.cancellation': ['accept', 'reject'],
  'lite-invoicing.invoice': ['cancel'],
  'conversations.conversation': ['open', 'resolve', 'pend', 'snooze'],
  'meetings.meeting': ['deactivate', 'activate'],
}

test.each(MACHINES.map((machine) => [machine.name, machine] as const))(
  'labels only the moves of %s that the specification shows as documented',
  (name, { moves }) => {
    const labelled = Object.entries(moves).filter(([, { fidelity }]) => fidelity.status === 'documented')
    expect(labelled.map(([move]) => move)).toEqual(SHOWN[name] ?? [])
  },
)
