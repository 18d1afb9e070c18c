/** Country codes in ISO 3166-1 alpha-3, as in the authority's catalog c_Pais. */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }

const countryCodes: ReadonlySet<unknown> = new Set(codes.map(([, alpha3]) => alpha3))

/** Returns true if a country has this code, such as "USA". Case-sensitive. */
export const isCountry3 = (code: string): boolean => countryCodes.has(code)
