/**
 * Panama's taxpayer number (RUC) and its check digit (dígito verificador, DV). The specification names both, but describes
 * neither. The forms and the computation are those of the tax authority.
 */

/** 1 is a natural person, 2 a legal entity. Specification part 2, "Lite invoicing". */
export const TAXPAYER_TYPES = [1, 2] as const
export type TaxpayerType = (typeof TAXPAYER_TYPES)[number]

export interface Ruc {
  /** In upper case and without spaces: "155700001-2-2021". */
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
/** "1AV-432-658", "4-PI-234-123", "8-NT-1-13422": before the identity law (AV), indigenous (PI), tax number only (NT). */
const SPECIAL = /^(?<province>[1-9]|1[0-3])-?(?<kind>AV|PI|NT)-(?<volume>\d{1,4})-(?<entry>\d{1,6})$/
/** "61302-14-123411", "155596713-2-2015": roll or sheet, image or kind, entry or year. */
const LEGAL = /^(?<first>\d{3,10})-(?<second>\d{1,4})-(?<third>\d{1,7})$/

/** Removes spaces and converts to upper case: the form that is stored and compared. */
export const normalRuc = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase()

/** Parses a RUC, in any case and with spaces. Returns null if the text is not a RUC. */
export function parseRuc(text: string): Ruc | null {
  const ruc = normalRuc(text)
  const natural = (RESIDENT.exec(ruc) ?? ABROAD.exec(ruc) ?? SPECIAL.exec(ruc))?.groups
  if (natural) return { ruc, type: 1, dv: checkDigits(digitsOfNatural(natural), false) }
  const legal = LEGAL.exec(ruc)?.groups
  return legal ? { ruc, type: 2, dv: checkDigitsOfLegal(legal) } : null
}

type Parts = Readonly<Record<string, string>>

function digitsOfNatural({ province = '', kind = '', volume = '', entry = '' }: Parts): string {
  return `5${province.padStart(2, '0')}${KIND_DIGITS[kind] ?? ''}${volume.padStart(3, '0')}${entry.padStart(5, '0')}`
}

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
