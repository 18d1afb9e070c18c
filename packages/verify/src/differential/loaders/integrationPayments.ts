/** Products, customers and links of a project. */
import type { Answers } from '../../crawl/answers.ts'
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

function load(answers: Answers): Loaded {
  const products = rowsOf(answers, 'listProducts')
  const customers = rowsOf(answers, 'listCustomers')
  const links = rowsOf(answers, 'listPaymentLinks')
  const providers = filteredBy(answers, 'listPaymentLinks', 'paymentProvider')
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
