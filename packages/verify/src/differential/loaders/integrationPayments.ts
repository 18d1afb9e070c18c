/** Products, customers and links of a project. */
import type { Readings } from '../../crawl/readings.ts'
import { columns, filteredBy, rowsOf, type Loaded, type Loader } from './loader.ts'

const PRODUCT = [
  ...['id', 'productCode', 'name', 'description', 'paymentType', 'requiresSubscription', 'price', 'currency'],
  ...['billingPeriod', 'billingInterval', 'status', 'createdAt', 'updatedAt'],
]
const CUSTOMER = [
  ...['id', 'name', 'email', 'phone', 'status', 'paymentProvider', 'customerVaultId', 'cardLast4'],
  ...['cardBrand', 'cardBin', 'cardExp', 'createdAt', 'updatedAt'],
]
const LINK = [
  ...['id', 'hashUrl', 'linkType', 'customerName', 'concept', 'amount', 'status', 'isTest'],
  ...['paymentMethods', 'requestCustomerEmail', 'redirectUrl', 'metadata', 'createdAt', 'expiresAt'],
  ...['completedAt', 'cancelledAt'],
]

export const integrationPayments: Loader = { load }

function load(readings: Readings): Loaded {
  const products = rowsOf(readings, 'listProducts')
  const customers = rowsOf(readings, 'listCustomers')
  const links = rowsOf(readings, 'listPaymentLinks')
  const providers = filteredBy(readings, 'listPaymentLinks', 'paymentProvider')
  return {
    snapshot: {
      'integration-payments': {
        products: products.rows.map(({ row }) => columns(row, PRODUCT)),
        customers: customers.rows.map(({ row }) => columns(row, CUSTOMER)),
        links: links.rows.map(({ row }) => ({
          ...columns(row, LINK),
          currency: 'USD',
          paymentProvider: providers?.get(row['id']) ?? null,
          updatedAt: row['cancelledAt'] ?? row['completedAt'] ?? row['createdAt'],
        })),
      },
    },
    unknown: [
      // The project is the workspace.
      ...['listProducts.data.products[].projectId', 'getProduct.data.product.projectId'],
      ...['listCustomers.data.customers[].projectId', 'getCustomer.data.customer.projectId'],
      ...(providers ? [] : ['listPaymentLinks?paymentProvider*']),
    ],
    isComplete: [products, customers, links].every(({ isComplete }) => isComplete),
  }
}
