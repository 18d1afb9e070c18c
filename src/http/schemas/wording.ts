/** Formats amounts, times and words for people. */

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * Formats an amount: "$12.50", "PAB 12.50". `cents` are hundredths in every currency, as in all interfaces.
 * An invalid currency code goes after the number.
 */
export function amountInWords(cents: number, currency: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits }).format(cents / 100)
  } catch {
    return `${new Intl.NumberFormat('en-US', digits).format(cents / 100)} ${currency}`
  }
}

/** Formats an instant in the time zone of the workspace: "November 22, 2026 at 9:30 AM EST". */
export const momentInWords = (instant: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(instant)
