/** The wire definition of the catalog. Specification part 1. */
import type { Wire } from '../../http/definition/definition.ts'
import { activities } from './activities.ts'
import { catalogDialect } from './dialect.ts'
import { catalogEvents } from './events.ts'
import { products } from './products.ts'
import { catalogTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: catalogDialect,
  resources: [products, activities],
  events: catalogEvents,
  triggers: catalogTriggers,
}
