/**
 * Series, invoices, payment receipts, cancellations, certificates, taxpayers, clients and products. Specification part 2,
 * "Tax invoicing". Amounts are exact decimals as text ("1160.00"); sums of reports are made of hundredths of a peso.
 */
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { changing, scoped, stamped } from '../columns.ts'
import { cancellationMachine, invoiceMachine } from './machines.ts'

/** Income, credit note, payment receipt, transfer: what the authority calls TipoDeComprobante. */
export const INVOICE_TYPES = ['I', 'E', 'P', 'T'] as const
export type InvoiceType = (typeof INVOICE_TYPES)[number]

export const CANCELLATION_REASONS = ['01', '02', '03', '04'] as const

export interface Issuer {
  readonly rfc: string
  readonly nombre: string
  readonly regimenFiscal: string
}

export interface Recipient {
  readonly rfc: string
  readonly nombre: string
  readonly regimenFiscal: string
  /** The postal code of the tax domicile. */
  readonly domicilioFiscal: string
  readonly usoCfdi: string
  /** ISO 3166-1 alpha-3, of foreigners. */
  readonly residenciaFiscal: string | null
  readonly numRegIdTrib: string | null
}

/** A tax of a line, or of a product that lines are made of. `tasa` has six decimals and is null where it is exempt. */
export interface Tax {
  /** 001 income tax (ISR), 002 value-added tax (IVA), 003 excise (IEPS). */
  readonly impuesto: string
  readonly tipoFactor: 'Tasa' | 'Cuota' | 'Exento'
  readonly tasa: string | null
}

export interface TaxLine extends Tax {
  readonly base: string
  /** null where it is exempt. */
  readonly importe: string | null
}

/** Taxes that are charged, and those that the recipient withholds. */
export interface Taxes<Line extends Tax = TaxLine> {
  readonly traslados: readonly Line[]
  readonly retenciones: readonly Line[]
}

/** A line of an invoice. */
export interface Concept {
  readonly claveProdServ: string
  readonly noIdentificacion: string | null
  readonly descripcion: string
  readonly cantidad: string
  readonly claveUnidad: string
  readonly unidad: string | null
  readonly valorUnitario: string
  readonly importe: string
  readonly descuento: string | null
  readonly objetoImp: string
  readonly impuestos: Taxes
}

/** What an invoice refers to: credit notes to their invoices, a substitute to what it takes the place of. */
export interface Relation {
  readonly tipoRelacion: string
  readonly uuids: readonly string[]
}

/** The last folio of each series; there is none between 1 and it that was not given away. */
export const series = sqliteTable(
  'tax_series',
  {
    ...scoped,
    serie: text().notNull(),
    lastFolio: integer('last_folio').notNull(),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('tax_series_name').on(table.workspace, table.serie),
  ],
)

/** Whatever was stamped, of all types: a payment receipt is an invoice of type P, with a row in `receipts`. */
export const invoices = sqliteTable(
  'tax_invoices',
  {
    ...scoped,
    /** Upper case, as the authority writes it. */
    uuid: text().notNull(),
    serie: text().notNull(),
    folio: integer().notNull(),
    type: text({ enum: INVOICE_TYPES }).notNull(),
    status: text({ enum: invoiceMachine.states }).notNull().default('active'),
    /** The date of issue, as the XML has it in the time of where it was issued. */
    date: integer().notNull(),
    emisor: text({ mode: 'json' }).$type<Issuer>().notNull(),
    receptor: text({ mode: 'json' }).$type<Recipient>().notNull(),
    conceptos: text({ mode: 'json' }).$type<readonly Concept[]>().notNull(),
    /** The taxes of all lines, one line for each tax and rate, each rounded once. */
    impuestos: text({ mode: 'json' }).$type<Taxes>().notNull(),
    relaciones: text({ mode: 'json' }).$type<readonly Relation[]>().notNull(),
    subtotal: text().notNull(),
    descuento: text(),
    totalTrasladados: text('total_trasladados').notNull(),
    totalRetenidos: text('total_retenidos').notNull(),
    total: text().notNull(),
    /** ISO 4217, or XXX where no money is meant. */
    moneda: text().notNull(),
    /** Pesos for one of the currency; null where that is none. */
    tipoCambio: text('tipo_cambio'),
    metodoPago: text('metodo_pago'),
    formaPago: text('forma_pago'),
    lugarExpedicion: text('lugar_expedicion').notNull(),
    exportacion: text().notNull(),
    /** What receipts have paid of it, less those that were cancelled. */
    paid: text().notNull().default('0'),
    /** The uuid of what took its place, once that was told when it was cancelled. */
    substitutedBy: text('substituted_by'),
    cancelledAt: integer('cancelled_at'),
    stampedAt: integer('stamped_at').notNull(),
    ...changing,
    receptorRfc: text('receptor_rfc').notNull(),
    /** The name of the recipient without case and accents. */
    receptorKey: text('receptor_key').notNull(),
    /** The total, for the order of lists alone. */
    totalKey: real('total_key').notNull(),
    /** The total in hundredths of a peso, for sums. */
    mxnCents: integer('mxn_cents').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('tax_invoices_uuid').on(table.workspace, table.uuid),
    uniqueIndex('tax_invoices_folio').on(table.workspace, table.serie, table.folio),
    index('tax_invoices_date').on(table.workspace, table.date),
    index('tax_invoices_recipient').on(table.workspace, table.receptorRfc, table.date),
  ],
)

/** What was stamped, byte for byte and for ever. */
export const stampedXml = sqliteTable(
  'tax_stamped_xml',
  {
    ...scoped,
    /** The id of the invoice is its own. */
    xml: text().notNull(),
    revision: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    foreignKey({
      columns: [table.workspace, table.id],
      foreignColumns: [invoices.workspace, invoices.id],
    }).onDelete('cascade'),
  ],
)

/** Requests to cancel an invoice, the last of which it shows. */
export const cancellations = sqliteTable(
  'tax_cancellations',
  {
    ...scoped,
    invoiceId: text('invoice_id').notNull(),
    motivo: text({ enum: CANCELLATION_REASONS }).notNull(),
    uuidSustitucion: text('uuid_sustitucion'),
    status: text({ enum: cancellationMachine.states }).notNull().default('pending_acceptance'),
    requestedAt: integer('requested_at').notNull(),
    resolvedAt: integer('resolved_at'),
    /** When silence counts as consent. */
    dueAt: integer('due_at'),
    /** How it came to its end: no acceptance needed, or who decided. */
    resolvedBy: text('resolved_by', { enum: ['none_needed', 'recipient', 'clock'] }),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_cancellations_invoice').on(table.workspace, table.invoiceId, table.requestedAt),
    index('tax_cancellations_due')
      .on(table.workspace, table.dueAt)
      .where(sql`${table.status} = 'pending_acceptance' and ${table.dueAt} is not null`),
    foreignKey({
      columns: [table.workspace, table.invoiceId],
      foreignColumns: [invoices.workspace, invoices.id],
    }).onDelete('cascade'),
  ],
)

/** The payment that an invoice of type P tells of; its id is that of the invoice. */
export const receipts = sqliteTable(
  'tax_payment_receipts',
  {
    ...scoped,
    fechaPago: integer('fecha_pago').notNull(),
    formaPago: text('forma_pago').notNull(),
    moneda: text().notNull(),
    tipoCambio: text('tipo_cambio').notNull(),
    monto: text().notNull(),
    numeroOperacion: text('numero_operacion'),
    rfcBancoOrdenante: text('rfc_banco_ordenante'),
    cuentaOrdenante: text('cuenta_ordenante'),
    rfcBancoBeneficiario: text('rfc_banco_beneficiario'),
    cuentaBeneficiaria: text('cuenta_beneficiaria'),
    receptorRfc: text('receptor_rfc').notNull(),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_payment_receipts_created').on(table.workspace, table.createdAt),
    index('tax_payment_receipts_recipient').on(table.workspace, table.receptorRfc, table.createdAt),
    foreignKey({
      columns: [table.workspace, table.id],
      foreignColumns: [invoices.workspace, invoices.id],
    }).onDelete('cascade'),
  ],
)

/** What a receipt pays of each invoice. */
export const receiptDocuments = sqliteTable(
  'tax_receipt_documents',
  {
    ...scoped,
    receiptId: text('receipt_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    uuid: text().notNull(),
    position: integer().notNull(),
    monedaDr: text('moneda_dr').notNull(),
    equivalencia: text().notNull(),
    numParcialidad: integer('num_parcialidad').notNull(),
    saldoAnterior: text('saldo_anterior').notNull(),
    importePagado: text('importe_pagado').notNull(),
    saldoInsoluto: text('saldo_insoluto').notNull(),
    objetoImpDr: text('objeto_imp_dr').notNull(),
    impuestosDr: text('impuestos_dr', { mode: 'json' }).$type<Taxes>().notNull(),
    /** Whether the receipt counts: false once it is cancelled. */
    live: integer({ mode: 'boolean' }).notNull().default(true),
    revision: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_receipt_documents_receipt').on(table.workspace, table.receiptId, table.position),
    index('tax_receipt_documents_invoice').on(table.workspace, table.uuid, table.numParcialidad),
    foreignKey({
      columns: [table.workspace, table.receiptId],
      foreignColumns: [receipts.workspace, receipts.id],
    }).onDelete('cascade'),
  ],
)

/** Certificates that seals were made with; the one with the last `validFrom` is in use. */
export const certificates = sqliteTable(
  'tax_certificates',
  {
    ...scoped,
    /** Twenty digits. */
    number: text().notNull(),
    validFrom: integer('valid_from').notNull(),
    validUntil: integer('valid_until').notNull(),
    /** When the clock has something to tell: that it is about to expire, then that another takes its place. */
    nextAt: integer('next_at'),
    warnedAt: integer('warned_at'),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_certificates_next')
      .on(table.workspace, table.nextAt)
      .where(sql`${table.nextAt} is not null`),
  ],
)

/** What the registry of the authority knows beside the test taxpayers that it always knows. */
export const taxpayers = sqliteTable(
  'tax_taxpayers',
  {
    ...scoped,
    rfc: text().notNull(),
    nombre: text().notNull(),
    /** null where any is taken. */
    regimenFiscal: text('regimen_fiscal'),
    /** Whether it is on the list of those whose invoices the authority takes for simulated. */
    flagged: integer({ mode: 'boolean' }).notNull().default(false),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('tax_taxpayers_rfc').on(table.workspace, table.rfc),
  ],
)

/** Recipients that are kept for later invoices. */
export const clients = sqliteTable(
  'tax_clients',
  {
    ...scoped,
    rfc: text().notNull(),
    nombre: text().notNull(),
    regimenFiscal: text('regimen_fiscal'),
    domicilioFiscal: text('domicilio_fiscal'),
    usoCfdiDefault: text('uso_cfdi_default'),
    email: text(),
    telefono: text(),
    /** Invoices to this tax id, cancelled ones included. */
    invoiceCount: integer('invoice_count').notNull().default(0),
    /** Hundredths of a peso, of active income invoices less credit notes. */
    invoicedCents: integer('invoiced_cents').notNull().default(0),
    ...stamped,
    nameKey: text('name_key').notNull(),
    /** What search looks into: tax id, name and e-mail address. */
    searchKey: text('search_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_clients_rfc').on(table.workspace, table.rfc),
    index('tax_clients_created').on(table.workspace, table.createdAt),
  ],
)

/** Products and services that lines are made of. */
export const products = sqliteTable(
  'tax_products',
  {
    ...scoped,
    nombreInterno: text('nombre_interno').notNull(),
    claveProdServ: text('clave_prod_serv').notNull(),
    descripcion: text().notNull(),
    claveUnidad: text('clave_unidad').notNull(),
    valorUnitario: text('valor_unitario').notNull(),
    objetoImp: text('objeto_imp').notNull(),
    impuestos: text({ mode: 'json' }).$type<Taxes<Tax>>().notNull(),
    /** Lines of invoices with its key and its description. */
    usageCount: integer('usage_count').notNull().default(0),
    ...stamped,
    nameKey: text('name_key').notNull(),
    searchKey: text('search_key').notNull(),
    /** The price, for the order of lists alone. */
    priceKey: real('price_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_products_created').on(table.workspace, table.createdAt),
    index('tax_products_key').on(table.workspace, table.claveProdServ, table.descripcion),
  ],
)
