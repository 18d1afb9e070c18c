/**
 * The large catalogs of the authority: products and services (c_ClaveProdServ), units (c_ClaveUnidad) and postal codes
 * (c_CodigoPostal). The program comes with a selection of the first two, and knows families of products and the postal
 * codes of states; whoever has the official files loads them with --sat-catalogs, and is then answered by these alone.
 */
import productPairs from './catalogs/products.json' with { type: 'json' }
import unitPairs from './catalogs/units.json' with { type: 'json' }
import { isOfKnownFamily } from './productFamilies.ts'
import type { CatalogEntry } from './satCatalogs.ts'

export interface LargeCatalogs {
  /** What can be searched, in the order of the keys. */
  readonly products: readonly CatalogEntry[]
  readonly units: readonly CatalogEntry[]
  /** Takes keys that are not among those that can be searched, unless the official files were loaded. */
  readonly isProductKey: (key: string) => boolean
  readonly isUnitKey: (key: string) => boolean
  readonly isPostalCode: (code: string) => boolean
}

const entries = (pairs: readonly string[][]): CatalogEntry[] =>
  pairs.map(([clave = '', descripcion = '']) => ({ clave, descripcion }))

export const among = (known: readonly CatalogEntry[]): ((key: string) => boolean) => {
  const keys = new Set(known.map(({ clave }) => clave))
  return (key) => keys.has(key)
}

/** Those of Mexico City begin with 01 to 16, those of the other states with 20 to 99. */
const POSTAL_CODE = /^(0[1-9]|1[0-6]|[2-9]\d)\d{3}$/

const selection = (): LargeCatalogs => {
  const products = entries(productPairs)
  const units = entries(unitPairs)
  const isSelected = among(products)
  return {
    products,
    units,
    isProductKey: (key) => isSelected(key) || isOfKnownFamily(key),
    isUnitKey: among(units),
    isPostalCode: (code) => POSTAL_CODE.test(code),
  }
}

let catalogs: LargeCatalogs = selection()

/** Those that count in this process: the same for all of its workspaces, as the authority's are. */
export const largeCatalogs = (): LargeCatalogs => catalogs

/** Puts official ones in the place of some of the program's own. Before the server listens. */
export function replaceCatalogs(official: Partial<LargeCatalogs>): void {
  catalogs = { ...catalogs, ...official }
}
