/**
 * Loads official catalogs of the tax authority from a folder of the user: any of c_ClaveProdServ, c_ClaveUnidad and
 * c_CodigoPostal, as .csv (a header line, then rows of key and description) or as .json (a list of pairs, or of objects whose
 * first two values are the key and the description).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { createKeyCheck, replaceCatalogs, type LargeCatalogs } from './largeCatalogs.ts'
import type { CatalogEntry } from './satCatalogs.ts'

/** An unusable catalog file. The message is one line for the terminal. */
export class CatalogProblem extends Error {
  override readonly name = 'CatalogProblem'
}

type Catalogs = Partial<LargeCatalogs>

/** The file names, the pattern of their keys, and the catalogs that they replace. */
const FILES: readonly {
  readonly name: string
  readonly key: RegExp
  readonly replaces: (entries: readonly CatalogEntry[]) => Catalogs
}[] = [
  {
    name: 'c_ClaveProdServ',
    key: /^\d{8}$/,
    replaces: (products) => ({ products, isProductKey: createKeyCheck(products) }),
  },
  {
    name: 'c_ClaveUnidad',
    key: /^[A-Z\d]{1,3}$/,
    replaces: (units) => ({ units, isUnitKey: createKeyCheck(units) }),
  },
  { name: 'c_CodigoPostal', key: /^\d{5}$/, replaces: (codes) => ({ isPostalCode: createKeyCheck(codes) }) },
]

/** Loads the catalogs of a folder. Throws a CatalogProblem if it has none of the files, or an invalid one. */
export function loadOfficialCatalogs(folder: string): void {
  const found = FILES.flatMap((each) =>
    ['csv', 'json']
      .map((kind) => join(folder, `${each.name}.${kind}`))
      .filter((file) => existsSync(file))
      .slice(0, 1)
      .map((file) => ({ ...each, file })),
  )
  if (found.length === 0) {
    const names = FILES.map(({ name }) => `${name}.csv`).join(', ')
    throw new CatalogProblem(
      `cannot use the catalogs in ${folder}: the folder must contain at least one of ${names} (or .json)`,
    )
  }
  for (const { file, key, replaces } of found) replaceCatalogs(replaces(readCatalog(file, key)))
}

function readCatalog(file: string, key: RegExp): CatalogEntry[] {
  const entries = rowsOf(file)
    .map(([clave = '', descripcion = '']) => ({ clave: clave.trim(), descripcion: descripcion.trim() }))
    .filter(({ clave }) => key.test(clave))
    .sort((one, other) => (one.clave < other.clave ? -1 : 1))
  if (entries.length === 0)
    throw new CatalogProblem(`cannot use ${file}: at least one row must begin with a key`)
  return entries
}

function rowsOf(file: string): string[][] {
  try {
    const text = readFileSync(file, 'utf8')
    if (file.endsWith('.csv'))
      return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
    const parsed: unknown = JSON.parse(text)
    if (!Array.isArray(parsed)) throw new Error('the JSON must be a list')
    return parsed.map((row: unknown) =>
      typeof row === 'object' && row ? Object.values(row).map(String) : [],
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
    throw new CatalogProblem(`cannot use ${file}: ${reason}`)
  }
}
