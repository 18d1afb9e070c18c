/** Catalogs of the tax authority. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { pageOf } from '../../http/lists/pages.ts'
import { fixedPages } from '../../http/definition/paging.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { addHint } from '../../state/timeline/causes.ts'
import {
  createSearchableCatalog,
  type SearchableCatalog,
} from '../../state/tax-invoicing/catalogs/catalogSearch.ts'
import { isSelection, largeCatalogs } from '../../state/tax-invoicing/catalogs/largeCatalogs.ts'
import {
  CFDI_USES,
  PAYMENT_FORMS,
  TAX_REGIMES,
  type CatalogEntry as Entry,
} from '../../state/tax-invoicing/catalogs/satCatalogs.ts'
import { CatalogEntry, CatalogQuery, SearchQuery } from './shapes/satCatalogs.ts'

const PRODUCTS = createSearchableCatalog(() => largeCatalogs().products)
const UNIT_KEYS = createSearchableCatalog(() => largeCatalogs().units)

const searchable = (catalog: ReadonlyMap<string, Entry>): SearchableCatalog<Entry> =>
  createSearchableCatalog(() => [...catalog.values()])

const REGIMES = searchable(TAX_REGIMES)
const USES = searchable(CFDI_USES)
const FORMS = searchable(PAYMENT_FORMS)

interface PageRequest {
  readonly page: number
  readonly per_page: number
  readonly search?: string
}

function page(catalog: SearchableCatalog<Entry>, { page, per_page: perPage, search = '' }: PageRequest) {
  const { items, facts } = pageOf(catalog.search(search), page, perPage)
  const data = items.map(({ clave, descripcion }) => ({ clave, descripcion }))
  return { data, meta: pageMeta(facts) }
}

/** Returns a page of a catalog that may be a selection. The call gets a hint if its search finds nothing there. */
function pageOfSelection(name: 'products' | 'units', query: PageRequest) {
  const { catalog, key } = SELECTIONS[name]
  const found = page(catalog, query)
  if (found.meta.total_count === 0 && isSelection(name)) {
    addHint(
      'catalog_selection',
      `The search found nothing in the ${String(largeCatalogs()[name].length)} entries that the simulator has of ${key}. They are a selection: the catalog of the authority has many more.`,
    )
  }
  return found
}

const SELECTIONS = {
  products: { catalog: PRODUCTS, key: 'c_ClaveProdServ' },
  units: { catalog: UNIT_KEYS, key: 'c_ClaveUnidad' },
} as const

const IN_ORDER = 'Assumed: the entries are in the order of their keys.'

const answers = { 200: PageOf(CatalogEntry) }

export const satCatalogs: Resource = async (app) => {
  const at = routesOf(app, {
    tag: 'Catalogs',
    scope: 'catalogs:read',
    paging: fixedPages('The catalogs of the authority are the same in every workspace.'),
  })
  at('/sat-catalogs/products').get({
    id: 'listProductKeys',
    givesHints: true,
    summary: 'Search the keys of products and services',
    description:
      'Returns a selection of about 290 keys of c_ClaveProdServ. Invoice lines also accept any other key of an existing product family. With --sat-catalogs, the operation returns the official catalog, and invoice lines accept only its keys.',
    fidelity: documentedBut(IN_ORDER),
    query: SearchQuery,
    answers,
    run: ({ query }) => pageOfSelection('products', query),
  })

  at('/sat-catalogs/units').get({
    id: 'listUnitKeys',
    givesHints: true,
    summary: 'Search the keys of units',
    description:
      'Returns a selection of about 130 keys of c_ClaveUnidad. Invoice lines accept only these keys. With --sat-catalogs, the operation returns the official catalog.',
    fidelity: documentedBut(IN_ORDER),
    query: SearchQuery,
    answers,
    run: ({ query }) => pageOfSelection('units', query),
  })

  at('/sat-catalogs/tax-regimes').get({
    id: 'listTaxRegimes',
    summary: 'List tax regimes',
    description: 'Returns all entries of c_RegimenFiscal.',
    fidelity: documentedBut(IN_ORDER),
    query: CatalogQuery,
    answers,
    run: ({ query }) => page(REGIMES, query),
  })

  at('/sat-catalogs/cfdi-uses').get({
    id: 'listCfdiUses',
    summary: 'List uses of invoices',
    description: 'Returns all entries of c_UsoCFDI.',
    fidelity: documentedBut('Assumed: the entries are in the order of the list of the authority.'),
    query: CatalogQuery,
    answers,
    run: ({ query }) => page(USES, query),
  })

  at('/sat-catalogs/payment-forms').get({
    id: 'listPaymentForms',
    summary: 'List payment forms',
    description: 'Returns all entries of c_FormaPago.',
    fidelity: documentedBut(IN_ORDER),
    query: CatalogQuery,
    answers,
    run: ({ query }) => page(FORMS, query),
  })
}
