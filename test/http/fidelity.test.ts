import { expect, test } from 'vitest'
import { fidelityPage } from '../../src/http/fidelity.ts'
import { PUBLISHED } from '../support/published.ts'
import { MACHINES } from '../support/subject.ts'

const page = fidelityPage(PUBLISHED, MACHINES)

test('the page names every operation, move and event', () => {
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

test('the page shows a field that is assumed, and why', () => {
  expect(page).toMatch(/^\| `Error`.* \| The specification gives the statuses and no error body\. \|$/m)
})
