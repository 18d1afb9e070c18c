/**
 * Series, invoices, payment receipts, cancellations, certificates, taxpayers, clients and products. Specification part 2,
 * "Tax invoicing". Amounts are exact decimal strings ("1160.00"). The totals of clients use hundredths of a peso.
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
import { changing, isOneOf, scoped, stamped } from '../storage/columns.ts'
import { cancellationMachine, invoiceMachine } from './machines.ts'

/** Income, credit note, payment receipt, transfer: the authority's TipoDeComprobante. */
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
  /** ISO 3166-1 alpha-3, for foreigners. */
  readonly residenciaFiscal: string | null
  readonly numRegIdTrib: string | null
}

/** A tax of a line or of a product. `tasa` has six decimals; null if the tax is exempt. */
export interface Tax {
  /** 001 income tax (ISR), 002 value-added tax (IVA), 003 excise (IEPS). */
  readonly impuesto: string
  readonly tipoFactor: 'Tasa' | 'Cuota' | 'Exento'
  readonly tasa: string | null
}

export interface TaxLine extends Tax {
  readonly base: string
  /** null if the tax is exempt. */
  readonly importe: string | null
}

/** The charged taxes (traslados) and the taxes that the recipient withholds (retenciones). */
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

/** The related invoices: those that a credit note credits, or those that a substitute replaces. */
export interface Relation {
  readonly tipoRelacion: string
  readonly uuids: readonly string[]
}

/** The last folio of each series. All folios from 1 to it are in use. */
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

/** Stamped documents of all types. A payment receipt is an invoice of type P with a row in `receipts`. */
export const invoices = sqliteTable(
  'tax_invoices',
  {
    ...scoped,
    /** In upper case, as the authority writes it. */
    uuid: text().notNull(),
    serie: text().notNull(),
    folio: integer().notNull(),
    type: text({ enum: INVOICE_TYPES }).notNull(),
    status: text({ enum: invoiceMachine.states }).notNull().default('active'),
    /** The date of issue. The XML has it in the local time of the issuer. */
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
    /** ISO 4217, or XXX for no currency. */
    moneda: text().notNull(),
    /** Pesos for one unit of the currency, as in the request; null if it was left out. */
    tipoCambio: text('tipo_cambio'),
    metodoPago: text('metodo_pago'),
    formaPago: text('forma_pago'),
    lugarExpedicion: text('lugar_expedicion').notNull(),
    exportacion: text().notNull(),
    /** The amount that active receipts have paid. */
    paid: text().notNull().default('0'),
    /** The UUID of the substitute, if the cancellation has one. */
    substitutedBy: text('substituted_by'),
    cancelledAt: integer('cancelled_at'),
    stampedAt: integer('stamped_at').notNull(),
    ...changing,
    receptorRfc: text('receptor_rfc').notNull(),
    /** The name of the recipient without case and accents. */
    receptorKey: text('receptor_key').notNull(),
    /** The total as a number, only to sort lists. */
    totalKey: real('total_key').notNull(),
    /** The total in hundredths of a peso, for the totals of clients. */
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

/** The stamped XML of each invoice. It never changes. */
export const stampedXml = sqliteTable(
  'tax_stamped_xml',
  {
    ...scoped,
    /** The id of the row is the id of the invoice. */
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

/** Cancellation requests. An invoice shows its last one. */
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
    /** The deadline, after which the cancellation is accepted automatically. */
    dueAt: integer('due_at'),
    /** Who decided, or none_needed if no acceptance was required. */
    resolvedBy: text('resolved_by', { enum: ['none_needed', 'recipient', 'clock'] }),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_cancellations_invoice').on(table.workspace, table.invoiceId, table.requestedAt),
    index('tax_cancellations_due')
      .on(table.workspace, table.dueAt)
      .where(
        sql`${isOneOf(table.status, cancellationMachine.moves.lapse.from)} and ${table.dueAt} is not null`,
      ),
    foreignKey({
      columns: [table.workspace, table.invoiceId],
      foreignColumns: [invoices.workspace, invoices.id],
    }).onDelete('cascade'),
  ],
)

/** The payment of an invoice of type P. Its id is the id of the invoice. */
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

/** The payments of single invoices in a receipt. */
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
    /** False if the receipt was cancelled. */
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

/** Certificates that sealed invoices. The last inserted one is in use. */
export const certificates = sqliteTable(
  'tax_certificates',
  {
    ...scoped,
    /** Twenty digits. */
    number: text().notNull(),
    validFrom: integer('valid_from').notNull(),
    validUntil: integer('valid_until').notNull(),
    /** The time of the next due job: first the warning, then the renewal. */
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

/** Registered taxpayers, in addition to the built-in test taxpayers. */
export const taxpayers = sqliteTable(
  'tax_taxpayers',
  {
    ...scoped,
    rfc: text().notNull(),
    nombre: text().notNull(),
    /** null if any regime is accepted. */
    regimenFiscal: text('regimen_fiscal'),
    /** Whether it is on the authority's list of taxpayers with presumably simulated operations (69-B). */
    flagged: integer({ mode: 'boolean' }).notNull().default(false),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('tax_taxpayers_rfc').on(table.workspace, table.rfc),
  ],
)

/** Stored recipients for invoices. */
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
    /** The number of invoices to this tax id, including cancelled ones, without payment receipts. */
    invoiceCount: integer('invoice_count').notNull().default(0),
    /** Active income invoices less credit notes, in hundredths of a peso. */
    invoicedCents: integer('invoiced_cents').notNull().default(0),
    ...stamped,
    nameKey: text('name_key').notNull(),
    /** The searched text: tax id, name and e-mail address. */
    searchKey: text('search_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_clients_rfc').on(table.workspace, table.rfc),
    index('tax_clients_created').on(table.workspace, table.createdAt),
  ],
)

/** Products and services for invoice lines. */
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
    /** The number of invoice lines with this key and description. */
    usageCount: integer('usage_count').notNull().default(0),
    ...stamped,
    nameKey: text('name_key').notNull(),
    searchKey: text('search_key').notNull(),
    /** The price as a number, only to sort lists. */
    priceKey: real('price_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('tax_products_created').on(table.workspace, table.createdAt),
    index('tax_products_key').on(table.workspace, table.claveProdServ, table.descripcion),
  ],
)
