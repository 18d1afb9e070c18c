/** The schemas of the event data of forms; all are assumed. */
import { Type } from '@sinclair/typebox'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { Form } from './schemas/forms.ts'
import { ResponseDetail } from './schemas/responses.ts'

const why = 'The specification shows no events of forms.'

export const FormData = named('FormEventData', Assumed(why, Type.Object({ form: Form })))
export const ResponseData = named(
  'FormResponseEventData',
  Assumed(why, Type.Object({ form: Form, response: ResponseDetail })),
)
