/**
 * The families of c_ClaveProdServ, from the UNSPSC. Maps the first two digits of a key to the ranges of the next two.
 */
const FAMILIES: Readonly<Record<string, string>> = {
  '10': '10-17 19-25 30-36 40-45 50',
  '11': '10-19',
  '12': '13-14 16-19 35',
  '13': '10-11',
  '14': '10-12',
  '15': '10-13',
  '20': '10-14',
  '21': '10-11',
  '22': '10',
  '23': '10-16 18-30',
  '24': '10-14',
  '25': '10-13 15-20',
  '26': '10-14',
  '27': '11-14',
  '30': '10-19 24-26',
  '31': '10-42',
  '32': '10-15',
  '39': '10-13',
  '40': '10 14-18',
  '41': '10-12',
  '42': '12-32',
  '43': '19-23',
  '44': '10-12',
  '45': '10-14',
  '46': '10-11 15-20',
  '47': '10-13',
  '48': '10-13',
  '49': '10 12-18 20-22 24',
  '50': '10-13 15-22 30-38 40-47',
  '51': '10-21 24-25',
  '52': '10 12-17',
  '53': '10-14',
  '54': '10-12',
  '55': '10-12',
  '56': '10-14',
  '60': '10-14',
  '64': '12',
  '70': '10-17',
  '71': '10-16',
  '72': '10-12 14-15',
  '73': '10-18',
  '76': '10-13',
  '77': '10-13',
  '78': '10-14 18',
  '80': '10-16',
  '81': '10-16',
  '82': '10-15',
  '83': '10-12',
  '84': '10-14',
  '85': '10-17',
  '86': '10-14',
  '90': '10-15',
  '91': '10-11',
  '92': '10-12',
  '93': '10 12-17',
  '94': '10-13',
  '95': '10-14',
}

const isWithin = (range: string, number: number): boolean => {
  const [from = 0, to = from] = range.split('-').map(Number)
  return from <= number && number <= to
}

/** Returns true if a key of eight digits belongs to an existing family. */
export function isOfKnownFamily(key: string): boolean {
  if (!/^\d{8}$/.test(key)) return false
  const ranges = FAMILIES[key.slice(0, 2)]?.split(' ') ?? []
  return ranges.some((range) => isWithin(range, Number(key.slice(2, 4))))
}
