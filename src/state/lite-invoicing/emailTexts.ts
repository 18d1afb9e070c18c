/** The texts of e-mails with invoices. */
import { spoken } from '../text/languages.ts'

export const EMAIL_TEXTS = spoken({
  en: {
    subject: (number, name) => `Invoice ${number} of ${name}`,
    dear: (name) => `${name},`,
    issued: (number, total) => `your invoice ${number} over ${total} has been issued.`,
  },
  es: {
    subject: (number, name) => `Factura ${number} de ${name}`,
    dear: (name) => `Hola, ${name}:`,
    issued: (number, total) => `Se emitió su factura ${number} por ${total}.`,
  },
})
