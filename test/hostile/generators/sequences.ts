/** Several requests whose order or simultaneity is hostile. */
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import { NEW_RECORD_ID, type HostileRequest, type Stage } from '../request.ts'
import type { Operation } from '../surface.ts'
import { validRequest, pathOf, requiredQuery } from './valid.ts'

/** The operation on the same record, or on its list. */
const siblingOf = (all: readonly Operation[], method: string, path: string): Operation | undefined =>
  all.find((each) => each.method === method && each.path === path && !each.takes?.isForm)

/** The list, the path and the last parameter of a record path: "/deals/{deal_id}" for "/deals/{deal_id}/move". */
function recordOf(path: string): { list: string; record: string; parameter: string } | null {
  const last = path.lastIndexOf('/{')
  const end = path.indexOf('}', last)
  if (last < 0) return null
  return { list: path.slice(0, last), record: path.slice(0, end + 1), parameter: path.slice(last + 2, end) }
}

/** Creates a record and calls its operation twice at once, during its deletion, or after it. */
export function sequences(
  operation: Operation,
  all: readonly Operation[],
  prey: AttackedWorkspace,
  hostile: Arbitrary<HostileRequest>,
): Arbitrary<readonly Stage[]> {
  const valid = validRequest(operation, prey)
  const at = recordOf(operation.path)
  const maker = at && siblingOf(all, 'POST', at.list)
  const twice = fc
    .constantFrom(2, 3, 8)
    .map((count): Stage[] => [{ requests: Array<HostileRequest>(count).fill(valid) }])
  if (!at || !maker)
    return fc.oneof(
      twice,
      twice,
      hostile.map((request): Stage[] => [{ requests: [request, valid, request] }]),
    )

  const target = pathOf(operation, prey, { [at.parameter]: NEW_RECORD_ID }) + requiredQuery(operation, prey)
  const ofMade = (request: HostileRequest): HostileRequest => ({ ...request, target })
  const makes: Stage = { requests: [validRequest(maker, prey)], makes: true }
  const remover = siblingOf(all, 'DELETE', at.record)
  const remove = remover && {
    ...validRequest(remover, prey),
    target: pathOf(remover, prey, { [at.parameter]: NEW_RECORD_ID }),
  }
  return fc.oneof(
    hostile.map((request): Stage[] => [
      makes,
      { requests: [ofMade(request)] },
      { requests: [ofMade(valid)] },
    ]),
    fc
      .constantFrom(2, 6)
      .map((count): Stage[] => [makes, { requests: Array<HostileRequest>(count).fill(ofMade(valid)) }]),
    ...(remove
      ? [
          fc.constant<Stage[]>([makes, { requests: [remove] }, { requests: [ofMade(valid), remove] }]),
          fc.constant<Stage[]>([makes, { requests: [ofMade(valid), remove, ofMade(valid), remove] }]),
        ]
      : []),
  )
}
