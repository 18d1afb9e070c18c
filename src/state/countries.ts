/** Countries by their ISO 3166-1 alpha-2 codes, with their names in English. */
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(english.countries as Readonly<Record<string, string | readonly string[]>>).map(
    ([code, name]) => [code, typeof name === 'string' ? name : (name[0] ?? code)],
  ),
)

/** Whether there is a country with this code, as it is written: "PA". */
export const isCountry = (code: string): boolean => names.has(code)

/** "Panama" for "PA"; what is no code of a country, as it is. */
export const countryName = (code: string): string => names.get(code) ?? code

const codes = new Map([...names].map(([code, name]) => [name.toLowerCase(), code]))

/** "PA" for "PA", "pa" and "Panama"; undefined where that is no country. */
export const countryCalled = (text: string): string | undefined =>
  isCountry(text.toUpperCase()) ? text.toUpperCase() : codes.get(text.toLowerCase())

/** Every country, by its name. */
export const countries = (): { readonly code: string; readonly name: string }[] =>
  [...names].map(([code, name]) => ({ code, name })).sort((one, other) => (one.name < other.name ? -1 : 1))
