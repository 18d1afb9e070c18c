/** The content of a printed invoice as text, before its layout on pages. */
import { decimal } from '../../state/tax-invoicing/documents/amounts.ts'
import { localTime } from '../../state/tax-invoicing/xml/stamping.ts'
import { decimalsIn, PESO } from '../../state/tax-invoicing/documents/documents.ts'
import { invoices, type Invoice } from '../../state/tax-invoicing/invoices/invoices.ts'
import {
  documentsOf,
  receipts,
  type Receipt,
  type ReceiptDocument,
} from '../../state/tax-invoicing/invoices/receipts.ts'
import {
  CFDI_USES,
  EXPORTS,
  INVOICE_KINDS,
  MONTHS,
  OBJECT_CODES,
  PAYMENT_FORMS,
  PAYMENT_METHODS,
  PERIODICITIES,
  RELATIONS,
  TAX_REGIMES,
  TAXES,
} from '../../state/tax-invoicing/catalogs/satCatalogs.ts'
import type { Recipient, TaxLine } from '../../state/tax-invoicing/jsonColumns.ts'
import { grouped } from '../../state/text/grouped.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { amountInWords } from './amountInWords.ts'

type Pair = readonly [label: string, text: string]

export interface PrintedColumn {
  readonly title: string
  /** The share of the page width, 0 to 1. */
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
  readonly uuid: string
  readonly isCancelled: boolean
  /** The time of the stamp, in ms since the epoch. */
  readonly at: number
  readonly facts: readonly Pair[]
  readonly issuer: readonly Pair[]
  readonly recipient: readonly Pair[]
  readonly tables: readonly PrintedTable[]
  readonly totals: readonly Pair[]
  readonly inWords: string | null
  readonly conditions: readonly Pair[]
  readonly seals: readonly Pair[]
  /** The address in the QR code. */
  readonly address: string
}

interface Described {
  readonly descripcion: string
}

/** Returns a key with its description: "601 General de Ley Personas Morales". */
const described = (catalog: ReadonlyMap<string, Described>, key: string | null): string =>
  key === null ? '' : [key, catalog.get(key)?.descripcion].filter(Boolean).join(' ')

/** The signs of currencies that the fonts have. Others have their code before the amount. XXX is no currency. */
const SIGNS: Readonly<Record<string, string>> = { MXN: '$', USD: '$', EUR: '€', JPY: '¥', GBP: '£', XXX: '' }

/** Formats an amount with thousands separators, at least the decimals of its currency, and the sign of the currency. */
export function money(amount: string, currency: string): string {
  const [whole = '0', given = ''] = amount.split('.')
  const decimals = given.padEnd(decimalsIn(currency), '0')
  return `${SIGNS[currency] ?? `${currency} `}${grouped(whole)}${decimals === '' ? '' : `.${decimals}`}`
}

const attribute = (xml: string, name: string): string => xml.split(` ${name}="`)[1]?.split('"', 1)[0] ?? ''

/** Returns the address of the page where the authority verifies an invoice. */
export function verificationAddress({ uuid, emisor, receptor, total }: Invoice, seal: string): string {
  const shortest = decimal(total).toString()
  const amount = shortest.includes('.') ? shortest : `${shortest}.0`
  // Tax ids can have & and Ñ.
  const [issuer, recipient] = [encodeURIComponent(emisor.rfc), encodeURIComponent(receptor.rfc)]
  return `https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=${uuid}&re=${issuer}&rr=${recipient}&tt=${amount}&fe=${seal.slice(-8)}`
}

export function printedOf(workspace: Workspace, invoice: Invoice, xml: string): Printed {
  const seal = attribute(xml, 'Sello')
  const { emisor, receptor } = invoice
  return {
    title: `${TITLES[invoice.type]} ${invoice.serie} ${String(invoice.folio)}`,
    uuid: invoice.uuid,
    isCancelled: invoice.status === 'cancelled',
    at: invoice.stampedAt,
    facts: [
      ['Folio fiscal', invoice.uuid],
      ['Fecha de emisión', attribute(xml, 'Fecha').replace('T', ' ')],
      ['Fecha de certificación', attribute(xml, 'FechaTimbrado').replace('T', ' ')],
      ['Tipo de comprobante', described(INVOICE_KINDS, invoice.type)],
      ['Exportación', described(EXPORTS, invoice.exportacion)],
    ],
    issuer: [
      ['Emisor', emisor.nombre],
      ['RFC', emisor.rfc],
      ['Régimen fiscal', described(TAX_REGIMES, emisor.regimenFiscal)],
      ['Lugar de expedición', invoice.lugarExpedicion],
    ],
    recipient: [
      ['Receptor', receptor.nombre],
      ['RFC', receptor.rfc],
      ['Régimen fiscal', described(TAX_REGIMES, receptor.regimenFiscal)],
      ['Domicilio fiscal', receptor.domicilioFiscal],
      ['Uso del CFDI', described(CFDI_USES, receptor.usoCfdi)],
      ...foreignOf(receptor),
    ],
    tables: [
      ...(invoice.type === 'P' ? paymentTables(workspace, invoice) : [conceptTable(invoice)]),
      ...relationTables(invoice),
    ],
    totals: invoice.type === 'P' ? paidTotals(xml) : totalsOf(invoice),
    inWords: inWordsOf(workspace, invoice),
    conditions: conditionsOf(invoice, xml),
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

/** The country of a foreign recipient and its tax id there. */
const foreignOf = ({ residenciaFiscal, numRegIdTrib }: Recipient): Pair[] => [
  ...(residenciaFiscal === null ? [] : [['Residencia fiscal', residenciaFiscal] as const]),
  ...(numRegIdTrib === null ? [] : [['Registro de identidad tributaria', numRegIdTrib] as const]),
]

const TITLES = {
  I: 'Factura',
  E: 'Nota de crédito',
  T: 'Comprobante de traslado',
  P: 'Recibo de pago',
} as const

function inWordsOf(workspace: Workspace, { id, type, total, moneda }: Invoice): string | null {
  if (type === 'T') return null
  if (type !== 'P') return amountInWords(total, moneda)
  const receipt = receipts.get(workspace, id)
  return amountInWords(receipt.monto, receipt.moneda)
}

const rateOf = ({ tipoFactor, tasa }: TaxLine): string =>
  tasa === null
    ? tipoFactor
    : tipoFactor === 'Cuota'
      ? `cuota ${tasa}`
      : `${String(Number(Number(tasa).toFixed(6)) * 100).slice(0, 8)}%`

const taxWords = (line: TaxLine): string => `${described(TAXES, line.impuesto).slice(4)} ${rateOf(line)}`

function conceptTable({ conceptos, moneda }: Invoice): PrintedTable {
  const inCurrency = (amount: string): string => money(amount, moneda)
  return {
    title: 'Conceptos',
    columns: [
      { title: 'Clave', width: 0.1 },
      { title: 'Cantidad', width: 0.1, right: true },
      { title: 'Unidad', width: 0.09 },
      { title: 'Descripción', width: 0.32 },
      { title: 'Valor unitario', width: 0.13, right: true },
      { title: 'Descuento', width: 0.12, right: true },
      { title: 'Importe', width: 0.14, right: true },
    ],
    rows: conceptos.map((concept) => {
      const { traslados, retenciones } = concept.impuestos
      const taxes = [
        ...traslados.map(
          (each) => `${taxWords(each)}: ${each.importe === null ? 'Exento' : inCurrency(each.importe)}`,
        ),
        ...retenciones.map((each) => `Ret. ${taxWords(each)}: ${inCurrency(each.importe ?? '0')}`),
      ]
      return [
        concept.claveProdServ,
        concept.cantidad,
        [concept.claveUnidad, concept.unidad].filter(Boolean).join(' '),
        [
          concept.descripcion,
          concept.noIdentificacion && `No. de identificación: ${concept.noIdentificacion}`,
          `Objeto de impuesto: ${described(OBJECT_CODES, concept.objetoImp)}`,
          ...taxes,
        ]
          .filter(Boolean)
          .join('\n'),
        inCurrency(concept.valorUnitario),
        concept.descuento === null ? '' : inCurrency(concept.descuento),
        inCurrency(concept.importe),
      ]
    }),
  }
}

function totalsOf(invoice: Invoice): Pair[] {
  const { traslados, retenciones } = invoice.impuestos
  const inCurrency = (amount: string): string => money(amount, invoice.moneda)
  return [
    ['Subtotal', inCurrency(invoice.subtotal)],
    ...(invoice.descuento === null ? [] : [['Descuento', inCurrency(invoice.descuento)] as const]),
    ...traslados.map((each): Pair => [
      taxWords(each),
      each.importe === null ? 'Exento' : inCurrency(each.importe),
    ]),
    ...retenciones.map((each): Pair => [
      `Retención de ${described(TAXES, each.impuesto).slice(4)}`,
      inCurrency(each.importe ?? '0'),
    ]),
    [`Total ${invoice.moneda}`, inCurrency(invoice.total)],
  ]
}

function conditionsOf({ type, moneda, tipoCambio, metodoPago, formaPago }: Invoice, xml: string): Pair[] {
  if (type === 'P') return []
  const conditions: Pair[] = [
    ['Moneda', tipoCambio === null ? moneda : `${moneda}, tipo de cambio ${tipoCambio}`],
    ['Forma de pago', described(PAYMENT_FORMS, formaPago)],
    ['Método de pago', described(PAYMENT_METHODS, metodoPago)],
    ['Información global', globalOf(xml)],
  ]
  return conditions.filter(([, text]) => text !== '')
}

/** The period of an invoice to the public in general. */
function globalOf(xml: string): string {
  const period = attribute(xml, 'Periodicidad')
  if (period === '') return ''
  const months = described(MONTHS, attribute(xml, 'Meses'))
  return `Periodicidad ${described(PERIODICITIES, period)}, mes ${months}, año ${attribute(xml, 'Año')}`
}

/** Lists the related invoices in a table of their own, because there may be too many to fit next to the totals. */
function relationTables({ relaciones }: Invoice): PrintedTable[] {
  if (relaciones.length === 0) return []
  const columns = [
    { title: 'Folio fiscal', width: 0.38 },
    { title: 'Tipo de relación', width: 0.62 },
  ]
  const rows = relaciones.flatMap(({ tipoRelacion, uuids }) =>
    uuids.map((uuid) => [uuid, described(RELATIONS, tipoRelacion)]),
  )
  return [{ title: 'CFDI relacionados', columns, rows }]
}

/** The attributes of the totals in the complement, with their printed labels. All are in pesos. */
const PAID_TOTALS = [
  ['TotalTrasladosBaseIVA16', 'Base del IVA 16%'],
  ['TotalTrasladosImpuestoIVA16', 'IVA 16%'],
  ['TotalTrasladosBaseIVA8', 'Base del IVA 8%'],
  ['TotalTrasladosImpuestoIVA8', 'IVA 8%'],
  ['TotalTrasladosBaseIVA0', 'Base del IVA 0%'],
  ['TotalTrasladosImpuestoIVA0', 'IVA 0%'],
  ['TotalTrasladosBaseIVAExento', 'Base exenta de IVA'],
  ['TotalRetencionesIVA', 'Retención de IVA'],
  ['TotalRetencionesISR', 'Retención de ISR'],
  ['TotalRetencionesIEPS', 'Retención de IEPS'],
  ['MontoTotalPagos', `Monto total de los pagos ${PESO}`],
] as const

const paidTotals = (xml: string): Pair[] =>
  PAID_TOTALS.map(([name, label]) => [label, attribute(xml, name)] as const)
    .filter(([, amount]) => amount !== '')
    .map(([label, amount]) => [label, money(amount, PESO)])

/** The code of c_ObjetoImp for a document whose taxes are itemized. */
const TAXED = '02'

function paymentTables(workspace: Workspace, { id }: Invoice): PrintedTable[] {
  const receipt = receipts.get(workspace, id)
  const documents = documentsOf.of(workspace, id)
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
          described(PAYMENT_FORMS, receipt.formaPago),
          receipt.numeroOperacion ?? '',
          receipt.moneda === PESO ? PESO : `${receipt.moneda}\nTipo de cambio: ${receipt.tipoCambio}`,
          money(receipt.monto, receipt.moneda),
        ],
      ],
    },
    ...accountTables(receipt),
    {
      title: 'Documentos relacionados',
      columns: [
        // Wide enough for a UUID.
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
          [
            document.uuid,
            `Serie y folio: ${serie} ${String(folio)}`,
            ...(document.objetoImpDr === TAXED
              ? []
              : [`Objeto de impuesto: ${described(OBJECT_CODES, document.objetoImpDr)}`]),
          ].join('\n'),
          document.monedaDr === receipt.moneda
            ? document.monedaDr
            : `${document.monedaDr}\nEquivalencia: ${document.equivalencia}`,
          String(document.numParcialidad),
          money(document.saldoAnterior, document.monedaDr),
          money(document.importePagado, document.monedaDr),
          money(document.saldoInsoluto, document.monedaDr),
        ]
      }),
    },
    ...paidTaxTables(documents),
  ]
}

/** Lists the accounts of the payer and of the beneficiary if the receipt has any. */
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

/** Lists the taxes of the amount paid of each document, in the currency of the document. */
function paidTaxTables(documents: readonly ReceiptDocument[]): PrintedTable[] {
  const rows = documents.flatMap(({ uuid, monedaDr, impuestosDr }) => {
    const row = (kind: string, line: TaxLine): string[] => [
      uuid,
      `${kind} ${taxWords(line)}`,
      money(line.base, monedaDr),
      line.importe === null ? 'Exento' : `${money(line.importe, monedaDr)} ${monedaDr}`,
    ]
    return [
      ...impuestosDr.traslados.map((line) => row('Traslado', line)),
      ...impuestosDr.retenciones.map((line) => row('Retención', line)),
    ]
  })
  if (rows.length === 0) return []
  const columns = [
    { title: 'Folio fiscal', width: 0.38 },
    { title: 'Impuesto', width: 0.26 },
    { title: 'Base', width: 0.16, right: true },
    { title: 'Importe', width: 0.2, right: true },
  ]
  return [{ title: 'Impuestos de los documentos relacionados', columns, rows }]
}
