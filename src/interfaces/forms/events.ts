/**
 * The events of forms. The specification shows none; they are assumed, and only subscriptions of the control plane
 * receive them.
 */
import type { EventsOf } from '../../http/definition/events.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { FormEvents } from '../../state/forms/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { Form } from './shapes/forms.ts'
import { ResponseDetail } from './shapes/responses.ts'

const fidelity = assumed('The specification shows no events of forms.')

const ofForm = {
  fidelity,
  payload: 'FormData',
  view: ({ form }: FormEvents['form.created'], workspace: Workspace) => ({
    form: Form.view(form, workspace),
  }),
} as const

export const events: EventsOf<FormEvents, typeof payloads> = {
  'form.created': { title: 'A form was created', ...ofForm },
  'form.published': { title: 'A form was published', ...ofForm },
  'response.completed': {
    title: 'A form was answered',
    fidelity,
    payload: 'ResponseData',
    view: ({ form, response }, workspace) => ({
      form: Form.view(form, workspace),
      response: ResponseDetail.view(response, workspace),
    }),
  },
}
