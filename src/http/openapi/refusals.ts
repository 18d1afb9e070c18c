/** Refusals in the published documents: one shared response for each status of an interface. */
import { STATUS_CODES } from 'node:http'
import type { Reason } from '../../state/model/refusal.ts'
import { statusesOf } from '../definition/dialect.ts'
import type { LoadedInterface, MountedRoute } from '../definition/definition.ts'
import { RATE_LIMITED_HEADERS } from '../lifecycle/rateLimits.ts'
import type { JsonObject } from './components.ts'
import { challenges } from './credentials.ts'
import type { DocumentPart } from './documentParts.ts'
import { readingNames } from './readings.ts'
import { reasonsOf, refusalExample, whenRefused } from './reasons.ts'

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
  const references = [...statuses]
    .sort((a, b) => a - b)
    .map((status) => [
      String(status),
      { $ref: `#/components/responses/${sharedRefusal(documentPart, status)}` },
    ])
  return Object.fromEntries(references) as Record<string, JsonObject>
}

/** Returns the name of the shared response of this status; writes it on first use. */
function sharedRefusal(documentPart: DocumentPart, status: number): string {
  const name = documentPart.names.prefix + statusWords(status).replaceAll(/\W/g, '')
  if (!documentPart.responses[name]) {
    const { dialect } = documentPart.definition
    const reasons = documentPart.reasons.get(status) ?? []
    documentPart.responses[name] = {
      description: reasons.map(whenRefused).join(' '),
      ...readingNames(reasons.flatMap((reason) => dialect.refusals[reason].reading ?? [])),
      ...(status === 401 &&
        challenges(documentPart.definition) && {
          headers: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
        }),
      ...(status === 429 && { headers: RATE_LIMITED_HEADERS }),
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
