/** Events in the published documents: deliveries as a receiver gets them. */
import type { PublishedEvent } from '../definition/definition.ts'
import { Assumed } from '../schemas/schemas.ts'
import { capitalized } from '../schemas/wording.ts'
import type { JsonObject } from './components.ts'
import { contentOf, fidelityWords } from './contents.ts'
import { securityOverride } from './credentials.ts'
import type { DocumentPart, Names } from './documentParts.ts'
import { readingNames, readingsOfEvent } from './readings.ts'

/** The tag of all events. */
export const EVENTS = 'Events'

/** Describes a delivery as a receiver gets it. */
export function delivery(documentPart: DocumentPart, event: PublishedEvent): JsonObject {
  const { definition, names, schemas } = documentPart
  const { eventTime = 'createdAt', assumedDelivery } = definition
  const envelope = {
    type: 'object',
    required: ['id', 'event', eventTime, 'data'],
    properties: {
      id: {
        type: 'string',
        description: 'The same in every attempt.',
        examples: ['tz4a98xxat96iws9zmbrgj3a'],
      },
      event: { type: 'string', const: event.name },
      [eventTime]: { type: 'string', format: 'date-time' },
      data: event.payload,
    },
  }
  const body = event.otherBody ? { anyOf: [envelope, event.otherBody] } : envelope
  const labelled = assumedDelivery === undefined ? body : Assumed(assumedDelivery, body)
  return {
    post: {
      operationId: names.operationId(`on${event.name.split(/\W+|_/).map(capitalized).join('')}`),
      summary: event.title,
      description: `Sent to every active subscription that names \`${event.name}\`.`,
      tags: [names.tag(EVENTS)],
      ...readingNames(readingsOfEvent(definition, event)),
      ...fidelityWords(event.fidelity),
      ...securityOverride(documentPart, []),
      parameters: Object.keys(deliveryHeaders(names)).map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      requestBody: { required: true, content: contentOf(schemas, labelled, 'answered') },
      responses: {
        '2XX': {
          description:
            'Accepted. After any other response, or none within ten seconds, the server retries later.',
        },
      },
    },
  }
}

export const deliveryHeaders = ({ prefix }: Names): Record<string, JsonObject> => ({
  [`${prefix}EventHeader`]: {
    name: 'X-Service-Event',
    in: 'header',
    required: true,
    description: 'The name of the event.',
    schema: { type: 'string' },
  },
  [`${prefix}SignatureHeader`]: {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    description: "HMAC-SHA256 of the body's bytes with the subscription's secret: sha256=HEX.",
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  },
})
