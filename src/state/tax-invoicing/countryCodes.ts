/** Countries by their ISO 3166-1 alpha-3 codes, as the authority has them (c_Pais). */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }

const known: ReadonlySet<unknown> = new Set(codes.map(([, alpha3]) => alpha3))

/** Whether there is a country with this code, as it is written: "USA". */
export const isCountry3 = (code: string): boolean => known.has(code)
