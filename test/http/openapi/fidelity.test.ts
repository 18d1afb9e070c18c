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
