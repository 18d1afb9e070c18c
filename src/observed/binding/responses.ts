/** What the documents say about responses that were observed otherwise on the real service. */
import { STATUS_CODES } from 'node:http'
import type { Operation, Responses } from '../../http/definition/operation.ts'

/** What was observed of the responses of an operation. */
export interface ObservedResponses {
  readonly refusals: readonly ObservedRefusal[]
  /** The words of the label of its successful answers, if their order was observed. */
  readonly label?: object
  /** Words of the headers of every answer, by name. */
  readonly headers: Readonly<Record<string, object>>
}

/** A refusal that differs from that of the simulator. */
export interface ObservedRefusal {
  /** The status of the simulator. */
  readonly instead: number
  readonly status: number
  /** Whether only refusals with some code of the status differ. */
  readonly isPartial: boolean
  readonly schema: object
  /** The words of its label. */
  readonly label: object
}

type Describe = NonNullable<Operation['describe']>

/** Returns the function that describes the responses of an operation. */
export const describing =
  ({ refusals, label, headers }: ObservedResponses, { answers }: Operation): Describe =>
  (responses, document) =>
    withRefusals(
      refusals,
      Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          status in answers ? withHeaders(response, label, headers) : response,
        ]),
      ),
      document,
    )

function withHeaders(
  { headers: before, content, ...words }: Responses[string],
  label: object | undefined,
  own: ObservedResponses['headers'],
): Responses[string] {
  const headers = { ...(before as object | undefined), ...own }
  return {
    ...words,
    ...label,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content !== undefined && { content }),
  }
}

/** Replaces the refusals that were observed otherwise. */
function withRefusals(
  refusals: readonly ObservedRefusal[],
  responses: Responses,
  document: Parameters<Describe>[1],
): Responses {
  const found = { ...responses }
  for (const { instead, status, isPartial } of refusals) {
    if (!isPartial && status !== instead) Reflect.deleteProperty(found, String(instead))
  }
  for (const status of new Set(refusals.map((each) => each.status))) {
    const own = refusals.filter((each) => each.status === status)
    const before = found[String(status)]
    const isReplaced = own.some((each) => !each.isPartial && each.instead === status)
    const kept = before && !isReplaced ? [refusalSchema(before, document.responses)] : []
    const shapes = [...own.map(({ schema }) => document.schemas.publish(schema)), ...kept]
    found[String(status)] = {
      description: `Observed on the real service: ${STATUS_CODES[status] ?? `Status ${String(status)}`}.`,
      ...own[0]?.label,
      content: { 'application/json': { schema: shapes.length === 1 ? shapes[0] : { anyOf: shapes } } },
    }
  }
  return found
}

/** Returns the schema of a shared response. */
function refusalSchema(reference: Responses[string], shared: Responses): object {
  const name = String(reference['$ref']).replace('#/components/responses/', '')
  const content = shared[name]?.['content'] as Record<string, { schema: object }>
  return content['application/json']?.schema ?? {}
}
