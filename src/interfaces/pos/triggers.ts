/** What the point of sale does outside its interface, which only tells of it: it sells, returns, closes registers. */
import { Type } from '@sinclair/typebox'
import { FreeObject, Int, OneOf } from '../../http/schemas.ts'
import { problemsOf } from '../../http/validation.ts'
import { assumed } from '../../state/fidelity.ts'
import { MAX_SALES, runDay, USUAL_SALES } from '../../state/pos/day.ts'
import { emitPosEventWith, POS_EVENTS, type MustFit } from '../../state/pos/events.ts'
import { refuse } from '../../state/refusal.ts'
import { deliveriesOf } from '../../webhooks/outbox.ts'
import { trigger } from '../../http/trigger.ts'

const mustFit: MustFit = ({ name, payload }, data) => {
  const problems = problemsOf(payload, data)
  if (problems.length === 0) return
  const details = problems.map(({ field, code, message }) => ({
    field: `data.${field}`,
    code,
    message: `data.${message}`,
  }))
  const words = details.map(({ message }) => message).join('; ')
  refuse('invalid', `The data do not fit ${name}: ${words}`, { details })
}

export const posTriggers = [
  trigger({
    name: 'pos.event.emit',
    summary:
      'The point of sale tells of an event: with a believable sample, over which the data given are laid.',
    body: Type.Object({
      event: OneOf(POS_EVENTS),
      data: Type.Optional(
        FreeObject({
          description:
            'Fields in the place of those of the sample, objects field by field. What does not fit the payload of the event is refused.',
        }),
      ),
    }),
    result: Type.Object({
      eventId: Type.String(),
      deliveries: Type.Array(Type.String(), {
        description: 'The ids of the deliveries that follow from it.',
      }),
    }),
    fidelity: assumed('The specification names the 33 events; how one comes about is outside its interface.'),
    run(workspace, { event, data = {} }) {
      const { id } = emitPosEventWith(workspace, event, data, mustFit)
      return { eventId: id, deliveries: [...deliveriesOf(workspace, id)] }
    },
  }),
  trigger({
    name: 'pos.day.run',
    summary:
      'A whole day of the shop goes by, and ends now: sales, payments, returns, stock moves and the closing of the register, whose sums agree.',
    body: Type.Object({
      sales: Type.Optional(
        Int({ minimum: 1, maximum: MAX_SALES, description: `Default is ${String(USUAL_SALES)}.` }),
      ),
      seed: Type.Optional(
        Type.Unsafe<string | number>({
          type: ['string', 'number'],
          maxLength: 200,
          description: 'A text or a number. The same seed sells the same things.',
          examples: ['monday'],
        }),
      ),
    }),
    result: Type.Object({
      events: Type.Array(Type.Object({ event: OneOf(POS_EVENTS), id: Type.String() }), {
        description: 'In the order in which they happened.',
      }),
    }),
    fidelity: assumed('The specification names the 33 events; how they come about is outside its interface.'),
    run: (workspace, wanted) => ({
      events: runDay(workspace, wanted, mustFit).map(({ id, name }) => ({
        event: name as (typeof POS_EVENTS)[number],
        id,
      })),
    }),
  }),
]
