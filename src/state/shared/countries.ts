/** Countries by their ISO 3166-1 alpha-2 codes, with their names in English. Pages also show them in Spanish. */
import { fold } from '@suite-sim/kit/text/collation'
import type { Language, Spoken } from '../text/languages.ts'
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

const spanish = new Intl.DisplayNames('es-MX', { type: 'region' })

/** Returns "Panama" for "PA", "Panamá" in Spanish. */
export const countryNameIn =
  (code: string): Spoken =>
  (language) =>
    language === 'es' && isCountry(code) ? (spanish.of(code) ?? code) : countryName(code)

/** Returns all countries, sorted by their names in this language. */
export const countriesIn = (language: Language): { readonly code: string; readonly name: string }[] =>
  [...names.keys()]
    .map((code) => ({ code, name: countryNameIn(code)(language) }))
    .sort((one, other) =>
      language === 'en' ? (one.name < other.name ? -1 : 1) : one.name.localeCompare(other.name, 'es'),
    )
