/** The filters of lists as the state takes them. Specification part 2, "Payments v1". */
import { refuse } from '../../state/refusal.ts'
import { firstInstantOf, lastInstantOf } from '../../state/span.ts'
import type { Workspace } from '../../state/workspace.ts'

/** Refuses a query because of one of its parameters. */
export function refuseParameter(field: string, code: string, message: string): never {
  refuse('invalid_query', `Query: ${message}`, { details: [{ field, code, message }] })
}

interface SpanQuery {
  readonly from?: string
  readonly to?: string
}

/** The instants that the query encloses, both inclusive; undefined where it has no bound. */
export function spanOf(workspace: Workspace, { from, to }: SpanQuery): { from?: number; to?: number } {
  const span = {
    ...(from !== undefined && { from: firstInstantOf(workspace, from) }),
    ...(to !== undefined && { to: lastInstantOf(workspace, to) }),
  }
  if ((span.from ?? -Infinity) > (span.to ?? Infinity)) {
    refuseParameter('to', 'before_from', 'to must not be before from')
  }
  return span
}
