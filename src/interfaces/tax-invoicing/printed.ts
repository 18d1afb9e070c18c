/** What is printed of an invoice, in words, before anything of it has a place on a page. */
import { decimal } from '../../state/tax-invoicing/amounts.ts'
import { localTime } from '../../state/tax-invoicing/stamping.ts'
import { PESO } from '../../state/tax-invoicing/documents.ts'
import { invoices, type Invoice } from '../../state/tax-invoicing/invoices.ts'
import { xmlOf } from '../../state/tax-invoicing/restamping.ts'
import {
  documentsOf,
  receipts,
  type Receipt,
  type ReceiptDocument,
} from '../../state/tax-invoicing/receipts.ts'
import {
  CFDI_USES,
  INVOICE_KINDS,
  OBJECT_CODES,
  PAYMENT_FORMS,
  PAYMENT_METHODS,
  RELATIONS,
  TAX_REGIMES,
  TAXES,
} from '../../state/tax-invoicing/satCatalogs.ts'
import type { TaxLine } from '../../state/tax-invoicing/tables.ts'
import type { Workspace } from '../../state/workspace.ts'
import { amountInWords } from './amountInWords.ts'

type Pair = readonly [label: string, text: string]

export interface PrintedColumn {
  readonly title: string
  /** Its part of the width of the page. */
  readonly width: number
  readonly right?: boolean
}

export interface PrintedTable {
  readonly title: string
  readonly columns: readonly PrintedColumn[]
  readonly rows: readonly (readonly string[])[]
}

export interface Printed {
  readonly title: string
  readonly isCancelled: boolean
  /** When it was stamped, in ms since the epoch. */
  readonly at: number
  readonly facts: readonly Pair[]
  readonly issuer: readonly Pair[]
  readonly recipient: readonly Pair[]
  readonly tables: readonly PrintedTable[]
  readonly totals: readonly Pair[]
  readonly inWords: string | null
  readonly conditions: readonly Pair[]
  readonly seals: readonly Pair[]
  /** What the QR code says. */
  readonly address: string
}

interface Named {
  readonly descripcion: string
}

/** "601 General de Ley Personas Morales" */
const named = (catalog: ReadonlyMap<string, Named>, key: string | null): string =>
  key === null ? '' : [key, catalog.get(key)?.descripcion].filter(Boolean).join(' ')

/** With groups of three digits, and at least two decimals. */
export function grouped(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.')
  return `${BigInt(whole).toLocaleString('en-US')}.${decimals.padEnd(2, '0')}`
}

const money = (amount: string): string => `$${grouped(amount)}`

const attribute = (xml: string, name: string): string => xml.split(` ${name}="`)[1]?.split('"', 1)[0] ?? ''

/** Where the authority tells whether an invoice is known to it. */
export function verificationAddress({ uuid, emisor, receptor, total }: Invoice, seal: string): string {
  const shortest = decimal(total).toString()
  const amount = shortest.includes('.') ? shortest : `${shortest}.0`
  return `https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=${uuid}&re=${emisor.rfc}&rr=${receptor.rfc}&tt=${amount}&fe=${seal.slice(-8)}`
}

export function printedOf(workspace: Workspace, invoice: Invoice): Printed {
  const xml = xmlOf(workspace, invoice)
  const seal = attribute(xml, 'Sello')
  const { emisor, receptor } = invoice
  return {
    title: `${TITLES[invoice.type]} ${invoice.serie} ${String(invoice.folio)}`,
    isCancelled: invoice.status === 'cancelled',
    at: invoice.stampedAt,
    facts: [
      ['Folio fiscal', invoice.uuid],
      ['Fecha de emisión', attribute(xml, 'Fecha').replace('T', ' ')],
      ['Fecha de certificación', attribute(xml, 'FechaTimbrado').replace('T', ' ')],
      ['Tipo de comprobante', named(INVOICE_KINDS, invoice.type)],
      ['Lugar de expedición', invoice.lugarExpedicion],
      ['Exportación', invoice.exportacion],
    ],
    issuer: [
      ['Emisor', emisor.nombre],
      ['RFC', emisor.rfc],
      ['Régimen fiscal', named(TAX_REGIMES, emisor.regimenFiscal)],
    ],
    recipient: [
      ['Receptor', receptor.nombre],
      ['RFC', receptor.rfc],
      ['Régimen fiscal', named(TAX_REGIMES, receptor.regimenFiscal)],
      ['Domicilio fiscal', receptor.domicilioFiscal],
      ['Uso del CFDI', named(CFDI_USES, receptor.usoCfdi)],
    ],
    tables: invoice.type === 'P' ? paymentTables(workspace, invoice) : [conceptTable(invoice)],
    totals: invoice.type === 'P' ? [] : totalsOf(invoice),
    inWords:
      invoice.type === 'P' || invoice.type === 'T' ? null : amountInWords(invoice.total, invoice.moneda),
    conditions: conditionsOf(invoice),
    seals: [
      ['Certificado del emisor', attribute(xml, 'NoCertificado')],
      ['Certificado del SAT', attribute(xml, 'NoCertificadoSAT')],
      ['RFC del proveedor de certificación', attribute(xml, 'RfcProvCertif')],
      ['Sello digital del CFDI', seal],
      ['Sello digital del SAT', attribute(xml, 'SelloSAT')],
      [
        'Cadena original del complemento de certificación',
        `||1.1|${invoice.uuid}|${attribute(xml, 'FechaTimbrado')}|${attribute(xml, 'RfcProvCertif')}|${seal}|${attribute(xml, 'NoCertificadoSAT')}||`,
      ],
    ],
    address: verificationAddress(invoice, seal),
  }
}

const TITLES = {
  I: 'Factura',
  E: 'Nota de crédito',
  T: 'Comprobante de traslado',
  P: 'Recibo de pago',
} as const

const rateOf = ({ tipoFactor, tasa }: TaxLine): string =>
  tasa === null
    ? tipoFactor
    : tipoFactor === 'Cuota'
      ? tasa
      : `${String(Number(Number(tasa).toFixed(6)) * 100).slice(0, 8)}%`

const taxWords = (line: TaxLine): string => `${named(TAXES, line.impuesto).slice(4)} ${rateOf(line)}`

function conceptTable({ conceptos }: Invoice): PrintedTable {
  return {
    title: 'Conceptos',
    columns: [
      { title: 'Clave', width: 0.1 },
      { title: 'Cantidad', width: 0.09, right: true },
      { title: 'Unidad', width: 0.09 },
      { title: 'Descripción', width: 0.36 },
      { title: 'Valor unitario', width: 0.12, right: true },
      { title: 'Descuento', width: 0.11, right: true },
      { title: 'Importe', width: 0.13, right: true },
    ],
    rows: conceptos.map((concept) => {
      const { traslados, retenciones } = concept.impuestos
      const taxes = [
        ...traslados.map(
          (each) => `${taxWords(each)}: ${each.importe === null ? 'Exento' : money(each.importe)}`,
        ),
        ...retenciones.map((each) => `Ret. ${taxWords(each)}: ${money(each.importe ?? '0')}`),
      ]
      return [
        concept.claveProdServ,
        concept.cantidad,
        [concept.claveUnidad, concept.unidad].filter(Boolean).join(' '),
        [
          concept.descripcion,
          concept.noIdentificacion && `No. de identificación: ${concept.noIdentificacion}`,
          `Objeto de impuesto: ${named(OBJECT_CODES, concept.objetoImp)}`,
          taxes.join('; '),
        ]
          .filter(Boolean)
          .join('\n'),
        money(concept.valorUnitario),
        concept.descuento === null ? '' : money(concept.descuento),
        money(concept.importe),
      ]
    }),
  }
}

function totalsOf(invoice: Invoice): Pair[] {
  const { traslados, retenciones } = invoice.impuestos
  return [
    ['Subtotal', money(invoice.subtotal)],
    ...(invoice.descuento === null ? [] : [['Descuento', money(invoice.descuento)] as const]),
    ...traslados.map((each): Pair => [
      taxWords(each),
      each.importe === null ? 'Exento' : money(each.importe),
    ]),
    ...retenciones.map((each): Pair => [
      `Retención de ${named(TAXES, each.impuesto).slice(4)}`,
      money(each.importe ?? '0'),
    ]),
    [`Total ${invoice.moneda}`, money(invoice.total)],
  ]
}

function conditionsOf({ type, moneda, tipoCambio, metodoPago, formaPago, relaciones }: Invoice): Pair[] {
  const payment: Pair[] =
    type === 'P'
      ? []
      : [
          ['Moneda', tipoCambio === null ? moneda : `${moneda}, tipo de cambio ${tipoCambio}`],
          ['Forma de pago', named(PAYMENT_FORMS, formaPago)],
          ['Método de pago', named(PAYMENT_METHODS, metodoPago)],
        ]
  return [
    ...payment.filter(([, text]) => text !== ''),
    ...relaciones.map((each): Pair => [
      'CFDI relacionados',
      `${named(RELATIONS, each.tipoRelacion)}: ${each.uuids.join(', ')}`,
    ]),
  ]
}

function paymentTables(workspace: Workspace, { id }: Invoice): PrintedTable[] {
  const receipt = receipts.get(workspace, id)
  const documents = documentsOf(workspace, id)
  return [
    {
      title: 'Pago',
      columns: [
        { title: 'Fecha de pago', width: 0.18 },
        { title: 'Forma de pago', width: 0.28 },
        { title: 'Número de operación', width: 0.18 },
        { title: 'Moneda', width: 0.18 },
        { title: 'Monto', width: 0.18, right: true },
      ],
      rows: [
        [
          localTime(receipt.fechaPago).replace('T', ' '),
          named(PAYMENT_FORMS, receipt.formaPago),
          receipt.numeroOperacion ?? '',
          receipt.moneda === PESO ? PESO : `${receipt.moneda}\nTipo de cambio: ${receipt.tipoCambio}`,
          money(receipt.monto),
        ],
      ],
    },
    ...accountTables(receipt),
    {
      title: 'Documentos relacionados',
      columns: [
        // As wide as any UUID.
        { title: 'Folio fiscal', width: 0.38 },
        { title: 'Moneda', width: 0.14 },
        { title: 'Parcialidad', width: 0.1, right: true },
        { title: 'Saldo anterior', width: 0.13, right: true },
        { title: 'Pagado', width: 0.12, right: true },
        { title: 'Saldo insoluto', width: 0.13, right: true },
      ],
      rows: documents.map((document) => {
        const { serie, folio } = invoices.get(workspace, document.invoiceId)
        return [
          [document.uuid, `Serie y folio: ${serie} ${String(folio)}`].join('\n'),
          document.monedaDr === receipt.moneda
            ? document.monedaDr
            : `${document.monedaDr}\nEquivalencia: ${document.equivalencia}`,
          String(document.numParcialidad),
          money(document.saldoAnterior),
          money(document.importePagado),
          money(document.saldoInsoluto),
        ]
      }),
    },
    ...paidTaxTables(documents),
  ]
}

/** Of the payer and of the beneficiary, where either is told. */
function accountTables(receipt: Receipt): PrintedTable[] {
  const rows = [
    ['Ordenante', receipt.rfcBancoOrdenante ?? '', receipt.cuentaOrdenante ?? ''],
    ['Beneficiario', receipt.rfcBancoBeneficiario ?? '', receipt.cuentaBeneficiaria ?? ''],
  ].filter(([, bank, account]) => bank !== '' || account !== '')
  if (rows.length === 0) return []
  const columns = [
    { title: 'Titular', width: 0.2 },
    { title: 'RFC del banco', width: 0.3 },
    { title: 'Cuenta', width: 0.5 },
  ]
  return [{ title: 'Cuentas', columns, rows }]
}

/** The taxes of what is paid of each document, in its currency. */
function paidTaxTables(documents: readonly ReceiptDocument[]): PrintedTable[] {
  const rows = documents.flatMap(({ uuid, monedaDr, objetoImpDr, impuestosDr }) => {
    const row = (kind: string, line: TaxLine): string[] => [
      uuid,
      `${kind} ${taxWords(line)}`,
      money(line.base),
      line.importe === null ? 'Exento' : `${money(line.importe)} ${monedaDr}`,
    ]
    const lines = [
      ...impuestosDr.traslados.map((line) => row('Traslado', line)),
      ...impuestosDr.retenciones.map((line) => row('Retención', line)),
    ]
    return lines.length > 0 ? lines : [[uuid, named(OBJECT_CODES, objetoImpDr), '', '']]
  })
  const columns = [
    { title: 'Folio fiscal', width: 0.38 },
    { title: 'Impuesto', width: 0.26 },
    { title: 'Base', width: 0.16, right: true },
    { title: 'Importe', width: 0.2, right: true },
  ]
  return [{ title: 'Impuestos de los documentos relacionados', columns, rows }]
}
