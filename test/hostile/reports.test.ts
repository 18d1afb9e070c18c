/** Reports on very many records are created and written in slices, so that other work continues. */
import { expect, test } from 'vitest'
import { multiply } from '../support/filling.ts'
import { withoutBlocking } from '../support/loopDelay.ts'
import { freshInvoicing } from '../support/taxInvoicing.ts'

const MANY = 30_000

test.each(['json', 'csv'])('returns the unpaid amounts of very many invoices as %s', async (format) => {
  const { fresh, issue } = await freshInvoicing({ ownApp: true })
  await issue({ metodo_pago: 'PPD', forma_pago: '99' })
  multiply(fresh.workspace, 'tax_invoices', MANY - 1, {
    uuid: `printf('00000000-0000-4000-8000-%012d', n)`,
    folio: '1 + n',
  })
  const { status, pieces } = await withoutBlocking(async () => {
    const answer = await fresh.app.fastify.inject({
      url: `/einvoicing/v1/reports/receivables?format=${format}`,
      headers: { authorization: `Bearer ${fresh.key}` },
      // Building the payload as one string would block this process.
      payloadAsStream: true,
    })
    const pieces: Uint8Array[] = await answer.stream().toArray()
    return { status: answer.statusCode, pieces }
  })
  expect(status).toBe(200)
  expect(Buffer.concat(pieces).toString().split('00000000-0000-4000-8000-')).toHaveLength(MANY)
  if (format === 'json') {
    const journal = await fresh.app.fastify.inject(
      `/_sim/workspaces/${fresh.workspace.id}/requests?operation=getReceivableReport`,
    )
    const [call] = journal.json<{ data: { response: { body: string; cutFrom: number } }[] }>().data
    expect(call?.response.cutFrom).toBe(Buffer.concat(pieces).length)
    expect(call?.response.body).toMatch(/^\{"data":\[\{"invoice_id":/)
  }
})
