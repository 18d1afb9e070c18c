/** Triggers for actions of the point of sale outside the interface: sales, returns, closing of registers. */
import { Type } from '@sinclair/typebox'
import { FreeObject, Int, OneOf } from '../../http/schemas/schemas.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { MAX_SALES, runDay, DEFAULT_SALES } from '../../state/pos/day.ts'
import { POS_EVENTS } from '../../state/pos/eventNames.ts'
import { emitPosEventWith, type CheckPayload } from '../../state/pos/events.ts'
import { refuse } from '../../state/model/refusal.ts'
import { deliveriesOf } from '../../webhooks/outbox.ts'
import { trigger } from '../../http/definition/trigger.ts'

const checkPayload: CheckPayload = ({ name, payload }, data) => {
  const problems = problemsOf(payload, data)
  if (problems.length === 0) return
  const details = problems.map(({ field, code, message }) => ({
    field: `data.${field}`,
    code,
    message: `data.${message}`,
  }))
  const reasons = details.map(({ message }) => message).join('; ')
  refuse('invalid', `data does not match the payload of ${name}: ${reasons}`, { details })
}

export const posTriggers = [
  trigger({
    name: 'pos.event.emit',
    summary: 'Emit an event of the point of sale, with sample data that you can override.',
    body: Type.Object({
      event: OneOf(POS_EVENTS),
      data: Type.Optional(
        FreeObject({
          description:
            'Fields that override those of the sample. Nested objects are merged. Data that does not match the payload of the event is refused.',
        }),
      ),
    }),
    result: Type.Object({
      eventId: Type.String(),
      deliveries: Type.Array(Type.String(), {
        description: 'The ids of the deliveries of the event.',
      }),
    }),
    fidelity: assumed('The specification names the 33 events. Their causes are outside the interface.'),
    run(workspace, { event, data = {} }) {
      const { id } = emitPosEventWith(workspace, event, data, checkPayload)
      return { eventId: id, deliveries: [...deliveriesOf(workspace, id)] }
    },
  }),
  trigger({
    name: 'pos.day.run',
    summary:
      'Emit the events of a whole business day that ends now: sales, payments, returns, stock changes and the closing of the register. The sums are consistent.',
    body: Type.Object({
      sales: Type.Optional(
        Int({ minimum: 1, maximum: MAX_SALES, description: `Default is ${String(DEFAULT_SALES)}.` }),
      ),
      seed: Type.Optional(
        Type.Unsafe<string | number>({
          type: ['string', 'number'],
          maxLength: 200,
          description: 'A string or a number. The same seed produces the same sales.',
          examples: ['monday'],
        }),
      ),
    }),
    result: Type.Object({
      events: Type.Array(Type.Object({ event: OneOf(POS_EVENTS), id: Type.String() }), {
        description: 'The events in their order.',
      }),
    }),
    fidelity: assumed('The specification names the 33 events. Their causes are outside the interface.'),
    run: (workspace, options) => ({
      events: runDay(workspace, options, checkPayload).map(({ id, name }) => ({
        event: name as (typeof POS_EVENTS)[number],
        id,
      })),
    }),
  }),
]
