/** The reading of the catalog. */
import { reading } from '../model/reading.ts'

export const productsModule = reading({
  name: 'catalog.products_module',
  title: 'Operations that answer 403 while the products module is not active',
  section: 'part 1, "Authentication" and "Errors"',
  default: 'interface',
  alternatives: {
    interface: 'All operations of the interface, as both tables say.',
    products: 'The operations on products only; activities work without the module.',
  },
})
