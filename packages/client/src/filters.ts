/** The filters of lists of deliveries, e-mails and requests. */
import type { Query } from './calling.ts'

/** The filters of a list without the parameters for waiting. */
export type FilterOf<Id extends 'listDeliveries' | 'listEmails' | 'listInbox' | 'listRequests'> = Omit<
  Query<Id>,
  'wait' | 'count' | 'limit'
>

export interface Limit {
  /** Maximum number of items, newest first; 25 by default, 1,000 at most. */
  readonly limit?: number
}

export type RequestFilter = FilterOf<'listRequests'>
