import { expect, test } from 'vitest'
import { INTERFACES, MACHINES } from '../../src/app.ts'
import { fidelityPage } from '../../src/http/fidelity.ts'
import { freshApp } from '../support/app.ts'

async function page(): Promise<string> {
  const { app } = await freshApp()
  return fidelityPage(
    INTERFACES.map((definition) => ({ definition, routes: app.routes.get(definition.name) ?? [] })),
    MACHINES,
  )
}

test('docs/FIDELITY.md is current; `npm run docs` writes it anew', async () => {
  await expect(await page()).toMatchFileSnapshot('../../docs/FIDELITY.md')
})

test('the page names every operation, move and event', async () => {
  const text = await page()
  const { app } = await freshApp()
  for (const routes of app.routes.values()) {
    for (const { method, path } of routes) expect(text).toContain(`| \`${method} ${path}\` |`)
  }
  for (const machine of MACHINES) {
    for (const move of Object.keys(machine.moves))
      expect(text).toContain(`| ${machine.title} | \`${move}\` |`)
  }
  for (const { events = [] } of INTERFACES) {
    for (const { name } of events) expect(text).toContain(`| \`${name}\` |`)
  }
})

test('the page shows a field that is assumed, and why', async () => {
  expect(await page()).toMatch(
    /^\| `Error`.* \| The specification gives the statuses and no error body\. \|$/m,
  )
})
