/** What the point of sale does outside its interface, which only tells of it: it sells, returns, closes registers. */
import { Type } from '@sinclair/typebox'
import { FreeObject, OneOf } from '../../http/schemas.ts'
import { assumed } from '../../state/fidelity.ts'
import { emitPosEvent, POS_EVENTS } from '../../state/pos/events.ts'
import { deliveriesOf } from '../../webhooks/outbox.ts'
import { trigger } from '../../http/trigger.ts'

export const posTriggers = [
  trigger({
    name: 'pos.event.emit',
    summary: 'The point of sale tells of an event: with the data given, or with a sample of it.',
    body: Type.Object({
      event: OneOf(POS_EVENTS),
      data: Type.Optional(FreeObject({ description: 'A believable sample unless given.' })),
    }),
    result: Type.Object({
      eventId: Type.String(),
      deliveries: Type.Array(Type.String(), {
        description: 'The ids of the deliveries that follow from it.',
      }),
    }),
    fidelity: assumed('The specification names the 33 events; how one comes about is outside its interface.'),
    run(workspace, { event, data }) {
      const { id } = emitPosEvent(workspace, event, data)
      return { eventId: id, deliveries: [...deliveriesOf(workspace, id)] }
    },
  }),
]
