/** The stamped XML, checked with the official schemas and transformation, and with its certificate. */
import { describe, expect, test } from 'vitest'
import { sealedText } from '../../../src/state/tax-invoicing/xml/xml.ts'
import { STAMPER_CERTIFICATES } from '../../../src/state/tax-invoicing/xml/testCertificates.ts'
import { X509Certificate } from 'node:crypto'
import { freshApp } from '../../support/app.ts'
import {
  attributeOf,
  certificateOf,
  isSealed,
  officialText,
  schemaErrors,
  whyNoOfficialFiles,
} from '../../support/authority.ts'
import { COMPANY, freshInvoicing, IVA_16, line, PUBLIC } from '../../support/taxInvoicing.ts'

const tax = (impuesto: string, tipo_factor: string, tasa?: number | string) => ({
  impuesto,
  tipo_factor,
  ...(tasa !== undefined && { tasa }),
})

/** Invoices that together contain every element and attribute. */
const INVOICES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'of one line': {},
  'with discounts, several rates and taxes withheld': {
    metodo_pago: 'PPD',
    forma_pago: '99',
    conceptos: [
      line({ valor_unitario: 2000, descuento: 300, no_identificacion: 'A-1', unidad: 'Pieza' }),
      line({ valor_unitario: 1000.5, cantidad: '2.125000', descuento: 100 }),
      line({
        descripcion: 'Honorarios & «más» <b> "x"  y\n z',
        impuestos: {
          traslados: [IVA_16],
          retenciones: [tax('001', 'Tasa', '0.100000'), tax('002', 'Tasa', '0.106667')],
        },
      }),
      line({ impuestos: { traslados: [tax('002', 'Tasa', 0.08), tax('003', 'Tasa', 0.265)] } }),
      line({ impuestos: { traslados: [tax('003', 'Cuota', 12.3456)] } }),
    ],
  },
  'of exempt lines alone': {
    conceptos: [line({ impuestos: { traslados: [tax('002', 'Exento')] } })],
  },
  'of a rate of 0 and an exempt line': {
    conceptos: [
      line({ impuestos: { traslados: [tax('002', 'Tasa', 0)] } }),
      line({ impuestos: { traslados: [tax('002', 'Exento')] } }),
    ],
  },
  'without taxes': { conceptos: [line({ objeto_imp: '01', impuestos: null })] },
  'in dollars': { moneda: 'USD', tipo_cambio: 18.4521 },
  'in yen, which have no decimals': {
    moneda: 'JPY',
    tipo_cambio: '0.123',
    conceptos: [line({ valor_unitario: 3.337 })],
  },
  'of a series with signs': { serie: 'Sucursal nº 3/ñ <"&=' },
  'to the public': { receptor: PUBLIC },
  'to a recipient abroad': {
    receptor: {
      ...PUBLIC,
      rfc: 'XEXX010101000',
      nombre: 'ACME INC',
      residencia_fiscal: 'USA',
      num_reg_id_trib: '121585958',
    },
  },
  'that is a credit note': {
    type: 'E',
    cfdi_relacionados: [{ tipo_relacion: '01', uuids: ['5f6b7c8d-0000-4000-8000-000000000001'] }],
    receptor: { ...COMPANY, uso_cfdi: 'G02' },
  },
  'that is a transfer': {
    type: 'T',
    metodo_pago: null,
    forma_pago: null,
    conceptos: [line({ valor_unitario: 0, objeto_imp: '01', impuestos: null })],
    receptor: { ...COMPANY, uso_cfdi: 'S01' },
  },
}

describe.each(Object.entries(INVOICES))('XML of an invoice %s', (_name, fields) => {
  test.skipIf(whyNoOfficialFiles !== null)('is valid by the schemas of the authority', async () => {
    const { issue, xmlOf } = await freshInvoicing()
    expect(schemaErrors(await xmlOf((await issue(fields)).id))).toBe('')
  })

  test.skipIf(whyNoOfficialFiles !== null)(
    'is sealed according to the official transformation, with its certificate',
    async () => {
      const { issue, xmlOf } = await freshInvoicing()
      const xml = await xmlOf((await issue(fields)).id)
      expect(isSealed(officialText(xml), attributeOf(xml, 'Sello'), certificateOf(xml))).toBe(true)
    },
  )
})

test('contains a certificate with the right number, valid on its date, and marked as a test', async () => {
  const { issue, xmlOf } = await freshInvoicing()
  const xml = await xmlOf((await issue()).id)
  const certificate = certificateOf(xml)
  expect(Buffer.from(certificate.serialNumber, 'hex').toString()).toBe(attributeOf(xml, 'NoCertificado'))
  expect(certificate.subject).toContain('EKU9003173C9')
  expect(certificate.issuer).toContain('NOT THE TAX AUTHORITY')
  const issued = Date.parse(`${attributeOf(xml, 'Fecha')}-06:00`)
  expect(Date.parse(certificate.validFrom)).toBeLessThan(issued)
  expect(Date.parse(certificate.validTo)).toBeGreaterThan(issued)
})

test('repeats the seal in the stamp, which the provider seals as well', async () => {
  const { issue, xmlOf } = await freshInvoicing()
  const { id, uuid } = await issue()
  const xml = await xmlOf(id)
  const stamp = xml.slice(xml.indexOf('<tfd:'))
  expect(attributeOf(stamp, 'UUID')).toBe(uuid)
  expect(attributeOf(stamp, 'SelloCFD')).toBe(attributeOf(xml, 'Sello'))
  const text = `||1.1|${uuid}|${attributeOf(stamp, 'FechaTimbrado')}|SPR190613I52|${attributeOf(stamp, 'SelloCFD')}|${attributeOf(stamp, 'NoCertificadoSAT')}||`
  const provider = STAMPER_CERTIFICATES.find(
    ({ number }) => number === attributeOf(stamp, 'NoCertificadoSAT'),
  )
  const certificate = new X509Certificate(Buffer.from(provider?.der ?? '', 'base64'))
  expect(isSealed(text, attributeOf(stamp, 'SelloSAT'), certificate)).toBe(true)
})

test('writes dates in the time of Mexico City', async () => {
  const { issue, xmlOf } = await freshInvoicing()
  expect(attributeOf(await xmlOf((await issue()).id), 'Fecha')).toBe('2026-11-21T06:00:00')
})

test('is downloaded with a file name that identifies it', async () => {
  const { issue, call } = await freshInvoicing()
  const { id, uuid } = await issue()
  const { headers } = await call('GET', `/invoices/${id}/xml`)
  expect(headers['content-type']).toContain('application/xml')
  expect(headers['content-disposition']).toContain(`attachment; filename="EKU9003173C9_A1_${uuid}.xml"`)
})

test('stays the same, byte for byte, after the clock has moved', async () => {
  const { issue, xmlOf, fresh } = await freshInvoicing()
  const { id } = await issue()
  const before = await xmlOf(id)
  fresh.setClock('2034-11-21T12:00:00.000Z')
  expect(await xmlOf(id)).toBe(before)
})

describe('the demo data, whose records have no XML', () => {
  const xmlsOfDemo = async () => {
    const fresh = await freshApp()
    fresh.setClock('2026-11-21T18:00:00.000Z')
    const made = await fresh.call('POST', '/_sim/workspaces', { body: { fixtures: 'demo' } })
    const { key } = made.body as { key: string }
    const call = fresh.at('tax-invoicing')
    const { body } = await call('GET', '/invoices?limit=100', { key })
    const { data } = body as { data: { id: string; uuid: string; total: number }[] }
    return Promise.all(
      data.map(async ({ id, uuid, total }) => ({
        uuid,
        total,
        xml: (await call('GET', `/invoices/${id}/xml`, { key })).text,
      })),
    )
  }

  test('is stamped on the first read, according to its records', async () => {
    const all = await xmlsOfDemo()
    expect(all.length).toBeGreaterThan(7)
    for (const { uuid, total, xml } of all) {
      expect(attributeOf(xml.slice(xml.indexOf('<tfd:')), 'UUID')).toBe(uuid)
      expect(Number(attributeOf(xml, 'Total'))).toBe(total)
      if (whyNoOfficialFiles !== null) continue
      expect(schemaErrors(xml)).toBe('')
      expect(isSealed(officialText(xml), attributeOf(xml, 'Sello'), certificateOf(xml))).toBe(true)
    }
  })

  test('has the same XML in every workspace', async () => {
    expect(await xmlsOfDemo()).toEqual(await xmlsOfDemo())
  })
})

test('seals attributes and children in order, and omits excluded ones', () => {
  const leaf = { name: 'b', attributes: { x: '2', y: null }, children: [] }
  const root = {
    name: 'a',
    attributes: { 'xmlns:q': 'u', v: '1', s: 'no' },
    children: [leaf],
    unsealed: ['s'],
  }
  expect(sealedText(root)).toBe('||1|2||')
})

test('writes the exchange rate of the peso as the authority compares it', async () => {
  const { issue, xmlOf } = await freshInvoicing()
  const { id } = await issue({ moneda: 'MXN', tipo_cambio: '1.000000' })
  expect(attributeOf(await xmlOf(id), 'TipoCambio')).toBe('1')
})
