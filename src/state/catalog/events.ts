/**
 * The events of the catalog, each with its record. The specification shows none; they are assumed, and only
 * subscriptions of the control plane receive them.
 */
import type { Workspace } from '../workspace/workspace.ts'
import type { activities, products } from './tables.ts'

type Product = typeof products.$inferSelect
type Activity = typeof activities.$inferSelect

/** Sorted by the lifecycle of a record. */
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

/** Appends an event with the current record. Only inside a `write`. */
export function appendCatalogEvent<Name extends keyof CatalogEvents>(
  workspace: Workspace,
  name: Name,
  record: CatalogEvents[Name],
): void {
  workspace.append({ interface: 'catalog', name, record: record.id, data: record })
}
