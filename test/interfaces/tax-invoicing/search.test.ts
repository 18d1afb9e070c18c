/** Searches in lists: wildcard characters are compared literally. */
import { expect, test } from 'vitest'
import { freshInvoicing, invoiceBody, line, PUBLIC } from '../../support/taxInvoicing.ts'

interface Page {
  readonly data: readonly { readonly id: string }[]
}

test.each(['%', '_', '\\'])('finds %s only where it occurs', async (sign) => {
  const { ask } = await freshInvoicing()
  const { impuestos: _taxes, cantidad: _quantity, ...product } = line({ objeto_imp: '01' })
  const made: Record<string, string[]> = { invoices: [], clients: [], products: [] }
  for (const name of ['PLAIN', `A ${sign} B`]) {
    const receptor = { ...PUBLIC, nombre: name }
    const add = async (path: string, body: Readonly<Record<string, unknown>>) => {
      made[path]?.push((await ask<{ id: string }>('POST', `/${path}`, body)).id)
    }
    await add('invoices', invoiceBody({ receptor }))
    await add('clients', { rfc: PUBLIC.rfc, nombre: name })
    await add('products', { ...product, nombre_interno: name })
  }
  for (const [path, [, id]] of Object.entries(made)) {
    const { data } = await ask<Page>('GET', `/${path}?search=${encodeURIComponent(sign)}`)
    expect(data.map((each) => each.id)).toEqual([id])
  }
})
