/** Formats amounts, times and words for people. */
import type { Language, Spoken } from '../../state/text/languages.ts'

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Amounts have the same form in Mexico and Panama, but only es-PA knows the sign of the balboa. */
export const localeOf = (language: Language, currency = ''): string =>
  language === 'en' ? 'en-US' : currency === 'PAB' ? 'es-PA' : 'es-MX'

/**
 * Formats an amount: "$12.50", "PAB 12.50", in Spanish "USD 12.50", "B/. 12.50". `cents` are hundredths in every
 * currency, as in all interfaces. An invalid currency code goes after the number.
 */
export const amountInWords =
  (cents: number, currency: string): Spoken =>
  (language) => {
    const locale = localeOf(language, currency)
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    try {
      return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(cents / 100)
    } catch {
      return `${new Intl.NumberFormat(locale, digits).format(cents / 100)} ${currency}`
    }
  }

/** The parts of an instant. */
export const MOMENT = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/**
 * Formats an instant in the time zone of the workspace: "November 22, 2026 at 9:30 AM EST", "22 de noviembre de 2026 a las
 * 9:30 a.m. GMT-5".
 */
export const momentInWords =
  (instant: number, timeZone: string): Spoken =>
  (language) =>
    new Intl.DateTimeFormat(localeOf(language), { ...MOMENT, timeZone }).format(instant)
