/** The schemas of the event data of forms; all are assumed. */
import { Type } from '@sinclair/typebox'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { Form } from './shapes/forms.ts'
import { ResponseDetail } from './shapes/responses.ts'

const why = 'The specification shows no events of forms.'

export const FormData = named('FormEventData', Assumed(why, Type.Object({ form: Form.item })))
export const ResponseData = named(
  'FormResponseEventData',
  Assumed(why, Type.Object({ form: Form.item, response: ResponseDetail.item })),
)
