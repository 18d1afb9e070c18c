/**
 * The large catalogs of the authority: products and services (c_ClaveProdServ), units (c_ClaveUnidad) and postal codes
 * (c_CodigoPostal). By default, they are a selection of keys, the families of products and the postal prefixes of the states.
 * --sat-catalogs replaces them with the official files.
 */
import productPairs from './products.json' with { type: 'json' }
import unitPairs from './units.json' with { type: 'json' }
import { isOfKnownFamily } from './productFamilies.ts'
import type { CatalogEntry } from './satCatalogs.ts'

export interface LargeCatalogs {
  /** The searchable entries, in the order of their keys. */
  readonly products: readonly CatalogEntry[]
  readonly units: readonly CatalogEntry[]
  /** Also accepts keys that are not in `products`, unless the official file was loaded. */
  readonly isProductKey: (key: string) => boolean
  readonly isUnitKey: (key: string) => boolean
  readonly isPostalCode: (code: string) => boolean
}

const entries = (pairs: readonly string[][]): CatalogEntry[] =>
  pairs.map(([clave = '', descripcion = '']) => ({ clave, descripcion }))

/** Creates a function that checks whether a key is one of the entries. */
export const createKeyCheck = (catalog: readonly CatalogEntry[]): ((key: string) => boolean) => {
  const keys = new Set(catalog.map(({ clave }) => clave))
  return (key) => keys.has(key)
}

/** Postal codes of Mexico City begin with 01 to 16, those of the other states with 20 to 99. */
const POSTAL_CODE = /^(0[1-9]|1[0-6]|[2-9]\d)\d{3}$/

const createSelection = (): LargeCatalogs => {
  const products = entries(productPairs)
  const units = entries(unitPairs)
  const isSelected = createKeyCheck(products)
  return {
    products,
    units,
    isProductKey: (key) => isSelected(key) || isOfKnownFamily(key),
    isUnitKey: createKeyCheck(units),
    isPostalCode: (code) => POSTAL_CODE.test(code),
  }
}

const selection = createSelection()

let catalogs: LargeCatalogs = selection

/** True if a searchable catalog is the selection, because the official file was not loaded. */
export const isSelection = (name: 'products' | 'units'): boolean => catalogs[name] === selection[name]

/** Returns the catalogs of this process. All workspaces share them. */
export const largeCatalogs = (): LargeCatalogs => catalogs

/** Replaces catalogs with official ones. Call it before the server listens. */
export function replaceCatalogs(official: Partial<LargeCatalogs>): void {
  catalogs = { ...catalogs, ...official }
}
