/** Clients, products, invoices, payment receipts and subscriptions. */
import { NAME, NO_RECEIVER, type Step, type Scenarios } from '../scenario.ts'

const CLIENT = { client_id: '{client}' }
const PRODUCT = { product_id: '{product}' }
const INVOICE = { invoice_id: '{invoice}' }
const RECEIPT = { payment_receipt_id: '{receipt}' }

const TRANSFER = [{ impuesto: '002', tipo_factor: 'Tasa', tasa: 0.16 }]

/** The taxpayer of the examples of the tax authority. */
const RECEPTOR = {
  rfc: 'URE180429TM6',
  nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
  regimen_fiscal: '601',
  domicilio_fiscal: '86991',
  uso_cfdi: 'G03',
}

const INVOICE_BODY = {
  type: 'I',
  receptor: RECEPTOR,
  conceptos: [
    {
      clave_prod_serv: '56101500',
      no_identificacion: 'SIM-{run}',
      descripcion: NAME,
      cantidad: 2,
      clave_unidad: 'H87',
      valor_unitario: 150.5,
      objeto_imp: '02',
      impuestos: { traslados: TRANSFER },
    },
  ],
  metodo_pago: 'PPD',
  forma_pago: '99',
  moneda: 'MXN',
  exportacion: '01',
  enviar_email: false,
}

/** Numbers that depend on earlier invoices, and the issuer of the account. */
const OF_THE_ACCOUNT = [
  '.folio',
  '.serie',
  '.emisor*',
  '.lugar_expedicion',
  '.documentos_relacionados[].folio',
  '.documentos_relacionados[].serie',
]

const STAMPED_INVOICE: Step = {
  operation: 'createInvoice',
  confirms: 'stamp',
  body: INVOICE_BODY,
  save: { invoice: 'id', uuid: 'uuid' },
  creates: {
    id: 'invoice',
    undo: null,
    find: { operation: 'listInvoices', query: { search: '{run}' } },
  },
  ignored: OF_THE_ACCOUNT,
}

export const taxInvoicingScenarios: Scenarios = {
  interface: 'tax-invoicing',
  scenarios: [
    {
      resource: 'clients',
      steps: [
        {
          operation: 'createClient',
          body: {
            rfc: 'XEXX010101000',
            nombre: NAME,
            email: 'suite-sim-{run}@example.com',
            telefono: '+52 442 555 0100',
          },
          save: { client: 'id' },
          creates: {
            id: 'client',
            undo: { operation: 'deleteClient', path: CLIENT },
            find: { operation: 'listClients', query: { search: '{run}' } },
          },
        },
        { operation: 'getClient', path: CLIENT },
        { operation: 'listClients', query: { search: '{run}' }, rows: '{client}' },
        { operation: 'updateClient', path: CLIENT, body: { telefono: null } },
        { operation: 'updateClient', path: CLIENT, body: { email: 'no address' }, refused: 422 },
        { operation: 'updateClient', path: CLIENT, body: { domicilio_fiscal: '7634' }, refused: 422 },
        { operation: 'createClient', body: { rfc: 'NO-RFC', nombre: NAME }, refused: 422 },
        { operation: 'deleteClient', path: CLIENT },
        { operation: 'getClient', path: CLIENT, refused: 404 },
      ],
    },
    {
      resource: 'products',
      steps: [
        {
          operation: 'createProduct',
          body: {
            nombre_interno: NAME,
            clave_prod_serv: '56101500',
            descripcion: NAME,
            clave_unidad: 'H87',
            valor_unitario: 2890,
            objeto_imp: '02',
            impuestos: { traslados: TRANSFER, retenciones: [] },
          },
          save: { product: 'id' },
          creates: {
            id: 'product',
            undo: { operation: 'deleteProduct', path: PRODUCT },
            find: { operation: 'listProducts', query: { search: '{run}' } },
          },
        },
        { operation: 'getProduct', path: PRODUCT },
        { operation: 'listProducts', query: { search: '{run}' }, rows: '{product}' },
        { operation: 'updateProduct', path: PRODUCT, body: { valor_unitario: 2990.5 } },
        { operation: 'updateProduct', path: PRODUCT, body: { clave_unidad: 'TOO-LONG' }, refused: 422 },
        { operation: 'deleteProduct', path: PRODUCT },
        { operation: 'getProduct', path: PRODUCT, refused: 404 },
      ],
    },
    {
      resource: 'invoices',
      needsAllow: 'No call deletes an invoice, but it is cancelled.',
      sideEffect: 'The invoice is stamped. Use a test environment of the certification provider.',
      steps: [
        STAMPED_INVOICE,
        { operation: 'getInvoice', path: INVOICE, ignored: OF_THE_ACCOUNT },
        {
          operation: 'createInvoice',
          confirms: 'stamp',
          body: { ...INVOICE_BODY, type: 'Z' },
          refused: 422,
        },
        {
          operation: 'createInvoice',
          confirms: 'stamp',
          body: { ...INVOICE_BODY, receptor: { ...RECEPTOR, domicilio_fiscal: '8699' } },
          refused: 422,
        },
        {
          operation: 'createInvoiceBatch',
          confirms: 'stamp',
          body: { invoices: [{ ...INVOICE_BODY, type: 'Z' }] },
        },
        {
          operation: 'sendInvoice',
          path: INVOICE,
          confirms: 'send',
          body: { email: 'suite-sim-{run}@example.com', include_pdf: false },
        },
        {
          operation: 'cancelInvoice',
          path: INVOICE,
          confirms: 'stamp',
          body: { motivo: '01' },
          refused: 422,
        },
        {
          operation: 'cancelInvoice',
          path: INVOICE,
          confirms: 'stamp',
          body: { motivo: '02' },
          moves: 'tax-invoicing.invoice cancel',
          ignored: OF_THE_ACCOUNT,
        },
        {
          operation: 'cancelInvoice',
          path: INVOICE,
          confirms: 'stamp',
          body: { motivo: '02' },
          refused: 409,
        },
        { operation: 'getInvoice', path: INVOICE, ignored: OF_THE_ACCOUNT },
      ],
    },
    {
      resource: 'payment-receipts',
      needsAllow: 'No call deletes a payment receipt, nor the invoice that it is for.',
      sideEffect:
        'An invoice and its receipt are stamped. Use a test environment of the certification provider.',
      steps: [
        STAMPED_INVOICE,
        {
          operation: 'createPaymentReceipt',
          confirms: 'stamp',
          body: {
            fecha_pago: '2026-01-15',
            forma_pago: '03',
            moneda: 'MXN',
            monto: 100,
            numero_operacion: '{run}',
            documentos_relacionados: [{ uuid_factura: '{uuid}', importe_pagado: 100 }],
          },
          save: { receipt: 'id' },
          creates: { id: 'receipt', undo: null, find: null },
          ignored: OF_THE_ACCOUNT,
        },
        { operation: 'getPaymentReceipt', path: RECEIPT, ignored: OF_THE_ACCOUNT },
        {
          operation: 'createPaymentReceipt',
          confirms: 'stamp',
          body: {
            fecha_pago: '2026-01-15',
            forma_pago: '03',
            monto: 0,
            numero_operacion: '{run}',
            documentos_relacionados: [],
          },
          refused: 422,
        },
      ],
    },
    {
      resource: 'webhooks',
      needsAllow: 'No call deletes a subscription.',
      steps: [
        {
          operation: 'createWebhook',
          body: { url: `${NO_RECEIVER}/{run}`, events: ['certificate.expiring'] },
          save: { webhook: 'id' },
          creates: { id: 'webhook', undo: null, find: null },
        },
        {
          operation: 'createWebhook',
          body: { url: `${NO_RECEIVER}/{run}`, events: ['invoice.forgotten'] },
          refused: 422,
        },
      ],
    },
  ],
  uncovered: {},
}
