/** What hosted payment pages say about cards, wallets and bank accounts that they do not accept. */
import { spoken } from '../text/languages.ts'

export const CARD_PROBLEMS = spoken({
  en: {
    expiryInvalid: 'Give the expiry date as month and year: MM/YY.',
    expired: 'The card has expired.',
    numberRequired: 'Give the number of the card.',
    notTestCard: 'This is a simulator: only its test cards are taken.',
    numberInvalid: 'This is not the number of a card.',
    codeInvalid: (digits) => `Give the security code: ${digits} digits.`,
    threeOrFour: '3 or 4',
  },
  es: {
    expiryInvalid: 'Escriba la fecha de vencimiento como mes y año: MM/AA.',
    expired: 'La tarjeta está vencida.',
    numberRequired: 'Escriba el número de la tarjeta.',
    notTestCard: 'Este es un simulador: solo se aceptan sus tarjetas de prueba.',
    numberInvalid: 'Este no es el número de una tarjeta.',
    codeInvalid: (digits) => `Escriba el código de seguridad: ${digits} dígitos.`,
    threeOrFour: '3 o 4',
  },
})

export const ACCOUNT_PROBLEMS = spoken({
  en: {
    phone: {
      required: 'Give the phone number.',
      unknown: 'This is a simulator: only its test values are taken as phone number.',
    },
    account: {
      required: 'Give the account number.',
      unknown: 'This is a simulator: only its test values are taken as account number.',
    },
  },
  es: {
    phone: {
      required: 'Escriba el número de teléfono.',
      unknown: 'Este es un simulador: como número de teléfono solo se aceptan sus valores de prueba.',
    },
    account: {
      required: 'Escriba el número de cuenta.',
      unknown: 'Este es un simulador: como número de cuenta solo se aceptan sus valores de prueba.',
    },
  },
})
