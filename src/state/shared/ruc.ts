/**
 * Panama's taxpayer number (RUC) and its check digit (dígito verificador, DV). The specification names both, but describes
 * neither. The forms and the computation are those of the tax authority.
 */

/** 1 is a natural person, 2 a legal entity. Specification part 2, "Lite invoicing". */
export const TAXPAYER_TYPES = [1, 2] as const
export type TaxpayerType = (typeof TAXPAYER_TYPES)[number]

export interface Ruc {
  /** In its canonical form: "155700001-2-2021". */
  readonly ruc: string
  readonly type: TaxpayerType
  /** The check digit as a number. 8 is printed "08". */
  readonly dv: number
}

/** The digits between the province and the volume in a natural person's number, by the kind of person. */
const KIND_DIGITS: Readonly<Record<string, string>> = {
  '': '00',
  E: '50',
  N: '40',
  PE: '75',
  AV: '15',
  PI: '79',
  NT: '43',
}

/** "8-442-445", "13-1-1": province, volume, entry. */
const RESIDENT = /^(?<province>[1-9]|1[0-3])-(?<volume>\d{1,4})-(?<entry>\d{1,6})$/
/** "PE-10-442": born abroad (PE), foreigner (E), naturalized (N). */
const ABROAD = /^(?<kind>PE|E|N)-(?<volume>\d{1,4})-(?<entry>\d{1,6})$/
/** "1AV-432-658", "4PI-234-123": before the identity law (AV), indigenous (PI). */
const SPECIAL = /^(?<province>[1-9]|1[0-3])(?<kind>AV|PI)-(?<volume>\d{1,4})-(?<entry>\d{1,6})$/
/** "8-NT-1-13178": a tax number (NT) of a natural person or a legal entity. */
const TAX_NUMBER = /^(?<province>[1-9]|1[0-3])-(?<kind>NT)-(?<volume>\d{1,4})-(?<entry>\d{1,6})$/
/** "61302-14-123411", "155596713-2-2015", "49-572-8631": roll or sheet, image or kind, entry or year. */
const LEGAL = /^(?<first>[1-9]\d{0,9})-(?<second>\d{1,4})-(?<third>\d{1,7})$/

/** Removes spaces and converts to upper case. */
export const normalRuc = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase()

/**
 * Returns the canonical form: the tax authority's, without leading zeros. It writes "8AV-1-2" and "8PI-1-2", but
 * "8-NT-1-2".
 */
const canonical = (text: string): string =>
  normalRuc(text)
    .replaceAll(/(?<!\d)0+(?=\d)/g, '')
    .replace(/^(\d+)-?(AV|PI)-/, '$1$2-')
    .replace(/^(\d+)NT-/, '$1-NT-')

/**
 * Returns the taxpayers whose RUC the text can be, the most likely one first. "8-442-445" is the number of a natural person
 * and of a legal entity, with different check digits; only the type decides. Empty if the text is not a RUC.
 */
export function readRuc(text: string): readonly Ruc[] {
  const ruc = canonical(text)
  const natural = (RESIDENT.exec(ruc) ?? ABROAD.exec(ruc) ?? SPECIAL.exec(ruc))?.groups
  const taxNumber = TAX_NUMBER.exec(ruc)?.groups
  const legal = LEGAL.exec(ruc)?.groups
  const person = natural ?? taxNumber
  const readings: Ruc[] = []
  if (person) readings.push({ ruc, type: 1, dv: checkDigits(`5${digitsOf(person)}`, false) })
  if (taxNumber) readings.push({ ruc, type: 2, dv: checkDigits(digitsOf(taxNumber), false) })
  if (legal) readings.push(...readLegal(ruc, legal, /-0[1-9]\d{5}$/.test(normalRuc(text))))
  return readings
}

/** Returns the reading of the text with this type, or null if it has none. */
export const rucOfType = (text: string, type: number): Ruc | null =>
  readRuc(text).find((reading) => reading.type === type) ?? null

type Parts = Readonly<Record<string, string>>

function digitsOf({ province = '', kind = '', volume = '', entry = '' }: Parts): string {
  return `${province.padStart(2, '0')}${KIND_DIGITS[kind] ?? ''}${volume.padStart(3, '0')}${entry.padStart(5, '0')}`
}

/**
 * Reads the number of a legal entity. An entry of seven digits that begins with a zero has another check digit than the
 * same one with six: that of 11947-1027-0229562 is 71. The text can be either.
 */
function readLegal(ruc: string, parts: Parts, hasSevenDigits: boolean): Ruc[] {
  const plain: Ruc = { ruc, type: 2, dv: checkDigitsOfLegal(parts) }
  if (!hasSevenDigits) return [plain]
  const { first = '', second = '', third = '' } = parts
  const longer = `0${third}`
  return [
    {
      ruc: `${first}-${second}-${longer}`,
      type: 2,
      dv: checkDigitsOfLegal({ ...parts, third: longer }),
    },
    plain,
  ]
}

/** The lengths up to which earlier versions kept leading zeros, from the last part to the first. */
const STORED_LENGTHS = [7, 4, 10] as const

/**
 * Returns the canonical form, then the other forms in which earlier versions stored it: with leading zeros, and with
 * another dash beside AV, PI and NT.
 */
export function spellingsOf(ruc: string): readonly string[] {
  const [last = '', ...others] = ruc.split('-').reverse()
  const spelled = others.reduce(
    (ends, part, index) =>
      ends.flatMap((end) =>
        zeroPadded(part, STORED_LENGTHS[index + 1] ?? 0).map((start) => `${start}-${end}`),
      ),
    zeroPadded(last, STORED_LENGTHS[0]),
  )
  const dashed = spelled.map((text) =>
    text.replace(
      /^(\d+)(-?)([A-Z]+)-/,
      (_, province: string, dash: string, kind: string) => `${province}${dash ? '' : '-'}${kind}-`,
    ),
  )
  return [...new Set([...spelled, ...dashed])]
}

/** Returns the number with no, one ... leading zeros, up to a length. Letters stay as they are. */
const zeroPadded = (part: string, length: number): string[] =>
  /^\d+$/.test(part)
    ? Array.from({ length: Math.max(1, length - part.length + 1) }, (_, zeros) => '0'.repeat(zeros) + part)
    : [part]

/** Replacements of the sixth and seventh digits in old numbers of legal entities, from 10 on: 10 is 01, 43 is 01. */
const REPLACEMENTS =
  '01020304050607080901020304070809020304050607080901020304050607080901020304050607'.match(/../g) ?? []

function checkDigitsOfLegal({ first = '', second = '', third = '' }: Parts): number {
  const digits = first.padStart(10, '0') + second.padStart(4, '0') + third.padStart(6, '0')
  if (!/^\d{3}00[0-4]/.test(digits)) return checkDigits(digits, false)
  const pair = digits.slice(5, 7)
  const replacement = REPLACEMENTS[Number(pair) - 10] ?? pair
  return checkDigits(digits.slice(0, 5) + replacement + digits.slice(7), true)
}

/** Computes both check digits. The second covers the number and the first check digit. */
function checkDigits(digits: string, isOld: boolean): number {
  const first = checkDigit(digits, isOld)
  return first * 10 + checkDigit(digits + String(first), isOld)
}

/** Computes a check digit modulo 11 with the weights 2, 3, 4 ... from the right. Old numbers use the weight 11 twice. */
function checkDigit(digits: string, isOld: boolean): number {
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, index) => total + digit * (index + (isOld && index > 9 ? 1 : 2)), 0)
  const rest = sum % 11
  return rest > 1 ? 11 - rest : 0
}
