/**
 * Series, invoices, payment receipts, cancellations, certificates, taxpayers, clients and products. Specification part 2,
 * "Tax invoicing". Amounts are exact decimal strings ("1160.00"). The totals of clients use hundredths of a peso.
 */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  cents,
  choice,
  email,
  filledText,
  flag,
  id,
  instant,
  integer,
  isOneOf,
  json,
  listOf,
  money,
  real,
  refersTo,
  states,
  table,
  text,
  textOf,
  withCreation,
  withTimes,
} from '../storage/columns.ts'
import { cancellationMachine, invoiceMachine } from './machines.ts'
import {
  amount,
  concept,
  documentTaxes,
  issuer,
  rates,
  recipient,
  relation,
  rfc,
  serie,
  taxes,
  catalogKey,
  exportCode,
  MAX_CONCEPTS,
  objectCode,
  paymentForm,
  paymentMethod,
  postalCode,
  regime,
  useCode,
  uuid,
  type Issuer,
  type Recipient,
  type Tax,
  type Taxes,
} from './jsonColumns.ts'

/**
 * The maximum length of an XML, in characters. The longest possible invoice is shorter: 200 lines with 1,120 characters of
 * text, six for each escaped one, and 40 taxes of about 150 characters, plus the taxes of the document.
 */
const LONGEST_XML = 4_194_304

const currencyCode = () => textOf(() => Type.String({ pattern: '^[A-Z]{3}$' }))

/** A tax id or an account of a bank. "|" separates the values of the sealed text. */
const bankText = (maxLength: number) =>
  textOf(() => Type.String({ minLength: 1, maxLength, pattern: '^[^|]*$' })).orNull()

/** Income, credit note, payment receipt, transfer: the authority's TipoDeComprobante. */
export const INVOICE_TYPES = ['I', 'E', 'P', 'T'] as const
export type InvoiceType = (typeof INVOICE_TYPES)[number]

export const CANCELLATION_REASONS = ['01', '02', '03', '04'] as const

/** The last folio of each series. All folios from 1 to it are in use. */
export const series = table(
  'tax_series',
  {
    serie: textOf(serie),
    lastFolio: integer(0),
    ...withCreation,
  },
  (self) => [uniqueIndex('tax_series_name').on(self.workspace, self.serie)],
)

/** Stamped documents of all types. A payment receipt is an invoice of type P with a row in `receipts`. */
export const invoices = table(
  'tax_invoices',
  {
    /** In upper case, as the authority writes it. */
    uuid: textOf(uuid),
    serie: textOf(serie),
    folio: integer(1),
    type: choice(INVOICE_TYPES),
    status: states(invoiceMachine).default('active'),
    /** The date of issue. The XML has it in the local time of the issuer. */
    date: instant(),
    emisor: json<Issuer>(issuer),
    receptor: json<Recipient>(recipient),
    conceptos: listOf(concept, { minItems: 1, maxItems: MAX_CONCEPTS }),
    /** The taxes of all lines, one line for each tax and rate, each rounded once. */
    impuestos: json<Taxes>(documentTaxes),
    relaciones: listOf(relation),
    subtotal: money(amount),
    /** null if no line has a discount. */
    descuento: money(amount).orNull(),
    totalTrasladados: money(amount),
    totalRetenidos: money(amount),
    total: money(amount),
    /** ISO 4217, or XXX for no currency. */
    moneda: currencyCode(),
    /** Pesos for one unit of the currency, as in the request; null if it was left out. */
    tipoCambio: textOf(amount).orNull(),
    metodoPago: textOf(paymentMethod).orNull(),
    formaPago: textOf(paymentForm).orNull(),
    lugarExpedicion: textOf(postalCode),
    exportacion: textOf(exportCode),
    /** The amount that active receipts have paid. */
    paid: money(amount).default('0'),
    /** The UUID of the substitute, if the cancellation has one. */
    substitutedBy: textOf(uuid).orNull(),
    cancelledAt: instant().orNull(),
    stampedAt: instant(),
    ...withCreation,
    receptorRfc: text(),
    /** The name of the recipient without case and accents. */
    receptorKey: text(),
    /** The total in pesos as a number, only to sort lists. */
    totalKey: real(),
    /** The total in hundredths of a peso, for the totals of clients. */
    mxnCents: integer(0),
  },
  (self) => [
    uniqueIndex('tax_invoices_uuid').on(self.workspace, self.uuid),
    uniqueIndex('tax_invoices_folio').on(self.workspace, self.serie, self.folio),
    index('tax_invoices_date').on(self.workspace, self.date),
    index('tax_invoices_recipient').on(self.workspace, self.receptorRfc, self.date),
  ],
)

/** The stamped XML of each invoice. It never changes. */
export const stampedXml = table('tax_stamped_xml', {
  /** The id of the row is the id of the invoice. */
  id: refersTo(invoices, { cascade: true }),
  xml: textOf(() => Type.String({ minLength: 1, maxLength: LONGEST_XML })),
  revision: integer(),
})

/** Cancellation requests. An invoice shows its last one. */
export const cancellations = table(
  'tax_cancellations',
  {
    invoiceId: refersTo(invoices, { cascade: true }),
    motivo: choice(CANCELLATION_REASONS),
    uuidSustitucion: textOf(uuid).orNull(),
    status: states(cancellationMachine).default('pending_acceptance'),
    requestedAt: instant(),
    resolvedAt: instant().orNull(),
    /** The deadline, after which the cancellation is accepted automatically. */
    dueAt: instant().orNull(),
    /** Who decided, or none_needed if no acceptance was required. */
    resolvedBy: choice(['none_needed', 'recipient', 'clock']).orNull(),
    ...withCreation,
  },
  (self) => [
    index('tax_cancellations_invoice').on(self.workspace, self.invoiceId, self.requestedAt),
    index('tax_cancellations_due')
      .on(self.workspace, self.dueAt)
      .where(
        sql`${isOneOf(self.status, cancellationMachine.moves.lapse.from)} and ${self.dueAt} is not null`,
      ),
  ],
)

/** The payment of an invoice of type P. Its id is the id of the invoice. */
export const receipts = table(
  'tax_payment_receipts',
  {
    id: refersTo(invoices, { cascade: true }),
    fechaPago: instant(),
    formaPago: textOf(paymentForm),
    moneda: currencyCode(),
    tipoCambio: textOf(amount),
    monto: money(amount),
    numeroOperacion: filledText(100).orNull(),
    rfcBancoOrdenante: bankText(13),
    cuentaOrdenante: bankText(50),
    rfcBancoBeneficiario: bankText(13),
    cuentaBeneficiaria: bankText(50),
    receptorRfc: textOf(rfc),
    ...withCreation,
  },
  (self) => [
    index('tax_payment_receipts_created').on(self.workspace, self.createdAt),
    index('tax_payment_receipts_recipient').on(self.workspace, self.receptorRfc, self.createdAt),
  ],
)

/** The payments of single invoices in a receipt. */
export const receiptDocuments = table(
  'tax_receipt_documents',
  {
    receiptId: refersTo(receipts, { cascade: true }),
    invoiceId: id(),
    uuid: textOf(uuid),
    position: integer(0),
    monedaDr: currencyCode(),
    equivalencia: textOf(amount),
    numParcialidad: integer(1),
    saldoAnterior: money(amount),
    importePagado: money(amount),
    saldoInsoluto: money(amount),
    objetoImpDr: textOf(objectCode),
    impuestosDr: json<Taxes>(taxes),
    /** False if the receipt was cancelled or replaced. */
    live: flag().default(true),
    revision: integer(),
  },
  (self) => [
    index('tax_receipt_documents_receipt').on(self.workspace, self.receiptId, self.position),
    index('tax_receipt_documents_invoice').on(self.workspace, self.uuid, self.numParcialidad),
  ],
)

/** Certificates that sealed invoices. The last inserted one is in use. */
export const certificates = table(
  'tax_certificates',
  {
    /** Twenty digits. */
    number: textOf(() => Type.String({ pattern: '^\\d{20}$' })),
    validFrom: instant(),
    validUntil: instant(),
    /** The time of the next due job: first the warning, then the renewal. */
    nextAt: instant().orNull(),
    warnedAt: instant().orNull(),
    ...withCreation,
  },
  (self) => [
    index('tax_certificates_next')
      .on(self.workspace, self.nextAt)
      .where(sql`${self.nextAt} is not null`),
  ],
)

/** Registered taxpayers, in addition to the built-in test taxpayers. */
export const taxpayers = table(
  'tax_taxpayers',
  {
    rfc: textOf(rfc),
    nombre: filledText(300),
    /** null if any regime is accepted. */
    regimenFiscal: textOf(regime).orNull(),
    /** Whether it is on the authority's list of taxpayers with presumably simulated operations (69-B). */
    flagged: flag().default(false),
    ...withCreation,
  },
  (self) => [uniqueIndex('tax_taxpayers_rfc').on(self.workspace, self.rfc)],
)

/** Stored recipients for invoices. */
export const clients = table(
  'tax_clients',
  {
    rfc: textOf(rfc),
    nombre: filledText(254),
    regimenFiscal: textOf(regime).orNull(),
    domicilioFiscal: textOf(postalCode).orNull(),
    usoCfdiDefault: textOf(useCode).orNull(),
    email: email().orNull(),
    telefono: filledText(40).orNull(),
    /** The number of invoices to this tax id, including cancelled ones, without payment receipts. */
    invoiceCount: integer(0).default(0),
    /** Active income invoices less credit notes, in hundredths of a peso. */
    invoicedCents: cents().default(0),
    ...withTimes,
    nameKey: text(),
    /** The searched text: tax id, name and e-mail address. */
    searchKey: text(),
  },
  (self) => [
    index('tax_clients_rfc').on(self.workspace, self.rfc),
    index('tax_clients_created').on(self.workspace, self.createdAt),
  ],
)

/** Products and services for invoice lines. */
export const products = table(
  'tax_products',
  {
    nombreInterno: filledText(200),
    claveProdServ: textOf(() => catalogKey(8)),
    descripcion: filledText(1000),
    claveUnidad: textOf(() => catalogKey(3)),
    valorUnitario: money(amount),
    objetoImp: textOf(() => catalogKey(2)),
    impuestos: json<Taxes<Tax>>(rates),
    /** The number of invoice lines with this key and description. */
    usageCount: integer(0).default(0),
    ...withTimes,
    nameKey: text(),
    searchKey: text(),
    /** The price as a number, only to sort lists. */
    priceKey: real(),
  },
  (self) => [
    index('tax_products_created').on(self.workspace, self.createdAt),
    index('tax_products_key').on(self.workspace, self.claveProdServ, self.descripcion),
  ],
)
