/** The data of the events of forms. */
import type { EventViews } from '../../state/workspace/events.ts'
import type { FormEvents } from '../../state/forms/events.ts'
import { Form } from './shapes/forms.ts'
import { ResponseDetail } from './shapes/responses.ts'

export const eventViews: EventViews<FormEvents> = {
  'form.created': ({ form }, workspace) => ({ form: Form.view(form, workspace) }),
  'form.published': ({ form }, workspace) => ({ form: Form.view(form, workspace) }),
  'response.completed': ({ form, response }, workspace) => ({
    form: Form.view(form, workspace),
    response: ResponseDetail.view(response, workspace),
  }),
}
