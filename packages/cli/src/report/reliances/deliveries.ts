/** What webhooks relied on: their events, and what they had. */
import type { Facts } from '../facts.ts'
import { addAnswer } from './calls.ts'
import { causesIn } from './causes.ts'
import { adder, addReading, type Reliances } from './collecting.ts'
import { addOutcome } from './moves.ts'

interface PublishedEvent {
  readonly summary?: string
  readonly 'x-reading'?: readonly string[]
}

export function addDeliveries(facts: Facts, found: Reliances): void {
  const { rootOf } = causesIn(facts)
  for (const { id, interface: of, event, attempts, payload, status } of facts.deliveries.toReversed()) {
    const used = facts.interfaces.get(of)
    const root = rootOf(id)
    // Fixtures have deliveries, too. And no receiver has met one without an attempt.
    if (!used || attempts.length === 0 || root === undefined) continue
    addOutcome(facts, status, root, found)
    const add = adder(found, used, root)
    const post = used.document.webhooks?.[event]?.['post'] as PublishedEvent | undefined
    const title = post?.summary ?? event
    const claim = used.claims.at(event, 'event')
    if (claim) add(claim, { kind: 'event', title })
    const body = used.claims.at(event, 'response')
    if (body) add(body, { kind: 'payload', title })
    addAnswer(used, event, payload, add)
    for (const name of post?.['x-reading'] ?? []) addReading(facts, name, { id: root, interface: of }, found)
  }
}
