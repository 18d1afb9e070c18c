/** Countries by their ISO 3166-1 alpha-2 codes, with their names in English. */
import { fold } from '@suite-sim/kit/text/collation'
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(english.countries as Readonly<Record<string, string | readonly string[]>>).map(
    ([code, name]) => [code, typeof name === 'string' ? name : (name[0] ?? code)],
  ),
)

/** Checks whether a country has this code, in upper case: "PA". */
export const isCountry = (code: string): boolean => names.has(code)

/** Returns "Panama" for "PA". Unknown codes are returned unchanged. */
export const countryName = (code: string): string => names.get(code) ?? code

const codes = new Map([...names].map(([code, name]) => [fold(name), code]))

/** Returns "PA" for "PA", "pa", "Panama" and "Panamá"; undefined if no country matches. */
export const countryCalled = (text: string): string | undefined =>
  isCountry(text.toUpperCase()) ? text.toUpperCase() : codes.get(fold(text))

/** Returns all countries, sorted by name. */
export const countries = (): { readonly code: string; readonly name: string }[] =>
  [...names].map(([code, name]) => ({ code, name })).sort((one, other) => (one.name < other.name ? -1 : 1))
