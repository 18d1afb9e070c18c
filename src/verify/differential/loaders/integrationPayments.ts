/** Products, customers and payment links. */
import { columns, rowsOf, type Loader } from './loader.ts'

const PRODUCT = [
  'id',
  'productCode',
  'name',
  'description',
  'paymentType',
  'requiresSubscription',
  'price',
  'currency',
  'billingPeriod',
  'billingInterval',
  'status',
  'createdAt',
  'updatedAt',
]
const CUSTOMER = [
  'id',
  'name',
  'email',
  'phone',
  'status',
  'paymentProvider',
  'customerVaultId',
  'cardLast4',
  'cardBrand',
  'cardBin',
  'cardExp',
  'createdAt',
  'updatedAt',
]

export const integrationPayments: Loader = (readings) => {
  const products = rowsOf(readings, 'listProducts')
  const customers = rowsOf(readings, 'listCustomers')
  return {
    snapshot: {
      'integration-payments': {
        products: products.rows.map(({ row }) => columns(row, PRODUCT)),
        customers: customers.rows.map(({ row }) => columns(row, CUSTOMER)),
      },
    },
    // A link shows neither its product nor its provider.
    unknown: ['listPaymentLinks*'],
    isComplete: products.isComplete && customers.isComplete,
  }
}
