/** The largest accepted invoices fit into a snapshot and are restored from it. */
import { expect, test } from 'vitest'
import { freshInvoicing, IVA_16, line, type Invoicing } from '../../support/taxInvoicing.ts'

const MAX_LINES = 200

/** Puts the snapshot of the workspace, and returns the XML of the invoice afterwards. */
async function putBack({ fresh, xmlOf }: Invoicing, id: string): Promise<string> {
  const at = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { body } = await fresh.call('GET', at)
  const { status, text } = await fresh.call('PUT', at, { body })
  expect(status, text).toBe(204)
  return xmlOf(id)
}

test('restores an invoice of 200 ordinary lines', async () => {
  const invoicing = await freshInvoicing()
  const { id } = await invoicing.issue({ conceptos: Array.from({ length: MAX_LINES }, () => line()) })
  const xml = await invoicing.xmlOf(id)
  expect(xml.length).toBeGreaterThan(65_536)
  expect(await putBack(invoicing, id)).toBe(xml)
})

test('restores an invoice of 200 lines with every field', async () => {
  const invoicing = await freshInvoicing()
  const quotes = (length: number) => '"'.repeat(length)
  const ieps = { impuesto: '003', tipo_factor: 'Tasa', tasa: 0.265 }
  // A different quota in each line, because the document sums equal ones.
  const cuota = (place: number) => ({
    impuesto: '003',
    tipo_factor: 'Cuota',
    tasa: ((place + 1) / 1_000_000).toFixed(6),
  })
  const conceptos = Array.from({ length: MAX_LINES }, (_, index) =>
    line({
      // Each of these is escaped with six characters.
      descripcion: quotes(1000),
      no_identificacion: quotes(100),
      unidad: quotes(20),
      cantidad: '9999.123456',
      valor_unitario: '99999.123456',
      descuento: '0.123456',
      impuestos: {
        traslados: [cuota(index), ieps, IVA_16],
        retenciones: [cuota(index), ieps, IVA_16, { impuesto: '001', tipo_factor: 'Tasa', tasa: 0.1 }],
      },
    }),
  )
  const { id } = await invoicing.issue({ conceptos })
  const xml = await invoicing.xmlOf(id)
  expect(xml.length).toBeGreaterThan(1_600_000)
  expect(await putBack(invoicing, id)).toBe(xml)
})
