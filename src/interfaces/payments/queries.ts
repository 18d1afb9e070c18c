/** Parses the filters of lists. Specification part 2, "Payments v1". */
import { instantOf, lastInstantOf } from '@suite-sim/kit/time/instants'
import { refuse } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

/** Refuses a query because of one of its parameters. */
export function refuseParameter(field: string, code: string, message: string): never {
  refuse('invalid_query', `Query: ${message}`, { details: [{ field, code, message }] })
}

interface SpanQuery {
  readonly from?: string
  readonly to?: string
}

/** Parses `from` and `to` into instants, both inclusive; an absent parameter is no bound. */
export function parseSpan(workspace: Workspace, { from, to }: SpanQuery): { from?: number; to?: number } {
  const span = {
    ...(from !== undefined && { from: instantOf(from, workspace) }),
    ...(to !== undefined && { to: lastInstantOf(to, workspace) }),
  }
  if ((span.from ?? -Infinity) > (span.to ?? Infinity)) {
    refuseParameter('to', 'before_from', 'to must not be before from')
  }
  return span
}
