/** Triggers for actions of the point of sale outside the interface: sales, returns, closing of registers. */
import { Type } from '@sinclair/typebox'
import { FreeObject, Int, OneOf } from '../../http/schemas/schemas.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { DEFAULT_SALES, MAX_SALES, OPENING_HOURS, runDay } from '../../state/pos/day.ts'
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

/** "09:00 to 18:00" */
const hours = OPENING_HOURS.map((hour) => `${String(hour).padStart(2, '0')}:00`).join(' to ')

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
    summary: `Emit the events of a whole business day, from ${hours}: sales, payments, returns, stock changes and the closing of the register. The sums are consistent, and stocks continue from the day before.`,
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
    fidelity: assumed(
      `The specification names the 33 events. Their causes are outside the interface. Each event has its own time. The day is the last one that has ended, from ${hours} in the time zone of the workspace. If the register was closed or a stock changed after its opening, it is the next day after that, which can be in the future of the clock.`,
    ),
    run: (workspace, options) => ({
      events: runDay(workspace, options, checkPayload).map(({ id, name }) => ({
        event: name as (typeof POS_EVENTS)[number],
        id,
      })),
    }),
  }),
]
