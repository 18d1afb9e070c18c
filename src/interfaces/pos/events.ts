/** The 33 published events. The shape of each payload has a name of its own. */
import { named } from '../../http/schemas/schemas.ts'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { posEvents } from '../../state/pos/events.ts'
import * as payloads from '../../state/pos/payloads.ts'

for (const [name, payload] of Object.entries(payloads)) named(`${name}Data`, payload)

export const publishedEvents: readonly PublishedEvent[] = posEvents
