/** Catalog and activities. Specification part 1. */
import type { InterfaceDefinition } from '../../http/mount.ts'
import { activities } from './activities.ts'
import { catalogDialect } from './dialect.ts'
import { catalogEvents } from './events.ts'
import { products } from './products.ts'

export const catalog: InterfaceDefinition = {
  name: 'catalog',
  title: 'Catalog and activities',
  description: 'Products and services of a workspace, and activities linked to its business entities.',
  basePath: '/workspace/public/v1',
  dialect: catalogDialect,
  resources: [products, activities],
  events: catalogEvents,
}
