/** Deals. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/mount.ts'

export const deals: Resource = async () => {}
