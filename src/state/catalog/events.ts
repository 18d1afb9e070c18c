/**
 * What happens in the catalog, each event with the record that it tells of. The specification shows no events of it:
 * they are assumed, and reach only subscriptions made in the control plane.
 */
import type { Workspace } from '../workspace.ts'
import type { activities, products } from './tables.ts'

type Product = typeof products.$inferSelect
type Activity = typeof activities.$inferSelect

/** In the order of a record's life. */
export interface CatalogEvents {
  'product.created': Product
  'product.updated': Product
  'product.deleted': Product
  'activity.created': Activity
  'activity.updated': Activity
  'activity.completed': Activity
  'activity.overdue': Activity
  'activity.deleted': Activity
}

/** Tells of the record as it now is. Only inside a `write`. */
export function appendCatalogEvent<Name extends keyof CatalogEvents>(
  workspace: Workspace,
  name: Name,
  record: CatalogEvents[Name],
): void {
  workspace.append({ interface: 'catalog', name, record: record.id, data: record })
}
