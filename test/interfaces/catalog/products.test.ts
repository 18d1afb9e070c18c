/** Specification part 1, "Product (catalog interface)", "Catalog interface", "Errors", "Limits". */
import { describe, expect, test } from 'vitest'
import { freshCatalog, invalid, NANOID, NOON } from '../../support/catalog.ts'
import { dumpOf, loadRecords } from '../../support/records.ts'

const LATER = '2026-11-21T12:30:00.000Z'

describe('creating a product', () => {
  test('with only a name and a type returns 201 with the default of every other field', async () => {
    const { call, fresh } = await freshCatalog()

    const answer = await call('POST', '/products', { body: { name: 'Standing desk', type: 'physical' } })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(NANOID) as string,
        name: 'Standing desk',
        type: 'physical',
        category: null,
        sku: null,
        description: null,
        basePrice: null,
        currency: 'USD',
        taxRate: null,
        unit: null,
        status: 'active',
        ownerId: fresh.user.id,
        ownerName: 'Test User',
        hasVariants: false,
        metadata: {},
        sortOrder: 0,
        createdAt: NOON,
        updatedAt: NOON,
      },
    })
  })

  test('with every field returns each value', async () => {
    const { call, fresh } = await freshCatalog()
    const other = fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    const body = {
      name: 'Standing desk',
      type: 'physical',
      category: 'Furniture',
      sku: 'DSK-001',
      description: 'Height from 60 to 125 cm',
      basePrice: '149.90',
      currency: 'MXN',
      taxRate: '16.00',
      unit: 'piece',
      status: 'draft',
      ownerId: other.id,
      hasVariants: true,
      metadata: { colour: 'oak', sizes: [60, 80], nested: { none: null } },
      sortOrder: 7,
    }

    const answer = await call('POST', '/products', { body })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      data: {
        ...body,
        id: expect.stringMatching(NANOID) as string,
        ownerName: 'Second User',
        createdAt: NOON,
        updatedAt: NOON,
      },
    })
  })

  test('reports every invalid field at once', async () => {
    const { call } = await freshCatalog()

    const answer = await call('POST', '/products', { body: { type: 'toy', basePrice: 5 } })

    expect(answer.body).toEqual({
      error: {
        code: 'validation_error',
        message: expect.any(String) as string,
        details: [
          { field: 'name', code: 'required', message: 'name is required' },
          {
            field: 'type',
            code: 'not_allowed',
            message: 'type must be one of physical, service, subscription, digital',
          },
          { field: 'basePrice', code: 'invalid_type', message: 'basePrice must be a string or null' },
        ],
      },
    })
  })

  test('uses the currency of the workspace, and keeps it after the workspace changes', async () => {
    const { fresh, getProduct, addProduct } = await freshCatalog()
    const { workspace, key } = fresh.tenant({ currency: 'PAB' })

    const product = await addProduct({}, { key })
    workspace.change({ currency: 'MXN' })

    expect(product.currency).toBe('PAB')
    expect((await getProduct(product.id, { key })).currency).toBe('PAB')
    expect((await addProduct({}, { key })).currency).toBe('MXN')
  })

  test('assigns it to the user of the key', async () => {
    const { fresh, addProduct } = await freshCatalog()
    const user = fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    const key = fresh.makeKey({ userId: user.id })

    expect(await addProduct({}, { key })).toMatchObject({ ownerId: user.id, ownerName: 'Second User' })
  })
})

/** Decimals are texts, because a JSON number would lose digits. */
const NO_DECIMALS = ['', ' ', 'abc', '-1', '+1', '1.', '.5', '1,5', '1e3', ' 1', '1\n', '1.2.3', '٣', 'NaN']

describe('each field', () => {
  test.each(['0', '9', '149.90', '0.000001', '007.50', '999999999999999.999999'])(
    'basePrice and taxRate accept %s and return it unchanged',
    async (decimal) => {
      const { addProduct, getProduct } = await freshCatalog()

      const product = await addProduct({ basePrice: decimal, taxRate: decimal })

      expect(product).toMatchObject({ basePrice: decimal, taxRate: decimal })
      expect(await getProduct(product.id)).toEqual({ ...product, plans: [] })
    },
  )

  test.each([
    ...[...NO_DECIMALS, '7%'].map((text) => [text, 'invalid_format', 'must be a decimal number'] as const),
    ['-0.5', 'invalid_format', 'must be a decimal number that is not negative'],
    ['1234567890123456', 'too_large', 'must have at most 15 digits before the decimal point'],
    ['0.1234567', 'too_precise', 'must have at most 6 decimals'],
  ] as const)('basePrice and taxRate refuse %j as %s', async (text, code, words) => {
    const { call } = await freshCatalog()

    for (const field of ['basePrice', 'taxRate']) {
      const answer = await call('POST', '/products', {
        body: { name: 'Desk', type: 'physical', [field]: text },
      })
      expect(answer).toMatchObject(invalid(field, code))
      expect(answer.text).toContain(`${field} ${words}`)
    }
  })

  test('changes alone, and nothing else changes', async () => {
    const { addProduct, putProduct, getProduct, setClock } = await freshCatalog()
    const product = await addProduct({ category: 'Furniture', sku: 'DSK-001', metadata: { a: 'b' } })
    setClock(LATER)

    let expected = product
    const changes = {
      sku: null,
      category: 'Office',
      name: ' padded ',
      metadata: { '': '', 'a b': [null, { c: 1.5 }] },
    }
    for (const [field, value] of Object.entries(changes)) {
      expected = { ...expected, [field]: value, updatedAt: LATER }
      expect(await putProduct(product.id, { [field]: value })).toEqual(expected)
    }
    expect(await getProduct(product.id)).toEqual({ ...expected, plans: [] })
  })

  test('ownerId accepts a user of the workspace and refuses one of another', async () => {
    const { call, fresh, addProduct, putProduct } = await freshCatalog()
    const colleague = fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    const stranger = fresh.tenant().user
    const { id } = await addProduct()

    expect(await putProduct(id, { ownerId: colleague.id })).toMatchObject({
      ownerId: colleague.id,
      ownerName: 'Second User',
    })
    expect(await call('PUT', `/products/${id}`, { body: { ownerId: stranger.id } })).toMatchObject(
      invalid('ownerId', 'unknown'),
    )
    expect(
      await call('POST', '/products', { body: { name: 'Desk', type: 'physical', ownerId: stranger.id } }),
    ).toMatchObject(invalid('ownerId', 'unknown'))
  })
})

describe('hasVariants', () => {
  test.each(['service', 'subscription', 'digital'])(
    'is false for a %s, with any value sent',
    async (type) => {
      const { addProduct, putProduct } = await freshCatalog()

      const product = await addProduct({ type, hasVariants: true })

      expect(product.hasVariants).toBe(false)
      expect((await putProduct(product.id, { hasVariants: true })).hasVariants).toBe(false)
    },
  )

  test('becomes false when a physical product gets another type, and stays false', async () => {
    const { addProduct, putProduct } = await freshCatalog()
    const { id, hasVariants } = await addProduct({ hasVariants: true })

    expect(hasVariants).toBe(true)
    expect(await putProduct(id, { type: 'digital' })).toMatchObject({ type: 'digital', hasVariants: false })
    expect(await putProduct(id, { type: 'physical' })).toMatchObject({ type: 'physical', hasVariants: false })
    expect((await putProduct(id, { hasVariants: true })).hasVariants).toBe(true)
  })

  test('is kept by other changes of a physical product', async () => {
    const { addProduct, putProduct } = await freshCatalog()
    const { id } = await addProduct({ hasVariants: true })

    expect((await putProduct(id, { name: 'Desk', type: 'physical' })).hasVariants).toBe(true)
  })
})

describe('updating a product', () => {
  test('changes all fields at once', async () => {
    const { addProduct, putProduct, setClock } = await freshCatalog()
    const product = await addProduct()
    setClock(LATER)
    const fields = {
      name: 'Oak desk',
      type: 'physical',
      category: 'Office',
      sku: 'DSK-002',
      description: 'Oak',
      basePrice: '249.00',
      currency: 'PAB',
      taxRate: '7.00',
      unit: 'box',
      status: 'archived',
      ownerId: null,
      hasVariants: true,
      metadata: { a: 1 },
      sortOrder: -1,
    }

    expect(await putProduct(product.id, fields)).toEqual({
      ...product,
      ...fields,
      ownerName: null,
      updatedAt: LATER,
    })
  })

  test('replaces metadata completely', async () => {
    const { addProduct, putProduct } = await freshCatalog()
    const { id } = await addProduct({ metadata: { a: 1, b: 2 } })

    expect((await putProduct(id, { metadata: { b: 3 } })).metadata).toEqual({ b: 3 })
  })

  test('with variants, which a service has not, changes nothing and emits no event', async () => {
    const { addProduct, putProduct, setClock, fresh } = await freshCatalog()
    const service = await addProduct({ type: 'service' })
    const before = fresh.dump()
    setClock(LATER)

    expect(await putProduct(service.id, { hasVariants: true })).toEqual(service)
    expect(fresh.dump()).toEqual(before)
  })
})

describe('deleting a product', () => {
  test('is soft: the record and the time of its deletion remain for references', async () => {
    const { call, fresh, addProduct, setClock, addActivity, listActivities } = await freshCatalog()
    const { id } = await addProduct()
    const activity = await addActivity({ entityType: 'product', entityId: id })
    setClock(LATER)
    await call('DELETE', `/products/${id}`)

    expect(dumpOf(fresh.app.records, fresh.workspace)['catalog']?.['products']).toMatchObject([
      { id, name: 'Standing desk', deletedAt: LATER },
    ])
    expect((await listActivities(`?entity_type=product&entity_id=${id}`)).data).toEqual([activity])
  })
})

describe('plans', () => {
  const plan = (id: string, productId: string, more: object = {}) => ({
    id,
    productId,
    name: `Plan ${id}`,
    price: '9.90',
    currency: 'USD',
    billingPeriod: 'month',
    billingInterval: 1,
    trialDays: 14,
    status: 'active',
    createdAt: NOON,
    updatedAt: LATER,
    ...more,
  })

  test.each(['service', 'subscription', 'digital'])(
    'of a %s are shown only by get, oldest first',
    async (type) => {
      const { fresh, addProduct, getProduct, listProducts, putProduct } = await freshCatalog()
      const product = await addProduct({ type })
      const other = await addProduct({ type })
      const snapshot = dumpOf(fresh.app.records, fresh.workspace)
      await loadRecords(fresh.app, fresh.workspace, {
        catalog: {
          ...snapshot['catalog'],
          productPlans: [
            plan('second', product.id, { createdAt: LATER, status: 'archived' }),
            plan('first', product.id, { billingPeriod: null, billingInterval: null }),
            plan('foreign', other.id),
          ],
        },
      })

      expect(await getProduct(product.id)).toEqual({
        ...product,
        plans: [
          {
            id: 'first',
            name: 'Plan first',
            price: '9.90',
            currency: 'USD',
            billingPeriod: null,
            billingInterval: null,
            trialDays: 14,
            status: 'active',
            createdAt: NOON,
            updatedAt: LATER,
          },
          {
            id: 'second',
            name: 'Plan second',
            price: '9.90',
            currency: 'USD',
            billingPeriod: 'month',
            billingInterval: 1,
            trialDays: 14,
            status: 'archived',
            createdAt: LATER,
            updatedAt: LATER,
          },
        ],
      })
      expect((await listProducts()).data).toEqual([other, product])
      expect(await putProduct(product.id, {})).toEqual(product)
    },
  )

  test.each(['service', 'subscription', 'digital'])(
    'of a %s are an empty list if there are none',
    async (type) => {
      const { addProduct, getProduct } = await freshCatalog()
      const product = await addProduct({ type })

      expect(await getProduct(product.id)).toEqual({ ...product, plans: [] })
    },
  )

  test('are not shown after the product becomes physical', async () => {
    const { fresh, addProduct, putProduct, getProduct } = await freshCatalog()
    const { id } = await addProduct({ type: 'service' })
    const snapshot = dumpOf(fresh.app.records, fresh.workspace)
    await loadRecords(fresh.app, fresh.workspace, {
      catalog: { ...snapshot['catalog'], productPlans: [plan('first', id)] },
    })
    expect((await getProduct(id)).plans).toHaveLength(1)

    await putProduct(id, { type: 'physical' })

    expect((await getProduct(id)).plans).toEqual([])
  })
})
