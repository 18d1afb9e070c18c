/** The bounds of records in snapshots are those of requests. */
import { expect, test } from 'vitest'
import { registerTaxpayer } from '../../../src/state/lite-invoicing/taxpayers.ts'
import { freshLiteInvoicing } from '../../support/liteInvoicing.ts'

interface Snapshot {
  readonly 'lite-invoicing': {
    readonly taxpayers: readonly object[]
    readonly invoices: readonly object[]
  }
}

test.each<[list: 'taxpayers' | 'invoices', field: string, invalid: string]>([
  ['taxpayers', 'ruc', `155700001-2-2021${' '.repeat(20)}`],
  ['invoices', 'reason', '.'.repeat(14)],
  ['invoices', 'reason', '.'.repeat(256)],
])('refuse %s with the %s %j', async (list, field, invalid) => {
  const { issue, cancel, fresh } = await freshLiteInvoicing()
  registerTaxpayer(fresh.workspace, { ruc: '8-442-445', name: 'Ana', type: 1 })
  const { id } = await issue()
  await cancel({ id, reason: '.'.repeat(15) })
  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const snapshot = (await fresh.call('GET', path)).body as Snapshot
  const section = snapshot['lite-invoicing']
  const records = [{ ...section[list][0], [field]: invalid }]
  const body = { ...snapshot, 'lite-invoicing': { ...section, [list]: records } }
  const details = [{ field: `lite-invoicing.${list}.0.${field}` }]
  expect(await fresh.call('PUT', path, { body })).toMatchObject({ status: 400, body: { error: { details } } })
  expect((await fresh.call('PUT', path, { body: snapshot })).status).toBe(204)
})
