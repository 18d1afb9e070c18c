/** The wire definition of the catalog. Specification part 1. */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { activities } from './activities.ts'
import { catalogDialect } from './dialect.ts'
import { events } from './events.ts'
import * as payloads from './payloads.ts'
import { products } from './products.ts'
import { catalogTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: catalogDialect,
  resources: [products, activities],
  events: publish(events, payloads),
  triggers: catalogTriggers,
}
