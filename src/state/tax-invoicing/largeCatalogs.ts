/**
 * The catalogs of units (c_ClaveUnidad, whole) and of products and services (c_ClaveProdServ). Of the latter these are the
 * classes, some 3,800; the keys of products, which begin with the six digits of their class, are known by that.
 */
import productPairs from './catalogs/products.json' with { type: 'json' }
import unitPairs from './catalogs/units.json' with { type: 'json' }
import type { CatalogEntry } from './satCatalogs.ts'

const NOT_IN_THE_CATALOG: CatalogEntry = { clave: '01010101', descripcion: 'No existe en el catálogo' }

/** Keys with what they stand for; the second of each pair is there, for the files were made so. */
const entries = (pairs: readonly string[][]): CatalogEntry[] =>
  pairs.map(([clave = '', descripcion = '']) => ({ clave, descripcion }))

/** In the order of their keys. */
export const UNITS: readonly CatalogEntry[] = entries(unitPairs)

/** In the order of their keys. */
export const PRODUCT_CLASSES: readonly CatalogEntry[] = [NOT_IN_THE_CATALOG, ...entries(productPairs)]

const unitKeys = new Set(UNITS.map(({ clave }) => clave))
const classes = new Set(productPairs.map(([clave = '']) => clave.slice(0, 6)))

export const isUnitKey = (key: string): boolean => unitKeys.has(key)

/** Whether a key of eight digits is that of a known class, or of a product of one. */
export const isProductKey = (key: string): boolean =>
  key === NOT_IN_THE_CATALOG.clave || (/^\d{8}$/.test(key) && classes.has(key.slice(0, 6)))
