/** Amounts in Spanish words, as printed on invoices: "MIL CIENTO SESENTA PESOS 00/100 M.N.". */

const UNITS = [
  '',
  'un',
  'dos',
  'tres',
  'cuatro',
  'cinco',
  'seis',
  'siete',
  'ocho',
  'nueve',
  'diez',
  'once',
  'doce',
  'trece',
  'catorce',
  'quince',
  'dieciséis',
  'diecisiete',
  'dieciocho',
  'diecinueve',
  'veinte',
  'veintiún',
  'veintidós',
  'veintitrés',
  'veinticuatro',
  'veinticinco',
  'veintiséis',
  'veintisiete',
  'veintiocho',
  'veintinueve',
]
const TENS = ['', '', '', 'treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa']
const HUNDREDS = [
  '',
  'ciento',
  'doscientos',
  'trescientos',
  'cuatrocientos',
  'quinientos',
  'seiscientos',
  'setecientos',
  'ochocientos',
  'novecientos',
]

/** Writes a number up to 999 in the form used before a noun. */
function hundreds(number: number): string {
  if (number === 100) return 'cien'
  const rest = number % 100
  const tens =
    rest < UNITS.length
      ? UNITS[rest]
      : [TENS[Math.floor(rest / 10)], UNITS[rest % 10]].filter(Boolean).join(' y ')
  return [HUNDREDS[Math.floor(number / 100)], tens].filter(Boolean).join(' ')
}

/** Writes a number up to 999,999. */
function thousands(number: number): string {
  const [thousand, rest] = [Math.floor(number / 1000), number % 1000]
  const words = thousand === 0 ? '' : thousand === 1 ? 'mil' : `${hundreds(thousand)} mil`
  return [words, hundreds(rest)].filter(Boolean).join(' ')
}

/** Writes a whole number below 10^12 in the form used before a noun: "un millón de". */
export function wordsOf(number: number): string {
  if (number === 0) return 'cero'
  const [millions, rest] = [Math.floor(number / 1_000_000), number % 1_000_000]
  if (millions === 0) return thousands(rest)
  const words = millions === 1 ? 'un millón' : `${thousands(millions)} millones`
  return rest === 0 ? `${words} de` : `${words} ${thousands(rest)}`
}

/** The currencies with feminine names: "doscientas libras". */
const FEMININE = /^(?:libra|corona|rupia|lira|grivna|kuna|leva)s? /

/** Turns masculine words of a number feminine, except those of its millions. */
function feminineOf(words: string): string {
  const [, millions = '', rest = ''] = /^(.*mill(?:\u00f3n|ones))?(.*)$/.exec(words) ?? []
  return (
    millions +
    rest
      .replaceAll(/(cient|quinient)os/g, '$1as')
      .replace(/(?<![a-z])un$|veinti\u00fan$/, (one) => ONE[one] ?? one)
  )
}

const ONE: Readonly<Record<string, string>> = { un: 'una', veintiún: 'veintiuna' }

/** Returns the Spanish name of a currency for a number: "dólar estadounidense", "yenes japoneses". */
const currencyName = (currency: string, number: number): string =>
  new Intl.NumberFormat('es', { style: 'currency', currency, currencyDisplay: 'name' })
    .formatToParts(number)
    .filter(({ type }) => type === 'currency')
    .map(({ value }) => value)
    .join('')

/** Writes an amount, given as a string such as "1160.00", in Spanish words. */
export function amountInWords(amount: string, currency: string): string {
  const [whole = '0', hundredths = ''] = amount.split('.')
  const number = Number(whole)
  const cents = hundredths.padEnd(2, '0').slice(0, 2)
  const [name, ending] =
    currency === 'MXN'
      ? [number === 1 ? 'peso' : 'pesos', 'M.N.']
      : [currencyName(currency, number), currency]
  const words = wordsOf(number)
  return `${FEMININE.test(name) ? feminineOf(words) : words} ${name} ${cents}/100 ${ending}`.toUpperCase()
}
