/** The bounds of records in snapshots are those of requests. */
import { expect, test } from 'vitest'
import { freshTaxRecords, invoiceRecord, NOON } from '../../support/taxRecords.ts'

const id = 'x'.padEnd(20, '0')
const ofReceipt = { ...invoiceRecord(1, { type: 'P' }), id }

const RECORDS = {
  products: {
    id,
    nombreInterno: 'Office chair',
    claveProdServ: '56101500',
    descripcion: 'Silla de oficina',
    claveUnidad: 'H87',
    valorUnitario: '2890',
    objetoImp: '02',
    impuestos: { traslados: [], retenciones: [] },
    createdAt: NOON,
    updatedAt: NOON,
  },
  taxpayers: { id, rfc: 'GODE561231GR8', nombre: 'ESTELA GODINEZ', createdAt: NOON },
  receipts: {
    id,
    fechaPago: NOON,
    formaPago: '03',
    moneda: 'MXN',
    tipoCambio: '1',
    monto: '100',
    receptorRfc: 'URE180429TM6',
    createdAt: NOON,
  },
}

test.each<[list: keyof typeof RECORDS, field: string, valid: string, invalid: string]>([
  ['products', 'claveProdServ', '01010101', '010101011'],
  ['products', 'claveUnidad', 'XUN', 'X-N'],
  ['products', 'objetoImp', '01', '001'],
  ['taxpayers', 'nombre', 'X'.repeat(300), 'X'.repeat(301)],
  ['receipts', 'numeroOperacion', '1'.repeat(100), '1'.repeat(101)],
  ['receipts', 'rfcBancoOrdenante', 'URE180429TM6', 'URE180429TM6XX'],
  ['receipts', 'cuentaOrdenante', '1'.repeat(50), '1'.repeat(51)],
  ['receipts', 'rfcBancoBeneficiario', 'URE180429TM6', 'URE|180429TM6'],
  ['receipts', 'cuentaBeneficiaria', '1', '1|'],
])('refuse %s with an invalid %s', async (list, field, valid, invalid) => {
  const { fresh } = await freshTaxRecords()
  const load = (value: string) =>
    fresh.call('PUT', `/_sim/workspaces/${fresh.workspace.id}/snapshot`, {
      body: {
        format: 'suite-simulator/1',
        'tax-invoicing': { invoices: [ofReceipt], [list]: [{ ...RECORDS[list], [field]: value }] },
      },
    })
  expect(await load(valid)).toMatchObject({ status: 204 })
  const details = [{ field: `tax-invoicing.${list}.0.${field}` }]
  expect(await load(invalid)).toMatchObject({ status: 400, body: { error: { details } } })
})

test.each<[field: string, invalid: unknown]>([
  ['lugarExpedicion', 'x'],
  ['formaPago', 'constructor'],
  ['metodoPago', 'constructor'],
  ['exportacion', 'constructor'],
  ['conceptos', []],
  ['receptor.usoCfdi', 'constructor'],
  ['receptor.regimenFiscal', 'constructor'],
  ['emisor.regimenFiscal', 'constructor'],
])('refuse invoices with an invalid %s', async (field, invalid) => {
  const { fresh } = await freshTaxRecords()
  const load = (invoice: object) =>
    fresh.call('PUT', `/_sim/workspaces/${fresh.workspace.id}/snapshot`, {
      body: { format: 'suite-simulator/1', 'tax-invoicing': { invoices: [invoice] } },
    })
  const valid: Record<string, unknown> = { ...invoiceRecord(1), id }
  expect(await load(valid)).toMatchObject({ status: 204 })
  const [outer = '', inner] = field.split('.')
  const value = inner === undefined ? invalid : { ...(valid[outer] as object), [inner]: invalid }
  expect(await load({ ...valid, [outer]: value })).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: `tax-invoicing.invoices.0.${field}` }] } },
  })
})
