/**
 * The events of forms. The specification shows none; they are assumed, and only subscriptions of the control plane
 * receive them.
 */
import { Type } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { FormEventName } from '../../state/forms/events.ts'
import { Form } from './shapes/forms.ts'
import { ResponseDetail } from './shapes/responses.ts'

const why = 'The specification shows no events of forms.'

const FormData = named('FormEventData', Assumed(why, Type.Object({ form: Form.item })))
const ResponseData = named(
  'FormResponseEventData',
  Assumed(why, Type.Object({ form: Form.item, response: ResponseDetail.item })),
)

const event = (name: FormEventName, title: string, payload: PublishedEvent['payload']): PublishedEvent => ({
  name,
  title,
  payload,
  fidelity: assumed(why),
})

export const publishedEvents: readonly PublishedEvent[] = [
  event('form.created', 'A form was created', FormData),
  event('form.published', 'A form was published', FormData),
  event('response.completed', 'A form was answered', ResponseData),
]
