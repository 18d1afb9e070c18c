/** Separates the thousands of a decimal, the same in English and in the Spanish of Mexico and Panama: "1,250.50". */
export function grouped(decimal: string): string {
  const [whole = '', ...fraction] = decimal.split('.')
  return [BigInt(whole).toLocaleString('en-US'), ...fraction].join('.')
}
