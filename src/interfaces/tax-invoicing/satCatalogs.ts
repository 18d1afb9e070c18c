/** Catalogs of the tax authority. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { pageOf } from '../../http/pages.ts'
import { fixedPages } from '../../http/paging.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { searched, type SearchedCatalog } from '../../state/tax-invoicing/catalogSearch.ts'
import { largeCatalogs } from '../../state/tax-invoicing/largeCatalogs.ts'
import {
  CFDI_USES,
  PAYMENT_FORMS,
  TAX_REGIMES,
  type CatalogEntry as Entry,
} from '../../state/tax-invoicing/satCatalogs.ts'
import { CatalogEntry, CatalogQuery, SearchQuery } from './schemas/satCatalogs.ts'

const catalogOperation = operationsOf({
  tag: 'Catalogs',
  scope: 'catalogs:read',
  answers: { 200: PageOf(CatalogEntry) },
  paging: fixedPages('The catalogs of the authority are the same for everybody.'),
})

const PRODUCTS = searched(() => largeCatalogs().products)
const UNIT_KEYS = searched(() => largeCatalogs().units)

const whole = (of: ReadonlyMap<string, Entry>): SearchedCatalog<Entry> => searched(() => [...of.values()])

const REGIMES = whole(TAX_REGIMES)
const USES = whole(CFDI_USES)
const FORMS = whole(PAYMENT_FORMS)

interface Asked {
  readonly page: number
  readonly per_page: number
  readonly search?: string
}

function page(catalog: SearchedCatalog<Entry>, { page, per_page: perPage, search = '' }: Asked) {
  const { items, facts } = pageOf(catalog.search(search), page, perPage)
  const data = items.map(({ clave, descripcion }) => ({ clave, descripcion }))
  return { data, meta: pageMeta(facts) }
}

const IN_ORDER = 'Assumed: in the order of their keys.'

export const satCatalogs: Resource = async (app) => {
  app.get(
    '/sat-catalogs/products',
    {
      schema: { querystring: SearchQuery },
      config: catalogOperation({
        id: 'listProductKeys',
        summary: 'Search the keys of products and services',
        description:
          'A selection of some 290 keys of c_ClaveProdServ; lines of invoices may also have any other key of a family of products that there is. With --sat-catalogs these are the official files, and no other key is taken.',
        fidelity: documentedBut(IN_ORDER),
      }),
    },
    ({ query }) => page(PRODUCTS, query),
  )

  app.get(
    '/sat-catalogs/units',
    {
      schema: { querystring: SearchQuery },
      config: catalogOperation({
        id: 'listUnitKeys',
        summary: 'Search the keys of units',
        description:
          'A selection of some 130 keys of c_ClaveUnidad, and lines of invoices may have no others. With --sat-catalogs these are the official file.',
        fidelity: documentedBut(IN_ORDER),
      }),
    },
    ({ query }) => page(UNIT_KEYS, query),
  )

  app.get(
    '/sat-catalogs/tax-regimes',
    {
      schema: { querystring: CatalogQuery },
      config: catalogOperation({
        id: 'listTaxRegimes',
        summary: 'List tax regimes',
        description: 'All of c_RegimenFiscal.',
        fidelity: documentedBut(IN_ORDER),
      }),
    },
    ({ query }) => page(REGIMES, query),
  )

  app.get(
    '/sat-catalogs/cfdi-uses',
    {
      schema: { querystring: CatalogQuery },
      config: catalogOperation({
        id: 'listCfdiUses',
        summary: 'List uses of invoices',
        description: 'All of c_UsoCFDI.',
        fidelity: documentedBut('Assumed: in the order in which the authority lists them.'),
      }),
    },
    ({ query }) => page(USES, query),
  )

  app.get(
    '/sat-catalogs/payment-forms',
    {
      schema: { querystring: CatalogQuery },
      config: catalogOperation({
        id: 'listPaymentForms',
        summary: 'List payment forms',
        description: 'All of c_FormaPago.',
        fidelity: documentedBut(IN_ORDER),
      }),
    },
    ({ query }) => page(FORMS, query),
  )
}
