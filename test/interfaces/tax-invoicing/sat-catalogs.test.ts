/** The catalogs of the tax authority. Specification part 2, "Tax invoicing". */
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'

interface Page {
  readonly data: readonly { readonly clave: string; readonly descripcion: string }[]
  readonly meta: {
    readonly current_page: number
    readonly total_pages: number
    readonly total_count: number
  }
}

async function reader() {
  const fresh = await freshApp()
  return async (path: string): Promise<Page> => {
    const { status, body, text } = await fresh.at('tax-invoicing')('GET', `/sat-catalogs/${path}`)
    if (status !== 200) throw new Error(`answered ${String(status)}: ${text}`)
    return body as Page
  }
}

const keys = ({ data }: Page): string[] => data.map(({ clave }) => clave)

test.each([
  ['tax-regimes', 19, '601', 'General de Ley Personas Morales'],
  ['cfdi-uses', 24, 'G01', 'Adquisición de mercancías.'],
  ['payment-forms', 22, '01', 'Efectivo'],
  ['units', 129, '10', 'Grupos'],
  ['products', 290, '01010101', 'No existe en el catálogo'],
])('has in %s %i entries', async (path, count, clave, descripcion) => {
  const get = await reader()
  const { data, meta } = await get(`${path}?per_page=1`)
  expect(data).toEqual([{ clave, descripcion }])
  expect(meta).toEqual({ current_page: 1, total_pages: count, total_count: count })
})

test.each(['tax-regimes', 'payment-forms', 'units', 'products'])('sorts %s by their keys', async (path) => {
  const get = await reader()
  const pages = await Promise.all([1, 2, 3].map((page) => get(`${path}?per_page=100&page=${String(page)}`)))
  const found = pages.flatMap(keys)
  expect(found).toEqual([...found].sort())
  expect(new Set(found).size).toBe(found.length)
})

test.each([
  ['products?search=cafe', '50201700'],
  ['products?search=CAF%C3%89', '50201700'],
  ['products?search=carne%20corral%20aves', '50111500'],
  ['products?search=corral,%20aves!', '50111500'],
  ['products?search=5020170', '50201700'],
  ['units?search=kilogramo', 'KGM'],
  ['units?search=kgm', 'KGM'],
  ['units?search=h87', 'H87'],
])('in %s finds %s', async (path, clave) => {
  const get = await reader()
  expect(keys(await get(`${path}&per_page=100`))).toContain(clave)
})

test.each([
  ['products?search=afe%20'],
  ['products?search=aves%20zzz'],
  ['units?search=nothing%20like%20that'],
])('in %s finds nothing', async (path) => {
  const get = await reader()
  const { data, meta } = await get(path)
  expect([data, meta]).toEqual([[], { current_page: 1, total_pages: 0, total_count: 0 }])
})

test.each(['units', 'products'])('compares special characters literally among %s', async (path) => {
  const get = await reader()
  const pages = await Promise.all([1, 2, 3].map((page) => get(`${path}?per_page=100&page=${String(page)}`)))
  const all = pages.flatMap(({ data }) => data)
  for (const sign of ['%', '_', '\\', '-', '(', ',', '%%', 'a%', '_e', '\\%']) {
    const found = await get(`${path}?per_page=100&search=${encodeURIComponent(sign)}`)
    const holding = all.filter(({ clave, descripcion }) => `${clave} ${descripcion}`.includes(sign))
    expect([sign, found.meta.total_count]).toEqual([sign, holding.length])
  }
})

test.each(['', '%20'])('returns everything for the search "%s"', async (text) => {
  const get = await reader()
  expect((await get(`units?search=${text}`)).meta.total_count).toBe(129)
})

test('uses at most twenty words of a search', async () => {
  const get = await reader()
  const { meta } = await get(`products?search=${encodeURIComponent('a '.repeat(100))}`)
  expect(meta.total_count).toBeGreaterThan(0)
})
