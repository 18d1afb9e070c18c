/**
 * Products and services that lines of invoices are made of. Specification part 2, "Tax invoicing". Their keys, units and
 * taxes are checked as those of lines are.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { numbered } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { folded, searchedIn } from '../searching.ts'
import { text, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { decimalsOf, LINE_DECIMALS } from './amounts.ts'
import type { Invoice } from './invoices.ts'
import { isProductKey, isUnitKey } from './largeCatalogs.ts'
import { OBJECT_CODES, TAXES } from './satCatalogs.ts'
import { amount, rates } from './shapes.ts'
import { products as table, type Tax, type Taxes } from './tables.ts'
import { isKnownRate, type Side } from './taxRates.ts'

export type Product = typeof table.$inferSelect

type SentField =
  | 'nombreInterno'
  | 'claveProdServ'
  | 'descripcion'
  | 'claveUnidad'
  | 'valorUnitario'
  | 'objetoImp'
  | 'impuestos'

export type ProductFields = { readonly [Field in SentField]?: Product[Field] }
export type NewProduct = Pick<Product, SentField>

export const LONGEST_NAME = 200
export const LONGEST_DESCRIPTION = 1000

/** Products in the order and with the filters of GET /products. */
export const products = record(table, {
  noun: 'product',
  derived: {
    nameKey: folded(({ nombreInterno }: Pick<Product, 'nombreInterno'>) => [nombreInterno]),
    searchKey: folded(
      ({
        nombreInterno,
        claveProdServ,
        descripcion,
      }: Pick<Product, 'nombreInterno' | 'claveProdServ' | 'descripcion'>) => [
        nombreInterno,
        claveProdServ,
        descripcion,
      ],
    ),
    // Only the order of lists is made of it.
    priceKey: ({ valorUnitario }: Pick<Product, 'valorUnitario'>) => Number(valorUnitario),
  },
  list: numbered({
    sorts: {
      name: table.nameKey,
      price: table.priceKey,
      created_at: table.createdAt,
      usage_count: table.usageCount,
    },
    filters: {
      search: searchedIn(table.searchKey),
      clave_prod_serv: (value) => sql`${table.claveProdServ} = ${value}`,
    },
    indexes: {
      name: [table.nameKey],
      price: [table.priceKey],
      usage_count: [table.usageCount],
    },
  }),
  snapshot: {
    section: 'tax-invoicing',
    name: 'products',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({
      nombreInterno: text(LONGEST_NAME),
      descripcion: text(LONGEST_DESCRIPTION),
      valorUnitario: amount(),
      impuestos: rates(),
      usageCount: whole(0),
    }),
  },
})

const named = query((orm) =>
  orm
    .select()
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.claveProdServ, sql.placeholder('key')),
        eq(table.descripcion, sql.placeholder('description')),
      ),
    )
    .orderBy(asc(sql`rowid`)),
)

/** Told of every invoice that was stamped, after that. Only inside a `write`. */
export function countUsesOfProducts(workspace: Workspace, { conceptos }: Pick<Invoice, 'conceptos'>): void {
  for (const { claveProdServ, descripcion } of conceptos) {
    for (const product of named.all(workspace, { key: claveProdServ, description: descripcion })) {
      products.update(workspace, product, { usageCount: product.usageCount + 1 })
    }
  }
}

// ---------------------------------------------------------------- what may be kept

function mustBeValid({ claveProdServ, claveUnidad, valorUnitario, objetoImp, impuestos }: NewProduct): void {
  if (decimalsOf(valorUnitario) > LINE_DECIMALS) {
    refuseProperty('valorUnitario', 'too_precise', '{valorUnitario} must have at most six decimals')
  }
  if (descripcion.includes('|')) {
    refuseProperty('descripcion', 'invalid_format', '{descripcion} must not hold a |')
  }
  if (!isProductKey(claveProdServ)) {
    refuseProperty(
      'claveProdServ',
      'CFDI40162',
      '{claveProdServ} must be a key of the catalog of products and services',
    )
  }
  if (!isUnitKey(claveUnidad)) {
    refuseProperty('claveUnidad', 'CFDI40165', '{claveUnidad} must be a key of the catalog of units')
  }
  if (!OBJECT_CODES.has(objetoImp)) {
    refuseProperty('objetoImp', 'CFDI40170', '{objetoImp} must be a key of the catalog of objects of tax')
  }
  mustFitObject(objetoImp, impuestos)
  impuestos.traslados.forEach((tax, place) => {
    mustBeTax(tax, 'traslado', `impuestos.traslados.${String(place)}`)
  })
  impuestos.retenciones.forEach((tax, place) => {
    mustBeTax(tax, 'retencion', `impuestos.retenciones.${String(place)}`)
  })
}

/** Codes of c_ObjetoImp under which there are taxes, and under which there are none. */
const WITH_TAXES = ['02', '05', '07']
const WITHOUT_TAXES = ['01', '03', '04', '08']

function mustFitObject(objetoImp: string, { traslados, retenciones }: Taxes<Tax>): void {
  const count = traslados.length + retenciones.length
  if (WITH_TAXES.includes(objetoImp) && count === 0) {
    refuseProperty(
      'impuestos',
      'CFDI40171',
      `{impuestos} must not be empty where {objetoImp} is ${objetoImp}`,
    )
  }
  if (WITHOUT_TAXES.includes(objetoImp) && count > 0) {
    refuseProperty('impuestos', 'CFDI40172', `{impuestos} must be empty where {objetoImp} is ${objetoImp}`)
  }
}

/** The catalog writes rates with so many. */
export const RATE_DECIMALS = 6

/** The authority's codes of the rules that hold for both sides. */
const CODES = {
  traslado: { impuesto: 'CFDI40175', tasa: 'CFDI40179' },
  retencion: { impuesto: 'CFDI40182', tasa: 'CFDI40185' },
} as const

function mustBeTax(tax: Tax, side: Side, at: string): void {
  const { impuesto, tipoFactor, tasa } = tax
  const codes = CODES[side]
  if (TAXES.get(impuesto)?.[side] !== true) {
    refuseProperty(
      `${at}.impuesto`,
      codes.impuesto,
      `{${at}.impuesto} must be a tax of the catalog that can be ${side === 'traslado' ? 'charged' : 'withheld'}`,
    )
  }
  if (tipoFactor === 'Exento') {
    if (side === 'retencion') {
      refuseProperty(
        `${at}.tipoFactor`,
        'CFDI40184',
        `{${at}.tipoFactor} must not be Exento where a tax is withheld`,
      )
    }
    if (tasa !== null) {
      refuseProperty(
        `${at}.tasa`,
        'CFDI40177',
        `{${at}.tasa} must be left out where {${at}.tipoFactor} is Exento`,
      )
    }
  } else if (tasa === null) {
    const code = side === 'traslado' ? 'CFDI40178' : codes.tasa
    refuseProperty(`${at}.tasa`, code, `{${at}.tasa} is required where {${at}.tipoFactor} is ${tipoFactor}`)
  } else if (decimalsOf(tasa) > RATE_DECIMALS || !isKnownRate(tax, side)) {
    refuseProperty(
      `${at}.tasa`,
      codes.tasa,
      `{${at}.tasa} must be a rate of the catalog for the tax ${impuesto}`,
    )
  }
}

// ---------------------------------------------------------------- actions

export function createProduct(workspace: Workspace, fields: NewProduct): Product {
  mustBeValid(fields)
  return workspace.write(() => {
    const now = workspace.now()
    return products.insert(workspace, {
      ...fields,
      id: workspace.ids.prefixed('prod_'),
      usageCount: 0,
      createdAt: now,
      updatedAt: now,
    })
  })
}

/** Changes what was sent. */
export function updateProduct(workspace: Workspace, product: Product, fields: ProductFields): Product {
  mustBeValid({ ...product, ...fields })
  return workspace.write(() => products.update(workspace, product, { ...fields, updatedAt: workspace.now() }))
}

/** Removes a product that no line was made of. */
export function deleteProduct(workspace: Workspace, product: Product): void {
  workspace.write(() => {
    if (product.usageCount > 0) {
      refuse(
        'conflict',
        `The product stands in ${String(product.usageCount)} lines of invoices and can't be deleted.`,
      )
    }
    products.remove(workspace, product.id)
  })
}
