/**
 * The events of forms. The specification shows none; they are assumed, and only subscriptions of the control plane
 * receive them.
 */
import { appenderOf } from '../workspace/events.ts'
import type { forms, responses } from './tables.ts'

type Form = typeof forms.$inferSelect

export interface FormEvents {
  'form.created': { readonly form: Form }
  'form.published': { readonly form: Form }
  'response.completed': { readonly form: Form; readonly response: typeof responses.$inferSelect }
}

export const appendFormEvent = appenderOf<FormEvents>('forms')
