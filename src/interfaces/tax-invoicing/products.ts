/** Products. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'

export const products: Resource = async () => {
  // Filled in with its operations.
}
