/** Refusals in the published documents: one shared response for each status of an interface. */
import { STATUS_CODES } from 'node:http'
import { assumed } from '../../state/model/fidelity.ts'
import type { Reason } from '../../state/model/refusal.ts'
import { statusesOf } from '../definition/dialect.ts'
import type { LoadedInterface, MountedRoute } from '../definition/definition.ts'
import { RATE_LIMITED_HEADERS } from '../lifecycle/rateLimits.ts'
import type { JsonObject } from './components.ts'
import { fidelityWords } from './contents.ts'
import { challenges } from './credentials.ts'
import type { DocumentPart } from './documentParts.ts'
import { readingNames } from './readings.ts'
import { reasonsOf, refusalExample, whenRefused } from './reasons.ts'

const RATE_LIMITED = 429

/** The reason for a status that only an injected fault causes. */
const INJECTED: Reason = 'rate_limited'
const INJECTED_HEADERS = { 'Retry-After': RATE_LIMITED_HEADERS['Retry-After'] }

export const statusWords = (status: number): string => STATUS_CODES[status] ?? `Status ${String(status)}`

export function reasonsByStatus(
  { dialect }: LoadedInterface,
  routes: readonly MountedRoute[],
): Map<number, Reason[]> {
  const byStatus = new Map<number, Reason[]>()
  for (const reason of new Set(routes.flatMap((route) => reasonsOf(route, dialect)))) {
    for (const status of statusesOf(dialect.refusals[reason])) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), reason])
    }
  }
  return byStatus
}

export function refusalsOf(documentPart: DocumentPart, route: MountedRoute): Record<string, JsonObject> {
  const { dialect } = documentPart.definition
  const statuses = new Set(
    reasonsOf(route, dialect).flatMap((reason) => statusesOf(dialect.refusals[reason])),
  )
  // A documented rate limit applies to all operations, even if only an injected fault answers it here.
  if (dialect.documentedStatuses?.includes(RATE_LIMITED)) statuses.add(RATE_LIMITED)
  const references = [...statuses]
    .sort((a, b) => a - b)
    .map((status) => [
      String(status),
      { $ref: `#/components/responses/${sharedRefusal(documentPart, status, route)}` },
    ])
  return Object.fromEntries(references) as Record<string, JsonObject>
}

/** Returns the name of the shared response of this status; writes it on first use. */
function sharedRefusal(documentPart: DocumentPart, status: number, { operation }: MountedRoute): string {
  const { dialect } = documentPart.definition
  const { documentedStatuses } = dialect
  const isCommon = documentedStatuses?.includes(status) ?? true
  const isOwn = !isCommon && operation.documentedStatuses?.includes(status) === true
  const words = statusWords(status).replaceAll(/\W/g, '')
  const name = `${documentPart.names.prefix}${words}${isOwn ? 'Documented' : ''}`
  if (!documentPart.responses[name]) {
    const own = documentPart.reasons.get(status)
    const reasons = own ?? [INJECTED]
    const description = reasons.map(whenRefused).join(' ')
    documentPart.responses[name] = {
      description:
        status === RATE_LIMITED && documentedStatuses?.includes(status)
          ? `${description} For an operation without a rate limit, only an injected fault causes it.`
          : description,
      ...(!isCommon &&
        !isOwn &&
        fidelityWords(assumed(`The specification does not list the status ${String(status)} here.`))),
      ...readingNames(reasons.flatMap((reason) => dialect.refusals[reason].reading ?? [])),
      ...(status === 401 &&
        challenges(documentPart.definition) && {
          headers: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
        }),
      ...(status === RATE_LIMITED && { headers: own ? RATE_LIMITED_HEADERS : INJECTED_HEADERS }),
      content: {
        'application/json': {
          schema: documentPart.schemas.publish(dialect.errorSchema),
          examples: Object.fromEntries(
            reasons.map((reason) => [
              reason,
              { summary: whenRefused(reason), value: refusalExample(dialect, reason) },
            ]),
          ),
        },
      },
    }
  }
  return name
}
