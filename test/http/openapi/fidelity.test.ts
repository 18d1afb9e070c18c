import { expect, test } from 'vitest'
import { fidelityPages } from '../../../src/http/openapi/fidelity/pages.ts'
import { DOCUMENTED_LISTS } from '../../support/documentedLists.ts'
import { OPERATION_ROWS } from '../../support/operationTable.ts'
import { PUBLISHED } from '../../support/published.ts'
import { MACHINES } from '../../support/subject.ts'

const pages = fidelityPages({
  published: PUBLISHED,
  machines: MACHINES,
  lists: DOCUMENTED_LISTS,
  rows: OPERATION_ROWS,
})

const pageOf = (name: string): string => pages.get(`docs/fidelity/${name}.md`) ?? ''

test('links the page of each interface in the summary', () => {
  const summary = pages.get('docs/FIDELITY.md')
  for (const { definition } of PUBLISHED)
    expect(summary).toContain(`| [${definition.title}](fidelity/${definition.name}.md) |`)
})

test('lists every operation, move and event on the page of its interface', () => {
  for (const { definition, routes } of PUBLISHED) {
    const page = pageOf(definition.name)
    for (const { method, path } of routes) expect(page).toContain(`| \`${method} ${path}\` |`)
    for (const { name } of definition.events ?? []) expect(page).toContain(`| \`${name}\` |`)
  }
  const all = [...pages.values()].join('\n')
  for (const machine of MACHINES) {
    for (const move of Object.keys(machine.moves)) expect(all).toContain(`| ${machine.title} | \`${move}\` |`)
  }
})

test('counts documented, assumed and observed parts', () => {
  const rows = pages.get('docs/FIDELITY.md')?.match(/^\| \[Catalog.*$/m)?.[0]
  expect(rows).toMatch(/^\| \[Catalog and activities\]\(fidelity\/catalog\.md\) \| 11 \/ 0 \/ 0 \|/)
})

test('shows each assumption with its reason and the sentence of the specification', () => {
  const page = pageOf('catalog')
  expect(page).toMatch(
    /^\| `Error` \| The specification gives the statuses and no error body\. \| Error body shape of the catalog and activities interface: not shown\. \|$/m,
  )
  expect(page).toMatch(/^\| `413` \| The specification does not list the status 413 here\. \| silent \|$/m)
  expect(page).toMatch(/^\| `minLength 1` \| .*`Product.name`.* \| silent \|$/m)
})

test('lists the assumed values of a field, and no bounds that all interfaces share', () => {
  const page = pageOf('payments')
  expect(page).toContain('| `Refund.status`: `completed`, `failed` |')
  expect(page).not.toContain('maxLength 65536')
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
