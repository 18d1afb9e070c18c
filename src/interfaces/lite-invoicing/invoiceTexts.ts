/** The texts of the page of an invoice. */
import { PAYMENT_TYPES, type PaymentType } from '../../state/lite-invoicing/tables.ts'
import { spoken } from '../../state/text/languages.ts'

export const INVOICE_TEXTS = spoken({
  en: {
    heading: (number) => `Invoice ${number}`,
    canceled: (heading) => `Canceled: ${heading}`,
    canceledOn: (moment) => `Canceled on ${moment}`,
    issuedBy: 'Issued by',
    branch: 'Branch',
    date: 'Date',
    to: 'To',
    foreignTaxId: 'Foreign tax id',
    passport: 'Passport',
    country: 'Country',
    description: 'Description',
    quantity: 'Quantity',
    price: 'Price',
    amount: 'Amount',
    subtotal: 'Subtotal',
    total: 'Total',
  },
  es: {
    heading: (number) => `Factura ${number}`,
    canceled: (heading) => `Anulada: ${heading}`,
    canceledOn: (moment) => `Anulada el ${moment}`,
    issuedBy: 'Emisor',
    branch: 'Sucursal',
    date: 'Fecha',
    to: 'Receptor',
    foreignTaxId: 'Identificación tributaria extranjera',
    passport: 'Pasaporte',
    country: 'País',
    description: 'Descripción',
    quantity: 'Cantidad',
    price: 'Precio',
    amount: 'Monto',
    subtotal: 'Subtotal',
    total: 'Total',
  },
})

/** The authority's payment types. */
export const PAYMENT_TYPE_TEXTS = spoken<Readonly<Record<PaymentType, string>>>({
  en: PAYMENT_TYPES,
  es: {
    '01': 'Crédito',
    '02': 'Efectivo',
    '03': 'Tarjeta de crédito',
    '04': 'Tarjeta de débito',
    '05': 'Tarjeta de fidelización',
    '06': 'Vale',
    '07': 'Tarjeta de regalo',
    '08': 'Transferencia o depósito',
    '09': 'Cheque',
    '10': 'Punto de pago',
    '99': 'Otro',
  },
})
